/// Follows all attempts of one key through optional steps, exclusions that end, step windows and strict order, in one pass.
///
/// ``OrderedChains`` does the plain case faster. Attempts that stand on one step move on together, so an event moves each attempt at most
/// once to each step. An attempt that takes several events of one millisecond may stand on several of their steps: in another order of the
/// events it got no further, and with an exclusion or a step window that can be the better step to go on from.
final class GeneralChains: ChainEngine {
    private var rules: ChainRules
    private let matching: MomentMatching
    private var orders = MomentOrders()
    private var rows: AttemptRows
    private let best: BestAttempt
    private let chain: FunnelChain

    init(_ definition: FunnelDefinition) {
        let count = definition.steps.count
        rules = ChainRules(definition)
        matching = MomentMatching(stepCount: count)
        rows = AttemptRows(stepCount: count, hasStepWindow: rules.stepWindow != .max)
        best = BestAttempt(stepCount: count)
        chain = FunnelChain(stepCount: count)
    }

    func limitStarts(to starts: StartRange) { rules.starts = starts }

    /// - Complexity: O(events), at a given number of steps.
    func follow(_ events: UnsafeBufferPointer<StepEvent>, dataEnd: Int64, _ body: (FunnelChain) -> Void) {
        rows.removeAll()
        best.reset()
        events.forEachMoment { moment, time in
            let exclusions = moment.exclusions
            if exclusions != 0 { exclude(exclusions, at: time) }
            if moment.count == 1 { take(moment[moment.startIndex]) } else { take(moment, at: time) }
            // The first to take the last step is the result: nothing after it can change that.
            return best.depth < rules.layout.count
        }
        let isOpen = isOpen(dataEnd: dataEnd)
        for row in 0..<rules.layout.count { rows.leave(row) { rows, attempt in retire(&rows, attempt) } }
        guard best.depth > 0 else { return }
        chain.set(depth: best.depth, taken: best.taken, times: best.times, previous: rules.layout.previous)
        chain.isOpen = isOpen
        body(chain)
    }

    private func isOpen(dataEnd: Int64) -> Bool {
        (0..<rules.layout.count).contains { row in
            rows.attempts(on: row).contains { rules.isOpen(start: rows.start($0), last: rows.last($0, on: row), dataEnd: dataEnd) }
        }
    }

    /// Notes an attempt that goes no further.
    private func retire(_ rows: inout AttemptRows, _ attempt: Int) {
        rows.with(attempt) { best.note($0, $1) }
        rows.forget(attempt)
    }

    /// Lets an attempt stand on a step, unless that is the last: then it has converted.
    private func stand(_ rows: inout AttemptRows, _ attempt: Int, on row: Int) {
        if row + 1 == rules.layout.count { return retire(&rows, attempt) }
        rows.stand(attempt, on: row) { rows, attempt in retire(&rows, attempt) }
    }

    private func hasTime(_ rows: AttemptRows, _ attempt: Int, on row: Int, at time: Int64) -> Bool {
        rules.allows(start: rows.start(attempt), last: rows.last(attempt, on: row), at: time)
    }

    private func exclude(_ exclusions: UInt32, at time: Int64) {
        forEachRow(of: rows.alive & rules.standing(exclusions, in: rules.ending)) { row in
            rows.leave(row) { rows, attempt in retire(&rows, attempt) }
        }
    }

    /// One event alone in its millisecond: the deepest step takes it first.
    private func take(_ event: StepEvent) {
        let wanted = rules.layout.narrowed(event.steps)
        forEachRow(of: rows.alive) { row in
            let target = rules.layout.target(from: row, of: wanted)
            if target == nil && !rules.isStrict { return }
            rows.leave(row) { rows, attempt in
                guard let target, hasTime(rows, attempt, on: row, at: event.time) else { return retire(&rows, attempt) }
                rows.take(1 << UInt32(target), by: attempt, at: event.time)
                stand(&rows, attempt, on: target)
            }
        }
        if wanted & 1 == 1 && rules.mayStart(at: event.time) { stand(&rows, rows.begin(at: event.time), on: 0) }
    }

    /// Several events in one millisecond, in the most favourable order for each attempt.
    private func take(_ events: UnsafeBufferPointer<StepEvent>.SubSequence, at time: Int64) {
        let layout = rules.layout
        matching.load(events, by: layout)
        if !rules.isStrict { orders.load(events, by: layout) }
        forEachRow(of: rows.alive) { row in
            let furthest = matching.furthest(from: row, layout)
            if furthest == 0 && !rules.isStrict { return }
            let ends = furthest == 0 ? [] : ends(from: row, furthest: furthest, events)
            rows.leave(row) { rows, attempt in
                guard hasTime(rows, attempt, on: row, at: time) else { return retire(&rows, attempt) }
                for end in ends {
                    let copy = rows.copy(attempt, from: row)
                    rows.take(end.taken, by: copy, at: time)
                    stand(&rows, copy, on: end.row)
                }
                // Where it gets furthest it may have to end.
                if furthest != 0 && ends.first?.row == 31 - furthest.leadingZeroBitCount { return rows.forget(attempt) }
                rows.take(furthest, by: attempt, at: time)
                retire(&rows, attempt)
            }
        }
        guard matching.union & 1 == 1 && rules.mayStart(at: time) else { return }
        // What comes before the start is not taken, so it may stand wherever it gets.
        for end in 0..<layout.count {
            guard let taken = matching.steps(from: -1, to: end, taking: nil, layout) else { continue }
            let attempt = rows.begin(at: time)
            rows.take(taken & ~1, by: attempt, at: time)
            stand(&rows, attempt, on: end)
        }
    }

    /// Where an attempt may stand after the millisecond, deepest first, and the steps that it took on the way. In strict order it goes on
    /// only if it takes all events.
    private func ends(
        from row: Int, furthest: UInt32, _ events: UnsafeBufferPointer<StepEvent>.SubSequence
    ) -> [(row: Int, taken: UInt32)] {
        let run = (.max >> UInt32(furthest.leadingZeroBitCount)) & (UInt32.max << UInt32(row + 1))
        let possible = rules.isStrict ? (events.allSatisfy { $0.steps != 0 } ? run : 0) : orders.ends(from: row, rules.layout) ?? furthest
        var ends: [(row: Int, taken: UInt32)] = []
        forEachRow(of: possible) { end in
            let taken = matching.steps(from: row, to: end, taking: rules.isStrict ? events.count : nil, rules.layout)
            if let taken { ends.append((end, taken)) }
        }
        return ends
    }

    /// Deepest first, so that no attempt is met twice: they only go to deeper rows.
    private func forEachRow(of rows: UInt32, _ body: (Int) -> Void) {
        var rest = rows
        while rest != 0 {
            let row = 31 - rest.leadingZeroBitCount
            rest &= ~(1 << UInt32(row))
            body(row)
        }
    }
}
