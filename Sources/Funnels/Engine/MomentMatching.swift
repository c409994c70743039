/// Which runs of steps the events of one millisecond can fill, each event at most one step.
///
/// Events that share a millisecond stand in any order, so a run of steps can be filled exactly if its steps can be matched
/// to distinct events: a bipartite matching, grown step by step along augmenting paths (Kuhn's algorithm).
///
/// Of many events only the first few per step are kept: with as many candidates as there are steps, a step always finds a
/// free one, so the rest change nothing. That keeps the work linear in the events, however many share a millisecond.
final class MomentMatching {
    private let stepCount: Int
    /// The steps that each kept event fits, and the step that it fills in the matching being grown.
    private var candidates: [UInt32] = []
    private var owners: [Int8] = []
    /// In which search an event was last seen.
    private var seen: [UInt32] = []
    private var search: UInt32 = 0
    private var kept: [Int]
    private(set) var union: UInt32 = 0
    /// Whether some event fits several steps; if none does, a run is just a run of bits in the union.
    private(set) var overlaps = false

    init(stepCount: Int) {
        self.stepCount = stepCount
        kept = Array(repeating: 0, count: stepCount)
    }

    /// Takes the events of another millisecond instead of those before.
    ///
    /// - Parameter layout: leaves of each event's steps only those that can be taken; `nil` leaves all.
    func load(_ events: UnsafeBufferPointer<StepEvent>.SubSequence, by layout: StepLayout? = nil) {
        union = 0
        overlaps = false
        candidates.removeAll(keepingCapacity: true)
        for step in kept.indices { kept[step] = 0 }
        for event in events { note(layout?.narrowed(event.steps) ?? event.steps) }
        guard overlaps else { return }
        for event in events { keep(layout?.narrowed(event.steps) ?? event.steps) }
        seen = Array(repeating: 0, count: candidates.count)
        search = 0
    }

    private func note(_ steps: UInt32) {
        union |= steps
        overlaps = overlaps || steps & (steps &- 1) != 0
    }

    private func keep(_ steps: UInt32) {
        var wanted = false
        for step in steps.bitNumbers {
            if kept[step] < stepCount {
                kept[step] += 1
                wanted = true
            }
        }
        if wanted { candidates.append(steps) }
    }

    /// Begins a matching that ``add(_:)`` grows.
    func beginMatching() {
        if overlaps { owners = Array(repeating: -1, count: candidates.count) }
    }

    /// Finds an event for one more step; those added before keep one each. A step is added once.
    func add(_ step: Int) -> Bool {
        guard union >> UInt32(step) & 1 == 1 else { return false }
        guard overlaps else { return true }
        search += 1
        return fill(step)
    }

    /// The first step after a run from `step` that the events can fill: `step` itself if they cannot fill even that one.
    ///
    /// Steps are numbered from 0.
    func end(ofRunFrom step: Int) -> Int {
        guard step < stepCount else { return step }
        if !overlaps { return step + (~(union >> UInt32(step))).trailingZeroBitCount }
        beginMatching()
        var next = step
        while next < stepCount && add(next) { next += 1 }
        return next
    }

    /// Finds an event for `step`, moving other steps of the run to other events where that frees one.
    private func fill(_ step: Int) -> Bool {
        for index in candidates.indices where candidates[index] >> UInt32(step) & 1 == 1 && seen[index] != search {
            seen[index] = search
            if owners[index] < 0 || fill(Int(owners[index])) {
                owners[index] = Int8(step)
                return true
            }
        }
        return false
    }
}
