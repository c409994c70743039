/// The attempts of one key that can still go on, by the step on which they stand. Steps are numbered from 0.
///
/// An attempt goes where another on its step can do whatever it can.
struct AttemptRows {
    private let count: Int
    private let hasStepWindow: Bool
    /// For each attempt when it took each step, and which it took.
    private var times: [Int64] = []
    private var taken: [UInt32] = []
    private var free: [Int] = []
    /// For each step the attempts that stand there.
    private var rows: [[Int]]
    /// Steps on which an attempt stands, as bits.
    private(set) var alive: UInt32 = 0
    private var leaving: [Int] = []

    init(stepCount: Int, hasStepWindow: Bool) {
        count = stepCount
        self.hasStepWindow = hasStepWindow
        rows = Array(repeating: [], count: stepCount)
    }

    mutating func removeAll() {
        for row in rows.indices { rows[row].removeAll(keepingCapacity: true) }
        times.removeAll(keepingCapacity: true)
        taken.removeAll(keepingCapacity: true)
        free.removeAll(keepingCapacity: true)
        alive = 0
    }

    func start(_ attempt: Int) -> Int64 { times[attempt * count] }
    func last(_ attempt: Int, on row: Int) -> Int64 { times[attempt * count + row] }
    func attempts(on row: Int) -> [Int] { rows[row] }

    /// Calls `body` with the times and the steps of an attempt.
    func with(_ attempt: Int, _ body: (UnsafePointer<Int64>, UInt32) -> Void) {
        times.withUnsafeBufferPointer { all in
            guard let base = all.baseAddress else { return }
            body(base + attempt * count, taken[attempt])
        }
    }

    /// Takes the attempts away that stand on a step; `body` gets each and says where it stands after that, if anywhere.
    mutating func leave(_ row: Int, _ body: (inout AttemptRows, Int) -> Void) {
        var moving: [Int] = []
        swap(&moving, &leaving)
        swap(&moving, &rows[row])
        alive &= ~(1 << UInt32(row))
        for attempt in moving { body(&self, attempt) }
        moving.removeAll(keepingCapacity: true)
        // The row has an array again; what it got meanwhile is none, for attempts only go to later rows.
        swap(&moving, &leaving)
    }

    /// A new attempt that begins at `time`, and stands nowhere yet.
    mutating func begin(at time: Int64) -> Int {
        let attempt = slot()
        times[attempt * count] = time
        taken[attempt] = 1
        return attempt
    }

    /// Another attempt that has done the same up to `row`.
    mutating func copy(_ attempt: Int, from row: Int) -> Int {
        let copy = slot()
        for step in 0...row { times[copy * count + step] = times[attempt * count + step] }
        taken[copy] = taken[attempt]
        return copy
    }

    mutating func take(_ steps: UInt32, by attempt: Int, at time: Int64) {
        taken[attempt] |= steps
        for step in steps.bitNumbers { times[attempt * count + step] = time }
    }

    mutating func forget(_ attempt: Int) { free.append(attempt) }

    /// Lets an attempt stand on a row; `body` gets each attempt that is not needed any more, perhaps itself.
    mutating func stand(_ attempt: Int, on row: Int, _ body: (inout AttemptRows, Int) -> Void) {
        alive |= 1 << UInt32(row)
        var other = rows[row].count - 1
        while other >= 0 {
            if replaces(rows[row][other], attempt, on: row) { return body(&self, attempt) }
            if replaces(attempt, rows[row][other], on: row) { body(&self, rows[row].remove(at: other)) }
            other -= 1
        }
        rows[row].append(attempt)
    }

    /// Whether whatever comes, the other attempt does no better.
    private func replaces(_ attempt: Int, _ other: Int, on row: Int) -> Bool {
        if hasStepWindow && last(attempt, on: row) < last(other, on: row) { return false }
        let (start, otherStart) = (start(attempt), start(other))
        if start != otherStart { return start > otherStart }
        let (steps, otherSteps) = (taken[attempt], taken[other])
        guard steps == otherSteps else { return steps.nonzeroBitCount >= otherSteps.nonzeroBitCount }
        return times.withUnsafeBufferPointer { all in
            guard let base = all.baseAddress else { return true }
            return !steps.precedes(base + other * count, base + attempt * count)
        }
    }

    private mutating func slot() -> Int {
        if let attempt = free.popLast() { return attempt }
        taken.append(0)
        times.append(contentsOf: repeatElement(0, count: count))
        return taken.count - 1
    }
}
