/// The best of the attempts that ended.
final class BestAttempt {
    /// Steps that it reached; 0 if there is none.
    private(set) var depth = 0
    private(set) var taken: UInt32 = 0
    let times: UnsafeMutablePointer<Int64>

    init(stepCount: Int) {
        times = .allocate(capacity: stepCount)
        times.initialize(repeating: 0, count: stepCount)
    }

    deinit { times.deallocate() }

    func reset() { (depth, taken) = (0, 0) }

    /// Takes an attempt if it is deeper than the best so far, or as deep and earlier there, or then started later, then took
    /// more steps, then took them earlier.
    @inline(__always)
    func note(_ source: UnsafePointer<Int64>, _ taken: UInt32) {
        if depth == 0 || isBeaten(by: source, taken) {
            depth = 32 - taken.leadingZeroBitCount
            self.taken = taken
            times.update(from: source, count: depth)
        }
    }

    private func isBeaten(by source: UnsafePointer<Int64>, _ taken: UInt32) -> Bool {
        let depth = 32 - taken.leadingZeroBitCount
        if depth != self.depth { return depth > self.depth }
        let (end, bestEnd) = (source[depth - 1], times[depth - 1])
        if end != bestEnd { return end < bestEnd }
        if source[0] != times[0] { return source[0] > times[0] }
        if taken.nonzeroBitCount != self.taken.nonzeroBitCount { return taken.nonzeroBitCount > self.taken.nonzeroBitCount }
        return taken == self.taken && taken.precedes(source, times)
    }
}

extension UInt32 {
    /// Whether of two attempts that took these steps the first took one earlier, and all before it at the same times.
    func precedes(_ times: UnsafePointer<Int64>, _ others: UnsafePointer<Int64>) -> Bool {
        for step in bitNumbers where times[step] != others[step] { return times[step] < others[step] }
        return false
    }
}
