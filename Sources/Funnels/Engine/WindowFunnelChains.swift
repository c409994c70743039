/// Counts one key's level as ClickHouse's `windowFunnel` does, mode by mode (`--compat clickhouse`).
///
/// The level is how many steps the key reached; it stays reached. The rules follow ClickHouse's documentation and its answers. Events come
/// by time, in one millisecond by rising step: one that fits several steps for each, under `strict_order` first those that fit none.
class WindowFunnelChains: ChainEngine {
    final var rules: ChainRules
    let (deduplicates, ordersStrictly, increases): (Bool, Bool, Bool)
    /// The attempts so far; under `strict_once`, those before the current millisecond.
    let rows: ChainRows
    let count: Int
    /// Levels that were reached, as bits.
    private(set) final var levels: UInt32 = 0
    private let chain: FunnelChain

    init(_ definition: FunnelDefinition, _ modes: Set<FunnelCompat.WindowFunnelMode>) {
        rules = ChainRules(definition)
        deduplicates = modes.contains(.deduplication)
        ordersStrictly = modes.contains(.order)
        increases = modes.contains(.increase)
        count = definition.steps.count
        rows = ChainRows(stepCount: count)
        chain = FunnelChain(stepCount: count)
    }

    /// - Complexity: O(events), for a given number of steps.
    final func follow(_ events: UnsafeBufferPointer<StepEvent>, dataEnd: Int64, _ body: (FunnelChain) -> Void) {
        rows.alive = 0
        levels = 0
        var end: Int?
        events.forEachMoment { moment, time in
            let isBroken = ordersStrictly && levels != 0 && moment.contains { $0.steps == 0 }
            end = isBroken ? reached : take(moment, at: time)
            return end == nil
        }
        let level = end ?? reached
        guard level > 0 else { return }
        chain.set(depth: level, times: rows.times(level - 1), previous: rules.layout.previous)
        chain.isOpen = end == nil && rows.start(0).isOpen(for: rules.window, at: dataEnd)
        body(chain)
    }

    private var reached: Int { 32 - levels.leadingZeroBitCount }

    /// Takes the events of the next millisecond. Returns the level at which the key ends, or `nil` if it goes on.
    func take(_ events: UnsafeBufferPointer<StepEvent>.SubSequence, at time: Int64) -> Int? {
        let union = events.reduce(0) { $0 | $1.steps }
        for step in union.bitNumbers {
            if let level = take(step, with: 0, at: time) { return level }
            // A second event of the same step and time matters only where a repetition ends the funnel.
            guard deduplicates, events.count(where: { $0.steps >> UInt32(step) & 1 == 1 }) > 1 else { continue }
            if let level = take(step, with: 1, at: time) { return level }
        }
        return nil
    }

    /// Lets an event of the millisecond take a step. Returns the level at which the key ends, or `nil` if it goes on.
    final func take(_ step: Int, with event: Int, at time: Int64) -> Int? {
        if step == 0 {
            guard rules.mayStart(at: time) else { return nil }
            begin(at: time)
        } else if deduplicates && levels >> UInt32(step) & 1 == 1 {
            return reached
        } else if levels >> UInt32(step - 1) & 1 == 1 {
            guard extend(to: step, with: event, at: time) else { return nil }
            if step + 1 == count { return count }
        } else {
            return ordersStrictly && levels != 0 ? (~levels).trailingZeroBitCount : nil
        }
        levels |= 1 << UInt32(step)
        return nil
    }

    func begin(at time: Int64) { rows.begin(at: time) }

    /// Lets the event move the attempt that has reached `step - 1` on to `step`. Returns whether it can.
    func extend(to step: Int, with event: Int, at time: Int64) -> Bool {
        guard UInt64(bitPattern: time &- rows.start(step - 1)) <= rules.window else { return false }
        if increases && rows.last(step - 1) >= time { return false }
        rows.extend(step - 1, to: step, at: time)
        return true
    }
}
