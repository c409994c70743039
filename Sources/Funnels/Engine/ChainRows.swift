/// One attempt for each step: of those that stand on the step the one with the latest start, which can do whatever the others
/// can, for longer. Steps are numbered from 0, and an attempt has taken all up to its own.
final class ChainRows {
    let stepCount: Int
    /// Rows on which an attempt stands, as bits.
    var alive: UInt32 = 0
    private let times: UnsafeMutablePointer<Int64>

    init(stepCount: Int) {
        self.stepCount = stepCount
        times = .allocate(capacity: stepCount * stepCount)
        times.initialize(repeating: 0, count: stepCount * stepCount)
    }

    deinit { times.deallocate() }

    @inline(__always)
    func isAlive(_ row: Int) -> Bool { alive >> UInt32(row) & 1 == 1 }
    @inline(__always)
    func start(_ row: Int) -> Int64 { times[row * stepCount] }
    @inline(__always)
    func last(_ row: Int) -> Int64 { times[row * stepCount + row] }
    /// When each step was taken.
    func times(_ row: Int) -> UnsafePointer<Int64> { UnsafePointer(times + row * stepCount) }

    /// Begins an attempt.
    func begin(at time: Int64) {
        times[0] = time
        alive |= 1
    }

    /// Lets the attempt of `source`, in these rows or in others, stand on `row`, after it has taken all steps behind its own at `time`.
    func extend(_ source: Int, of other: ChainRows? = nil, to row: Int, at time: Int64) {
        let target = times + row * stepCount
        target.update(from: (other ?? self).times(source), count: source + 1)
        for step in source + 1..<row + 1 { target[step] = time }
        alive |= 1 << UInt32(row)
    }
}
