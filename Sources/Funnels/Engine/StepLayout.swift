/// Which steps an attempt can take next from each step, with optional steps in between. Steps are numbered from 0.
///
/// An attempt that stands on a step wants the optional steps after it and the required one after these: one group. If an event fits several
/// steps of a group, any attempt that wants one of them takes the deepest. So the others' bits can go once for all attempts.
struct StepLayout {
    let count: Int
    let hasOptional: Bool
    /// For each step, the last required step before it, and the next required step after it (the last step if there is none).
    let previous: [Int]
    let next: [Int]
    /// Groups of more than one step, as bits.
    private let groups: [UInt32]

    init(_ steps: [FunnelStep]) {
        let optional = steps.map(\.isOptional)
        count = optional.count
        hasOptional = optional.contains(true)
        previous = optional.indices.map { step in optional[..<step].lastIndex(of: false) ?? 0 }
        next = optional.indices.map { step in optional[(step + 1)...].firstIndex(of: false) ?? optional.count - 1 }
        var (groups, group) = ([UInt32](), UInt32(0))
        for (step, isOptional) in optional.enumerated() {
            group |= 1 << UInt32(step)
            if isOptional { continue }
            groups.append(group)
            group = 0
        }
        self.groups = (groups + [group]).filter { $0.nonzeroBitCount > 1 }
    }

    /// The steps of an event, of each group only the deepest.
    @inline(__always)
    func narrowed(_ steps: UInt32) -> UInt32 { hasOptional ? narrow(steps) : steps }

    private func narrow(_ steps: UInt32) -> UInt32 {
        var steps = steps
        for group in groups {
            let inGroup = steps & group
            if inGroup & (inGroup &- 1) != 0 { steps = steps & ~group | 0x8000_0000 >> UInt32(inGroup.leadingZeroBitCount) }
        }
        return steps
    }

    /// The step of `steps`, which must be narrowed, that an attempt standing on `step` takes; `nil` if it wants none of them.
    func target(from step: Int, of steps: UInt32) -> Int? {
        guard step + 1 < count else { return nil }
        let wanted = steps & (.max << UInt32(step + 1)) & (.max >> UInt32(31 - next[step]))
        return wanted == 0 ? nil : 31 - wanted.leadingZeroBitCount
    }
}
