/// The first of the deepest attempts so far that is not spoilt, and how deep spoilt ones got.
///
/// Only the first to get as deep needs to be known. If an exclusion spoils it while its window is open, it spoils every later one that
/// stands on the same step too; if its window has passed before, it stays clean, and none that comes later counts before it.
final class BestAttempt {
    /// Steps that the deepest clean attempt reached, whether it has been spoilt since or not.
    private(set) var depth = 0
    /// Whether the times are those of a clean attempt.
    private(set) var isClean = false
    /// Whether it could still be spoilt.
    var isStanding = false
    private(set) var spoiltDepth = 0
    private(set) var taken: UInt32 = 0
    let times: UnsafeMutablePointer<Int64>

    init(stepCount: Int) {
        times = .allocate(capacity: stepCount)
        times.initialize(repeating: 0, count: stepCount)
    }

    deinit { times.deallocate() }

    func reset() {
        (depth, isClean, isStanding, spoiltDepth) = (0, false, false, 0)
    }

    var start: Int64 { times[0] }
    var last: Int64 { times[depth - 1] }

    /// Whether an attempt that takes `taken`, the last of them at `time`, comes before the one that is known.
    @inline(__always)
    func isBeaten(by taken: UInt32, start: Int64, at time: Int64) -> Bool {
        let depth = 32 - taken.leadingZeroBitCount
        if depth != self.depth { return depth > self.depth }
        if !isClean || last != time { return !isClean }
        return start > self.start || start == self.start && taken.nonzeroBitCount > self.taken.nonzeroBitCount
    }

    /// Takes an attempt that stands on a row after the row's steps and some more of one millisecond.
    func set(_ source: UnsafePointer<Int64>, _ taken: UInt32, adding steps: UInt32, at time: Int64) {
        let all = taken | steps
        depth = 32 - all.leadingZeroBitCount
        times.update(from: source, count: 32 - taken.leadingZeroBitCount)
        var rest = steps
        while rest != 0 {
            times[rest.trailingZeroBitCount] = time
            rest &= rest - 1
        }
        self.taken = all
        (isClean, isStanding) = (true, true)
    }

    func spoil() {
        spoilt(depth)
        isClean = false
    }

    /// Notes that a spoilt attempt got so deep.
    func spoilt(_ depth: Int) { spoiltDepth = max(spoiltDepth, depth) }
}
