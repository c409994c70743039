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
    private var overlaps = false

    init(stepCount: Int) {
        self.stepCount = stepCount
        kept = Array(repeating: 0, count: stepCount)
    }

    /// Takes the events of another millisecond in place of those before.
    func load(_ events: UnsafeBufferPointer<StepEvent>.SubSequence) {
        union = 0
        overlaps = false
        for event in events {
            union |= event.steps
            overlaps = overlaps || event.steps & (event.steps - 1) != 0
        }
        guard overlaps else { return }
        candidates.removeAll(keepingCapacity: true)
        for step in 0..<stepCount { kept[step] = 0 }
        for event in events {
            var wanted = false
            var bits = event.steps
            while bits != 0 {
                let step = bits.trailingZeroBitCount
                bits &= bits - 1
                if kept[step] < stepCount {
                    kept[step] += 1
                    wanted = true
                }
            }
            if wanted { candidates.append(event.steps) }
        }
        seen = Array(repeating: 0, count: candidates.count)
        search = 0
    }

    /// The first step after a run from `step` that the events can fill: `step` itself if they cannot fill even that one.
    ///
    /// Steps are numbered from 0.
    func end(ofRunFrom step: Int) -> Int {
        guard step < stepCount else { return step }
        if !overlaps { return step + (~(union >> UInt32(step))).trailingZeroBitCount }
        owners = Array(repeating: -1, count: candidates.count)
        var next = step
        while next < stepCount && union >> UInt32(next) & 1 == 1 {
            search += 1
            if !fill(next) { break }
            next += 1
        }
        return next
    }

    /// Finds an event for `step`, moving other steps of the run to other events where that frees one.
    private func fill(_ step: Int) -> Bool {
        for place in candidates.indices where candidates[place] >> UInt32(step) & 1 == 1 && seen[place] != search {
            seen[place] = search
            if owners[place] < 0 || fill(Int(owners[place])) {
                owners[place] = Int8(step)
                return true
            }
        }
        return false
    }
}
