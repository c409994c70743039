/// Follows all attempts of one key through its events in one pass (points 4 and 5 of ``FunnelDefinition``).
///
/// Attempts need not be followed one by one. On each step only the latest-started one matters: it can do whatever the others can, for
/// longer. So there is one row for each step, and an event costs as much as the steps it fits. See ``GeneralChains`` for what it cannot do.
final class OrderedChains: ChainEngine {
    private let stepCount: Int
    /// Unchecked, because nobody sets them while events are followed, and checks at each event cost a twentieth of the time.
    @exclusivity(unchecked) var rules: ChainRules
    private var moment: StepSets
    /// The most steps that an attempt has reached; the rows `0..<depth` hold attempts.
    private var depth = 0
    /// For each step, the latest-started of all attempts that reached it.
    private let rows: ChainRows
    /// The attempt that got to `depth` first.
    private let chain: FunnelChain

    init(_ definition: FunnelDefinition) {
        stepCount = definition.steps.count
        rules = ChainRules(definition)
        moment = StepSets(stepCount: stepCount)
        rows = ChainRows(stepCount: stepCount)
        chain = FunnelChain(stepCount: stepCount)
    }

    /// - Complexity: O(events), for a given number of steps.
    func follow(_ events: UnsafeBufferPointer<StepEvent>, dataEnd: Int64, _ body: (FunnelChain) -> Void) {
        depth = 0
        events.forEachMoment { moment, time in
            if moment.count == 1 { take(moment[moment.startIndex]) } else { take(moment, at: time) }
            // The first to convert is the result: nothing after it can change it.
            return depth < stepCount
        }
        guard depth > 0 else { return }
        chain.isOpen = depth < stepCount && rows.start(0).isOpen(for: rules.window, at: dataEnd)
        body(chain)
    }

    /// One event alone in its millisecond: the deepest step takes it first.
    private func take(_ event: StepEvent) {
        let before = depth
        // No attempt is further than `depth`, so none wants a later step.
        var wanted = before >= 31 ? event.steps : event.steps & ((2 << UInt32(before)) - 1)
        while wanted != 0 {
            let step = 31 - wanted.leadingZeroBitCount
            wanted &= ~(1 << UInt32(step))
            if step == 0 {
                if rules.mayStart(at: event.time) { begin(at: event.time) }
            } else if start(step - 1, reaches: event.time), step == before || rows.start(step) < rows.start(step - 1) {
                extend(step - 1, to: step + 1, at: event.time)
            }
        }
        if depth > before { keepBest() }
    }

    /// Several events in one millisecond, in the most favourable order for each attempt.
    private func take(_ events: UnsafeBufferPointer<StepEvent>.SubSequence, at time: Int64) {
        let before = depth
        moment.removeAll()
        for event in events { moment.add(event.steps) }
        // Deepest first: a later start then replaces an earlier one. An attempt writes only rows after its own: none is read once written.
        for step in stride(from: before - 1, through: 0, by: -1) {
            // Where the next step was reached by the same start, the attempt stands there and not here.
            if step + 1 < before && rows.start(step + 1) == rows.start(step) { continue }
            guard start(step, reaches: time) else { continue }
            let end = moment.end(ofRunFrom: step + 1)
            if end > step + 1 { extend(step, to: end, at: time) }
        }
        if moment.union & 1 == 1 && rules.mayStart(at: time) {
            let end = moment.end(ofRunFrom: 0)
            begin(at: time)
            if end > 1 { extend(0, to: end, at: time) }
        }
        if depth > before { keepBest() }
    }

    /// Whether `time` lies in the window of the attempt at `step`. As the start is never later, the difference fits an unsigned number.
    @inline(__always)
    private func start(_ step: Int, reaches time: Int64) -> Bool { UInt64(bitPattern: time &- rows.start(step)) <= rules.window }

    private func begin(at time: Int64) {
        rows.begin(at: time)
        depth = max(depth, 1)
    }

    /// Lets the attempt at `step` also stand on each step after it and before `end`, reached at `time`.
    private func extend(_ step: Int, to end: Int, at time: Int64) {
        for reached in (step + 1)..<end { rows.extend(step, to: reached, at: time) }
        depth = max(depth, end)
    }

    private func keepBest() { chain.set(depth: depth, times: rows.times(depth - 1), previous: rules.layout.previous) }
}
