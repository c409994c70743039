/// One row for each step, numbered from 0, with one of the attempts that stand there: the one with the latest start, which can do
/// whatever the others can, for longer. It has taken all steps up to its own.
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
    /// When the attempt of a row took each of its steps.
    func times(_ row: Int) -> UnsafePointer<Int64> { UnsafePointer(times + row * stepCount) }

    /// Begins an attempt in row 0.
    func begin(at time: Int64) {
        times[0] = time
        alive |= 1
    }

    /// Copies the attempt in row `source`, of these rows or of `other`, to `row`. There it has taken all steps after `source` at `time`.
    func extend(_ source: Int, of other: ChainRows? = nil, to row: Int, at time: Int64) {
        let target = times + row * stepCount
        target.update(from: (other ?? self).times(source), count: source + 1)
        for step in source + 1..<row + 1 { target[step] = time }
        alive |= 1 << UInt32(row)
    }
}
