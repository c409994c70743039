@testable import Funnels

/// Every way to count straight from the definition's text, slow and without a thought of speed: each attempt followed on its own,
/// in every order of the events that share a millisecond. `FunnelOracle` does the same for plain ordered funnels.
struct ModeOracle {
    /// One attempt, or what came of it.
    struct Attempt: Equatable {
        /// Step and time of each step that was taken, in order.
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
    /// Of each exclusion the steps on which it holds, from 0, and whether it spoils.
    var exclusions: [(steps: Range<Int>, spoils: Bool)] = []
    var since = Int64.min
    var until = Int64.max

    /// Of the steps of an event the one that an attempt takes: the deepest up to its next required step.
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

    /// The best attempt of one key whose exclusions only end attempts.
    func best(_ events: [StepEvent]) -> Attempt? {
        var best: Attempt?
        let withSteps = events.filter { isStrict || $0.steps != 0 }
        for order in FunnelOracle.orders(of: withSteps) {
            for start in order.indices where order[start].steps & 1 == 1 && order[start].time >= since && order[start].time < until {
                let found = attempt(in: order, from: start, all: events)
                if best.map({ isBetter(found, than: $0) }) ?? true { best = found }
            }
        }
        return best
    }

    private func attempt(in order: [StepEvent], from start: Int, all events: [StepEvent]) -> Attempt {
        var attempt = Attempt(taken: [0: order[start].time])
        // Exclusions stand before everything else of their millisecond; those of the start's own came before it.
        let later = Set(events.map(\.time)).filter { $0 > attempt.start }
        var excluded: Set<Int64> = []
        for event in order[(start + 1)...] {
            for time in later.sorted() where time <= event.time && excluded.insert(time).inserted { exclude(&attempt, events, at: time) }
            guard attempt.isStanding, hasTime(attempt, at: event.time) else { break }
            if let target = target(after: attempt.last, event) {
                attempt.taken[target] = event.time
                attempt.last = target
                if target == optional.count - 1 { break }
            } else if isStrict {
                break
            }
        }
        return attempt
    }

    /// Deepest, then first to get there, then the later start, then more steps, then the earlier steps.
    func isBetter(_ a: Attempt, than b: Attempt) -> Bool {
        if a.depth != b.depth { return a.depth > b.depth }
        if a.end != b.end { return a.end < b.end }
        if a.start != b.start { return a.start > b.start }
        if a.taken.count != b.taken.count { return a.taken.count > b.taken.count }
        let (steps, others) = (a.taken.keys.sorted(), b.taken.keys.sorted())
        if steps != others { return steps.lexicographicallyPrecedes(others) }
        return steps.compactMap { a.taken[$0] }.lexicographicallyPrecedes(steps.compactMap { b.taken[$0] })
    }

    /// The best attempt of one key, with exclusions that spoil; no two events that fit a step share a millisecond.
    ///
    /// Attempts move side by side here, for a later start replaces an earlier one on each step that it reaches, and a replaced
    /// attempt cannot keep a key in that a spoilt one takes out.
    func bestUnspoilt(_ events: [StepEvent]) -> Attempt? {
        var attempts: [Attempt] = []
        var spoiltDepth = 0
        for time in Set(events.map(\.time)).sorted() {
            for place in attempts.indices { exclude(&attempts[place], events, at: time) }
            guard let event = events.first(where: { $0.time == time && $0.steps != 0 }) else { continue }
            var moves: [Int: [Int]] = [:]
            for place in attempts.indices where attempts[place].isStanding && hasTime(attempts[place], at: time) {
                if let target = target(after: attempts[place].last, event) { moves[target, default: []].append(place) }
            }
            for (target, movers) in moves {
                let latest = movers.filter { !attempts[$0].isSpoilt }.max { attempts[$0].start < attempts[$1].start }
                for mover in movers {
                    if attempts[mover].isSpoilt || mover == latest {
                        attempts[mover].taken[target] = time
                        attempts[mover].last = target
                        // The next step is the last that counts.
                        if attempts[mover].isSpoilt { attempts[mover].isStanding = false }
                    } else {
                        attempts[mover].isStanding = false
                    }
                }
            }
            if event.steps & 1 == 1, time >= since, time < until { attempts.append(Attempt(taken: [0: time])) }
            if let converted = attempts.first(where: { !$0.isSpoilt && $0.depth == optional.count }) { return converted }
        }
        for attempt in attempts where attempt.isSpoilt { spoiltDepth = max(spoiltDepth, attempt.depth) }
        var best: Attempt?
        for attempt in attempts where !attempt.isSpoilt {
            if best.map({ isBetter(attempt, than: $0) }) ?? true { best = attempt }
        }
        return best.flatMap { $0.depth >= spoiltDepth ? $0 : nil }
    }
}
