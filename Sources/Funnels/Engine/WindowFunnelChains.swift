/// Counts one key's level as ClickHouse's `windowFunnel` does, mode by mode (`--compat clickhouse`).
///
/// The rules are those of its documentation and of what the engine itself answers: events are looked at by time, and in one
/// time by rising step; an event that fits several steps comes once for each of them; under `strict_order` one that fits none
/// comes first. A level that was reached once stays reached.
final class WindowFunnelChains: ChainEngine {
    private enum Verdict { case goOn, stop(level: Int) }

    private var rules: ChainRules
    private let (deduplicates, ordersStrictly, increases): (Bool, Bool, Bool)
    private let rows: ChainRows
    private let chain: FunnelChain
    private let count: Int
    /// How many events of the millisecond fit each step.
    private var fitting: [Int]

    init(_ definition: FunnelDefinition, _ modes: Set<FunnelCompat.WindowFunnelMode>) {
        rules = ChainRules(definition)
        deduplicates = modes.contains(.deduplication)
        ordersStrictly = modes.contains(.order)
        increases = modes.contains(.increase)
        count = definition.steps.count
        rows = ChainRows(stepCount: count)
        chain = FunnelChain(stepCount: count)
        fitting = Array(repeating: 0, count: count)
    }

    func limitStarts(to starts: StartRange) { rules.starts = starts }

    /// - Complexity: O(events), at a given number of steps.
    func follow(_ events: UnsafeBufferPointer<StepEvent>, dataEnd: Int64, _ body: (FunnelChain) -> Void) {
        rows.alive = 0
        var (level, ended) = (0, false)
        events.forEachMoment { moment, time in
            if case .stop(let reached) = take(moment, at: time) { (level, ended) = (reached, true) }
            return !ended
        }
        if !ended { level = reached }
        guard level > 0 else { return }
        chain.set(depth: level, taken: rows.steps(level - 1), times: rows.times(level - 1), previous: rules.layout.previous)
        chain.isOpen = !ended && rules.isOpen(start: rows.start(0), last: rows.start(0), dataEnd: dataEnd)
        body(chain)
    }

    /// The highest level that was reached.
    private var reached: Int { 32 - rows.alive.leadingZeroBitCount }

    private func take(_ events: UnsafeBufferPointer<StepEvent>.SubSequence, at time: Int64) -> Verdict {
        var union: UInt32 = 0
        for event in events {
            union |= event.steps
            if event.steps == 0 && ordersStrictly && rows.alive != 0 { return .stop(level: reached) }
        }
        if deduplicates { countFitting(events) }
        for step in union.bitNumbers {
            // A second event of the same step and time only matters where repetitions do.
            for _ in 0..<(deduplicates ? min(fitting[step], 2) : 1) {
                if case .stop(let level) = take(step, at: time) { return .stop(level: level) }
            }
        }
        return .goOn
    }

    private func take(_ step: Int, at time: Int64) -> Verdict {
        if step == 0 {
            if rules.mayStart(at: time) { rows.begin(at: time) }
        } else if deduplicates && rows.isAlive(step) {
            return .stop(level: reached)
        } else if rows.isAlive(step - 1) {
            guard UInt64(bitPattern: time &- rows.start(step - 1)) <= rules.window else { return .goOn }
            if increases && rows.last(step - 1) >= time { return .goOn }
            rows.extend(step - 1, to: step, taking: 1 << UInt32(step), at: time)
            if step + 1 == count { return .stop(level: count) }
        } else if ordersStrictly && rows.alive != 0 {
            return .stop(level: (~rows.alive).trailingZeroBitCount)
        }
        return .goOn
    }

    private func countFitting(_ events: UnsafeBufferPointer<StepEvent>.SubSequence) {
        for step in 0..<count { fitting[step] = 0 }
        for event in events {
            for step in event.steps.bitNumbers { fitting[step] += 1 }
        }
    }
}
