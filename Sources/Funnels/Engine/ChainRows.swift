/// One attempt for each step: of those that stand on the step the one with the latest start, which can do whatever the others
/// can, for longer. Steps are numbered from 0.
final class ChainRows {
    let stepCount: Int
    /// Rows on which an attempt stands, as bits.
    var alive: UInt32 = 0
    private let times: UnsafeMutablePointer<Int64>
    private let taken: UnsafeMutablePointer<UInt32>

    init(stepCount: Int) {
        self.stepCount = stepCount
        times = .allocate(capacity: stepCount * stepCount)
        times.initialize(repeating: 0, count: stepCount * stepCount)
        taken = .allocate(capacity: stepCount)
        taken.initialize(repeating: 0, count: stepCount)
    }

    deinit {
        times.deallocate()
        taken.deallocate()
    }

    @inline(__always)
    func isAlive(_ row: Int) -> Bool { alive >> UInt32(row) & 1 == 1 }
    @inline(__always)
    func start(_ row: Int) -> Int64 { times[row * stepCount] }
    @inline(__always)
    func last(_ row: Int) -> Int64 { times[row * stepCount + row] }
    /// When each step was taken; those count that ``steps(_:)`` has.
    func times(_ row: Int) -> UnsafePointer<Int64> { UnsafePointer(times + row * stepCount) }
    func steps(_ row: Int) -> UInt32 { taken[row] }

    /// Begins an attempt.
    func begin(at time: Int64) {
        times[0] = time
        taken[0] = 1
        alive |= 1
    }

    /// Lets the attempt of `source` stand on `row`, after it has taken `steps` (up to `row`) at `time`.
    func extend(_ source: Int, to row: Int, taking steps: UInt32, at time: Int64) {
        let target = times + row * stepCount
        target.update(from: times + source * stepCount, count: source + 1)
        let new = steps & (.max >> UInt32(31 - row))
        taken[row] = taken[source] | new
        for step in new.bitNumbers { target[step] = time }
        alive |= 1 << UInt32(row)
    }

    /// Takes over a row of others as it is.
    func copy(_ row: Int, of other: ChainRows) {
        (times + row * stepCount).update(from: other.times(row), count: row + 1)
        taken[row] = other.steps(row)
        alive |= 1 << UInt32(row)
    }

    /// Takes over a row of others after its attempt has taken `steps` (up to `row`) at `time`.
    func copy(_ source: Int, of other: ChainRows, to row: Int, taking steps: UInt32, at time: Int64) {
        let target = times + row * stepCount
        target.update(from: other.times(source), count: source + 1)
        for step in (source + 1)...row { target[step] = time }
        taken[row] = other.steps(source) | steps
        alive |= 1 << UInt32(row)
    }

    /// Takes the attempts of some rows away.
    func end(_ rows: UInt32) { alive &= ~rows }
}
