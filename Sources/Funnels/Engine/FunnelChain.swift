/// An attempt that counts, with its times. An engine uses the same object for all chains.
final class FunnelChain {
    let stepCount: Int
    /// How many steps it reached, optional ones that it skipped before its last step included; 0 for no chain.
    var depth = 0
    /// Bit n is set if step n (from 0) was taken.
    var taken: UInt32 = 0
    /// When it began.
    var start: Int64 = 0
    /// When step n was taken, and the milliseconds from step 1 and from the last required step before it; only for steps that were taken.
    let times: UnsafeMutablePointer<Int64>
    let sinceFirst: UnsafeMutablePointer<Int64>
    let sincePrevious: UnsafeMutablePointer<Int64>
    /// Whether it, or a later attempt of its key, could still go on after the end of the data.
    var isOpen = false

    init(stepCount: Int) {
        self.stepCount = stepCount
        times = .allocate(capacity: 3 * stepCount)
        times.initialize(repeating: 0, count: 3 * stepCount)
        sinceFirst = times + stepCount
        sincePrevious = times + 2 * stepCount
    }

    deinit { times.deallocate() }

    /// Takes over the steps and times of an attempt through ordered steps.
    ///
    /// - Parameters:
    ///   - depth: 1 or more.
    ///   - taken: the steps that it took; `nil` for all.
    ///   - previous: for each step the last required step before it.
    func set(depth: Int, taken: UInt32? = nil, times source: UnsafePointer<Int64>, previous: [Int]) {
        let taken = taken ?? .max >> UInt32(32 - depth)
        (self.depth, self.taken) = (depth, taken)
        start = source[0]
        for step in 0..<depth where taken >> UInt32(step) & 1 == 1 {
            times[step] = source[step]
            sinceFirst[step] = source[step] &- start
            sincePrevious[step] = source[step] &- source[previous[step]]
        }
    }

    func copy(_ other: FunnelChain) {
        depth = other.depth
        taken = other.taken
        start = other.start
        isOpen = other.isOpen
        times.update(from: other.times, count: 3 * stepCount)
    }

    /// Whether this one counts for its key rather than the other: it is deeper, else it got there earlier, else it started later.
    func isBetter(than other: FunnelChain) -> Bool {
        if depth != other.depth { return depth > other.depth }
        guard depth > 0 else { return false }
        let (end, otherEnd) = (times[depth - 1], other.times[depth - 1])
        return end != otherEnd ? end < otherEnd : start > other.start
    }
}
