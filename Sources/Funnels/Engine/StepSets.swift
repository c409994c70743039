/// A bag of events, each known only by the steps that it fits. Says how many steps its events can fill, each event at most one.
///
/// Events that share a millisecond or a window stand in any order, so steps can be filled if and only if each can be matched to an event
/// of its own: a bipartite matching, grown step by step along augmenting paths (Kuhn's algorithm).
struct StepSets {
    private let stepCount: Int
    /// Events that fit the same steps are of one kind.
    private var kinds: [UInt32] = []
    private var counts: [Int] = []
    private(set) var union: UInt32 = 0
    /// How many events fit each step.
    private var perStep: [Int]
    /// How many events fit several steps; if none does, the events can fill all steps of ``union``.
    private var overlapping = 0
    private var last = 0
    /// The steps that each kind's events fill, and whether the search for an event has met each kind.
    private var owners: [[Int]] = []
    private var seen: [Bool] = []

    init(stepCount: Int) {
        self.stepCount = stepCount
        perStep = Array(repeating: 0, count: stepCount)
    }

    mutating func removeAll() {
        kinds.removeAll(keepingCapacity: true)
        counts.removeAll(keepingCapacity: true)
        for step in perStep.indices { perStep[step] = 0 }
        union = 0
        overlapping = 0
    }

    mutating func add(_ steps: UInt32) { change(steps, by: 1) }

    mutating func remove(_ steps: UInt32) { if steps != 0 { change(steps, by: -1) } }

    /// How many steps distinct events can fill.
    mutating func size() -> Int {
        guard overlapping > 0 else { return union.nonzeroBitCount }
        beginMatching()
        return union.bitNumbers.reduce(0) { fill($1) ? $0 + 1 : $0 }
    }

    /// Adds an event if that lets more steps be filled; says whether it does.
    mutating func grows(with steps: UInt32) -> Bool {
        // Once all steps are filled, nothing can grow.
        let before = size()
        guard before < stepCount else { return false }
        add(steps)
        if size() > before { return true }
        remove(steps)
        return false
    }

    /// The end of the longest run of steps from `step` on that the events can fill; `step` itself if there is none. Steps count from 0.
    mutating func end(ofRunFrom step: Int) -> Int {
        guard step < stepCount else { return step }
        if overlapping == 0 { return step + (~(union >> UInt32(step))).trailingZeroBitCount }
        beginMatching()
        var next = step
        while next < stepCount && fill(next) { next += 1 }
        return next
    }

    /// Begins a matching that ``fill(_:)`` grows.
    mutating func beginMatching() { if overlapping > 0 { owners = Array(repeating: [], count: kinds.count) } }

    /// Finds an event for one more step, so that each step filled before keeps one, too. To be called once for each step.
    mutating func fill(_ step: Int) -> Bool {
        guard union >> UInt32(step) & 1 == 1 else { return false }
        guard overlapping > 0 else { return true }
        seen = Array(repeating: false, count: kinds.count)
        return find(step)
    }

    /// Finds an event for a step. It moves other steps to other events where that frees one.
    private mutating func find(_ step: Int) -> Bool {
        for kind in kinds.indices where counts[kind] > 0 && !seen[kind] && kinds[kind] >> UInt32(step) & 1 == 1 {
            seen[kind] = true
            if owners[kind].count < counts[kind] {
                owners[kind].append(step)
                return true
            }
            for index in owners[kind].indices where find(owners[kind][index]) {
                owners[kind][index] = step
                return true
            }
        }
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
}
