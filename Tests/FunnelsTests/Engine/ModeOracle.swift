@testable import Funnels

/// Counts in every mode as the definition's text says, slowly: it follows each attempt on its own, in every order
/// of the events that share a millisecond. `FunnelOracle` does the same for plain ordered funnels.
struct ModeOracle {
    /// One attempt, as far as it got.
    struct Attempt: Equatable {
        /// The time of each step that was taken, by step.
        var taken: [Int: Int64] = [:]
        var last = 0
        var isSpoilt = false
        /// Whether it can go on, or be spoilt.
        var isStanding = true

        var depth: Int { last + 1 }
        var start: Int64 { taken[0] ?? 0 }
        var end: Int64 { taken[last] ?? 0 }
    }

    var optional: [Bool]
    var window: Int64
    var stepWindow: Int64?
    var isStrict = false
    /// For each exclusion the steps on which it holds (from 0), and whether it spoils.
    var exclusions: [(steps: Range<Int>, spoils: Bool)] = []
    var since = Int64.min
    var until = Int64.max

    /// The step that an attempt takes with an event: the deepest one up to its next required step; `nil` if there is none.
    func target(after step: Int, _ event: StepEvent) -> Int? {
        let next = optional.indices.first { $0 > step && !optional[$0] } ?? optional.count - 1
        return (step + 1...max(next, step + 1)).last { $0 <= next && event.steps >> UInt32($0) & 1 == 1 }
    }

    func hasTime(_ attempt: Attempt, at time: Int64) -> Bool {
        time - attempt.start <= window && time - attempt.end <= stepWindow ?? .max
    }

    /// Ends or spoils an attempt by the exclusions of one millisecond; spoiling comes first.
    func exclude(_ attempt: inout Attempt, _ events: [StepEvent], at time: Int64) {
        let found = exclusions.enumerated().filter { place, exclusion in
            exclusion.steps.contains(attempt.last) && events.contains { $0.time == time && $0.exclusions >> UInt32(place) & 1 == 1 }
        }
        guard attempt.isStanding, !found.isEmpty, hasTime(attempt, at: time) else { return }
        if found.contains(where: \.element.spoils) { attempt.isSpoilt = true }
        if found.contains(where: { !$0.element.spoils }) { attempt.isStanding = false }
    }

    /// The attempt that one key counts with, in the most favourable order of its events; `nil` where the key does not count.
    func best(_ events: [StepEvent]) -> Attempt? {
        var best: Attempt?
        for order in FunnelOracle.orders(of: events.filter { isStrict || $0.steps != 0 }) {
            if let found = result(in: order, all: events), best.map({ isBetter(found, than: $0) }) ?? true { best = found }
        }
        return best
    }

    /// The best clean attempt; `nil` if there is none or a spoilt attempt got further.
    private func result(in order: [StepEvent], all events: [StepEvent]) -> Attempt? {
        let starts = order.indices.filter { order[$0].steps & 1 == 1 && order[$0].time >= since && order[$0].time < until }
        let attempts = starts.map { attempt(in: order, from: $0, all: events) }
        let spoiltDepth = attempts.filter(\.isSpoilt).map(\.depth).max() ?? 0
        let best = attempts.filter { !$0.isSpoilt }
            .reduce(nil as Attempt?) { best, attempt in best.map { isBetter(attempt, than: $0) ? attempt : $0 } ?? attempt }
        return best.flatMap { $0.depth >= spoiltDepth ? $0 : nil }
    }

    private func attempt(in order: [StepEvent], from start: Int, all events: [StepEvent]) -> Attempt {
        var attempt = Attempt(taken: [0: order[start].time])
        if optional.count == 1 { return attempt }
        // An exclusion comes before all other events of its millisecond, so that one in the start's millisecond comes before the start.
        var later = Set(events.map(\.time)).filter { $0 > attempt.start }.sorted()
        for event in order[(start + 1)...] {
            while let time = later.first, time <= event.time { exclude(&attempt, events, at: later.removeFirst()) }
            guard attempt.isStanding, hasTime(attempt, at: event.time) else { break }
            if let target = target(after: attempt.last, event) {
                attempt.taken[target] = event.time
                attempt.last = target
                // A spoilt attempt takes one more step, the last that counts.
                if target == optional.count - 1 || attempt.isSpoilt { return attempt }
            } else if isStrict {
                attempt.isStanding = false
            }
        }
        for time in later { exclude(&attempt, events, at: time) }
        return attempt
    }

    /// The better attempt is deeper, else gets there first, else starts later, else has more steps, else has earlier steps.
    func isBetter(_ a: Attempt, than b: Attempt) -> Bool {
        if a.depth != b.depth { return a.depth > b.depth }
        if a.end != b.end { return a.end < b.end }
        if a.start != b.start { return a.start > b.start }
        if a.taken.count != b.taken.count { return a.taken.count > b.taken.count }
        let (steps, others) = (a.taken.keys.sorted(), b.taken.keys.sorted())
        if steps != others { return steps.lexicographicallyPrecedes(others) }
        return steps.compactMap { a.taken[$0] }.lexicographicallyPrecedes(steps.compactMap { b.taken[$0] })
    }
}
