/// Attempts that an exclusion has spoilt, until they take the one step that still counts: the latest for each step.
struct SpoiltAttempts {
    private(set) var alive: UInt32 = 0
    private var starts: [Int64]
    private var lasts: [Int64]

    init(stepCount: Int) {
        starts = Array(repeating: 0, count: stepCount)
        lasts = starts
    }

    mutating func add(_ row: Int, start: Int64, last: Int64) {
        if alive >> UInt32(row) & 1 == 1 && (start, last) < (starts[row], lasts[row]) { return }
        starts[row] = start
        lasts[row] = last
        alive |= 1 << UInt32(row)
    }

    mutating func removeAll() { alive = 0 }

    /// Appends all on which it depends what they can still take.
    func describe(to list: inout [Int64], withLasts: Bool) {
        list.append(Int64(alive))
        for row in starts.indices where alive >> UInt32(row) & 1 == 1 {
            list.append(starts[row])
            if withLasts { list.append(lasts[row]) }
        }
    }

    /// Lets those that want one of `steps` take it; the deepest step that one took, counted from 1, 0 if none did.
    mutating func move(_ steps: UInt32, at time: Int64, _ rules: ChainRules) -> Int {
        var deepest = 0
        for row in alive.bitNumbers {
            guard let target = rules.layout.target(from: row, of: steps) else { continue }
            alive &= ~(1 << UInt32(row))
            if rules.allows(start: starts[row], last: lasts[row], at: time) { deepest = max(deepest, target + 1) }
        }
        return deepest
    }

    /// Ends those that stand on one of `steps` and whose time has not passed.
    mutating func end(_ steps: UInt32, at time: Int64, _ rules: ChainRules) {
        for row in (alive & steps).bitNumbers where rules.allows(start: starts[row], last: lasts[row], at: time) {
            alive &= ~(1 << UInt32(row))
        }
    }
}
