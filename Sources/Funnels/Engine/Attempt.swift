/// An attempt with the times of its steps, which are numbered from 0.
struct Attempt {
    /// When it took each step up to its last one; 0 for a step that it skipped.
    private(set) var times: [Int64]
    /// Bit n is set if it took step n.
    private(set) var taken: UInt32 = 1

    init(at time: Int64) { times = [time] }

    var depth: Int { times.count }
    var start: Int64 { times[0] }
    var last: Int64 { times[times.count - 1] }

    mutating func take(_ step: Int, at time: Int64) {
        while times.count < step { times.append(0) }
        times.append(time)
        taken |= 1 << UInt32(step)
    }

    /// Whether it counts for its key rather than the other: it is deeper, else got there earlier, else started later, else took more steps,
    /// else took the same steps earlier.
    func isBetter(than other: Attempt) -> Bool {
        if depth != other.depth { return depth > other.depth }
        if last != other.last { return last < other.last }
        if start != other.start { return start > other.start }
        if taken.nonzeroBitCount != other.taken.nonzeroBitCount { return taken.nonzeroBitCount > other.taken.nonzeroBitCount }
        return taken == other.taken && times.lexicographicallyPrecedes(other.times)
    }

    /// Whether another attempt on the same step can never do better than this one, whatever events come.
    func replaces(_ other: Attempt, _ rules: ChainRules) -> Bool {
        if rules.stepWindow != .max && last < other.last { return false }
        if start != other.start { return start > other.start }
        if taken != other.taken { return taken.nonzeroBitCount >= other.taken.nonzeroBitCount }
        return !other.times.lexicographicallyPrecedes(times)
    }
}

extension ChainRules {
    func allows(_ attempt: Attempt, at time: Int64) -> Bool { allows(start: attempt.start, last: attempt.last, at: time) }

    /// Whether an attempt can take a step after the end of the data.
    func isOpen(_ attempt: Attempt) -> Bool {
        attempt.start.isOpen(for: window, at: dataEnd) && attempt.last.isOpen(for: stepWindow, at: dataEnd)
    }
}

extension FunnelChain {
    /// Becomes the chain of an attempt through ordered steps.
    func set(_ attempt: Attempt, isOpen: Bool, _ layout: StepLayout) {
        attempt.times.withUnsafeBufferPointer { times in
            guard let times = times.baseAddress else { return }
            set(depth: attempt.depth, taken: attempt.taken, times: times, previous: layout.previous)
        }
        self.isOpen = isOpen
    }
}
