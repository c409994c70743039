/// A bag of events, of each only which steps it fits, and how many steps can be shared out among them, one to an event.
struct StepSets {
    private let stepCount: Int
    private var kinds: [UInt32] = []
    private var counts: [Int] = []
    private(set) var union: UInt32 = 0
    /// How many events fit each step; where none fits two, the union is all there is to know.
    private var perStep: [Int]
    private var overlapping = 0
    private var last = 0

    init(stepCount: Int) {
        self.stepCount = stepCount
        perStep = Array(repeating: 0, count: stepCount)
    }

    mutating func removeAll() {
        for kind in counts.indices { counts[kind] = 0 }
        for step in perStep.indices { perStep[step] = 0 }
        union = 0
        overlapping = 0
    }

    mutating func add(_ steps: UInt32) { change(steps, by: 1) }

    mutating func remove(_ steps: UInt32) {
        if steps != 0 { change(steps, by: -1) }
    }

    /// How many steps distinct events can fill.
    func size() -> Int {
        guard overlapping > 0 else { return union.nonzeroBitCount }
        var owners = Array(repeating: [Int](), count: kinds.count)
        var size = 0
        for step in union.bitNumbers {
            var seen = Array(repeating: false, count: kinds.count)
            if fill(step, &owners, &seen) { size += 1 }
        }
        return size
    }

    /// Adds an event if that lets more steps be filled; says whether it does.
    mutating func grows(with steps: UInt32) -> Bool {
        // Without a step that is not filled yet nothing can grow.
        let before = size()
        guard before < stepCount else { return false }
        add(steps)
        if size() > before { return true }
        remove(steps)
        return false
    }

    private mutating func change(_ steps: UInt32, by difference: Int) {
        if !(last < kinds.count && kinds[last] == steps) {
            last = kinds.firstIndex(of: steps) ?? kinds.count
            if last == kinds.count {
                kinds.append(steps)
                counts.append(0)
            }
        }
        counts[last] += difference
        if steps & (steps &- 1) != 0 { overlapping += difference }
        for step in steps.bitNumbers {
            perStep[step] += difference
            if perStep[step] == 0 { union &= ~(1 << UInt32(step)) } else { union |= 1 << UInt32(step) }
        }
    }

    /// Finds an event for a step, moving other steps to other events where that frees one.
    private func fill(_ step: Int, _ owners: inout [[Int]], _ seen: inout [Bool]) -> Bool {
        for kind in kinds.indices where counts[kind] > 0 && !seen[kind] && kinds[kind] >> UInt32(step) & 1 == 1 {
            seen[kind] = true
            if owners[kind].count < counts[kind] {
                owners[kind].append(step)
                return true
            }
            for index in owners[kind].indices where fill(owners[kind][index], &owners, &seen) {
                owners[kind][index] = step
                return true
            }
        }
        return false
    }
}
