/// Counts one key's level as ClickHouse's `windowFunnel` does with `strict_once`: one event fills one step.
///
/// `windowFunnel` follows every sequence of events. Here one sequence for each level is enough: of those that end before the
/// current millisecond, the one with the latest start can do whatever the others can. Only inside the millisecond does it matter
/// which events a sequence holds. There its steps must be matched to distinct events.
final class WindowFunnelOnceChains: WindowFunnelChains {
    /// The attempts that reached their level in the current millisecond.
    private let found: ChainRows
    /// All events of the millisecond except one.
    private var others: StepSets
    private var moment: [UInt32] = []

    override init(_ definition: FunnelDefinition, _ modes: Set<FunnelCompat.WindowFunnelMode>) {
        found = ChainRows(stepCount: definition.steps.count)
        others = StepSets(stepCount: definition.steps.count)
        super.init(definition, modes)
    }

    override func take(_ events: UnsafeBufferPointer<StepEvent>.SubSequence, at time: Int64) -> Int? {
        load(events)
        found.alive = 0
        defer { commit() }
        for step in moment.reduce(0, |).bitNumbers {
            for event in moment.indices where moment[event] >> UInt32(step) & 1 == 1 {
                if let level = take(step, with: event, at: time) { return level }
            }
        }
        return nil
    }

    override func begin(at time: Int64) { found.begin(at: time) }

    /// Takes the events of the next millisecond. Of those that fit the same steps, it keeps one for each step and one as a repetition.
    private func load(_ events: UnsafeBufferPointer<StepEvent>.SubSequence) {
        moment.removeAll(keepingCapacity: true)
        var (last, repeated) = (UInt32(0), 0)
        for event in events where event.steps != 0 {
            repeated = event.steps == last ? repeated + 1 : 0
            last = event.steps
            if repeated <= count { moment.append(last) }
        }
        guard moment.count > count + 1 else { return }
        moment.sort()
        var kept: [UInt32] = []
        for steps in moment where kept.count <= count || kept[kept.count - 1 - count] != steps { kept.append(steps) }
        moment = kept
    }

    /// Looks for the sequence with the latest start that `event` brings to `step`.
    override func extend(to step: Int, with event: Int, at time: Int64) -> Bool {
        if !increases && found.isAlive(0) && canFill(0..<step, without: event) {
            // No sequence of this level starts later, so the one that it replaces is not missed.
            found.extend(0, to: step, at: time)
            return true
        }
        var source: Int?
        for row in stride(from: step - 1, through: increases ? step - 1 : 0, by: -1) where rows.isAlive(row) {
            if let source, rows.start(source) >= rows.start(row) { continue }
            guard UInt64(bitPattern: time &- rows.start(row)) <= rules.window, canFill(row + 1..<step, without: event) else { continue }
            source = row
        }
        guard let source else { return false }
        if !found.isAlive(step) || found.start(step) < rows.start(source) { found.extend(source, of: rows, to: step, at: time) }
        return true
    }

    /// Whether distinct events of the millisecond, without `event`, can fill these steps.
    private func canFill(_ steps: Range<Int>, without event: Int) -> Bool {
        guard !steps.isEmpty else { return true }
        others.removeAll()
        for other in moment.indices where other != event { others.add(moment[other]) }
        others.beginMatching()
        return steps.allSatisfy { others.fill($0) }
    }

    /// Adds the attempts of the millisecond to those before it.
    private func commit() {
        for step in 0..<count where found.isAlive(step) {
            if !rows.isAlive(step) || rows.start(step) <= found.start(step) { rows.extend(step, of: found, to: step, at: 0) }
        }
    }
}
