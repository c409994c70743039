/// Follows all attempts of one key through optional steps, exclusions, step windows and strict order, in one pass.
///
/// As ``OrderedChains``, which does the plain case faster, it follows one attempt for each step. An attempt that takes several
/// events of one millisecond may stand on each of their steps: in another order of the events it got no further, and with an
/// exclusion or a step window that can be the better place to go on from.
final class GeneralChains: ChainEngine {
    let rules: ChainRules
    let matching: MomentMatching
    let rows: ChainRows
    let best: BestAttempt
    var spoilt: SpoiltAttempts
    private let isStrict: Bool
    private let hasExclusions: Bool
    private let chain: FunnelChain

    init(_ definition: FunnelDefinition) {
        let count = definition.steps.count
        rules = ChainRules(definition)
        matching = MomentMatching(stepCount: count)
        rows = ChainRows(stepCount: count)
        best = BestAttempt(stepCount: count)
        spoilt = SpoiltAttempts(stepCount: count)
        isStrict = definition.order.keepsUnmatched
        hasExclusions = !definition.exclusions.isEmpty
        chain = FunnelChain(stepCount: count)
    }

    var spoiltDepth: Int { best.spoiltDepth }

    /// - Complexity: O(events), at a given number of steps.
    func follow(_ events: UnsafeBufferPointer<StepEvent>, dataEnd: Int64, _ body: (FunnelChain) -> Void) {
        rows.alive = 0
        spoilt.removeAll()
        best.reset()
        var place = 0
        // The first clean one to take the last step is the result; nothing after it can change that.
        while place < events.count && !(best.isClean && best.depth == rules.layout.count) {
            let time = events[place].time
            var end = place
            var exclusions: UInt32 = 0
            while end < events.count && events[end].time == time {
                exclusions |= events[end].exclusions
                end += 1
            }
            if hasExclusions && exclusions != 0 { exclude(exclusions, at: time) }
            switch (isStrict, end == place + 1) {
            case (false, true): takeOrdered(events[place])
            case (false, false): takeOrdered(events[place..<end], at: time)
            case (true, true): takeStrict(events[place])
            case (true, false): takeStrict(events[place..<end], at: time)
            }
            place = end
        }
        guard best.isClean && best.depth >= best.spoiltDepth else { return }
        chain.set(depth: best.depth, taken: best.taken, times: best.times, previous: rules.layout.previous)
        chain.isOpen = isOpen(dataEnd: dataEnd)
        body(chain)
    }

    private func isOpen(dataEnd: Int64) -> Bool {
        (0..<rules.layout.count).contains { row in
            rows.isAlive(row) && rules.isOpen(start: rows.start(row), last: rows.last(row), dataEnd: dataEnd)
        }
    }

    /// Spoils and ends attempts; what ends one may have spoilt it in the same millisecond.
    private func exclude(_ exclusions: UInt32, at time: Int64) {
        let spoiling = rules.standing(exclusions, in: rules.spoiling)
        let ending = rules.standing(exclusions, in: rules.ending)
        var rest = rows.alive & (spoiling | ending)
        while rest != 0 {
            let row = rest.trailingZeroBitCount
            rest &= rest - 1
            guard rules.allows(start: rows.start(row), last: rows.last(row), at: time) else { continue }
            if spoiling >> UInt32(row) & 1 == 1 {
                spoilt.add(row, start: rows.start(row), last: rows.last(row))
                best.spoilt(row + 1)
            }
            rows.end(1 << UInt32(row))
        }
        spoilt.end(ending, at: time, rules)
        guard best.isClean, best.isStanding, rules.allows(start: best.start, last: best.last, at: time) else { return }
        if spoiling >> UInt32(best.depth - 1) & 1 == 1 { best.spoil() }
        if ending >> UInt32(best.depth - 1) & 1 == 1 { best.isStanding = false }
    }

    /// The row from which an attempt takes `step` now: of those that can the one with the latest start, then the one with most
    /// steps. `nil` if there is none.
    func source(of step: Int, at time: Int64) -> Int? {
        var source: Int?
        for row in stride(from: step - 1, through: rules.layout.previous[step], by: -1) where rows.isAlive(row) {
            if let source {
                if rows.start(source) > rows.start(row) { continue }
                if rows.start(source) == rows.start(row) && rows.steps(source).nonzeroBitCount >= rows.steps(row).nonzeroBitCount {
                    continue
                }
            }
            if rules.allows(start: rows.start(row), last: rows.last(row), at: time) { source = row }
        }
        return source
    }

    /// Lets the attempt of `source` stand on a row of `steps`, all of which it takes now up to that row.
    func move(_ source: Int, to row: Int, taking steps: UInt32, at time: Int64) {
        let isKept =
            rows.isAlive(row)
            && (rows.start(row) > rows.start(source)
                || rows.start(row) == rows.start(source) && rules.stepWindow == .max
                    && rows.steps(row).nonzeroBitCount >= (rows.steps(source) | steps & (.max >> UInt32(31 - row))).nonzeroBitCount)
        if !isKept { rows.extend(source, to: row, taking: steps, at: time) }
    }

    /// Notes what an attempt takes, if that makes it the best.
    func note(_ source: Int, taking steps: UInt32, at time: Int64) {
        if best.isBeaten(by: rows.steps(source) | steps, start: rows.start(source), at: time) {
            best.set(rows.times(source), rows.steps(source), adding: steps, at: time)
        }
    }
}
