import Basics
import EventFiles

/// The periods that cohorts are made of: days, weeks, or any others that follow one another without a gap.
public struct CalendarPeriods: Sendable {
    let start: @Sendable (Int64) -> Int64
    package let next: @Sendable (Int64) -> Int64

    /// - Parameters:
    ///   - start: gives the first millisecond of the period that a time lies in, both in milliseconds since 1970 UTC.
    ///   - next: gives the beginning of the period after the one that begins at a time. It must be later than that time.
    public init(start: @escaping @Sendable (Int64) -> Int64, next: @escaping @Sendable (Int64) -> Int64) {
        (self.start, self.next) = (start, next)
    }

    /// The beginnings of the periods between two others, rising. `nil` if there are more than `limit`: a wrong clock could make millions.
    package func between(_ first: Int64, _ last: Int64, atMost limit: Int) -> [Int64]? {
        let starts = Array(sequence(first: next(first), next: next).prefix(limit + 1).prefix { $0 < last })
        return starts.count > limit ? nil : starts
    }
}

/// Counts who comes back, over event files.
///
/// ```swift
/// let definition = try RetentionDefinition(start: FunnelStep("signed_up").pattern, returning: FunnelStep("opened").pattern, periods: 7)
/// let days = CalendarPeriods { FunnelRun.dayOfUTC($0).lowerBound } next: { $0 + 86_400_000 }
/// let retention = try RetentionRun(definition, every: days).answer(reading: EventFileReader(paths: ["events/"])).answer
/// print(retention.cohorts.map(\.retained))
/// ```
/// Memory: that of a funnel of the two patterns, and 8 bytes for each period, cohort and value of the breakdown. Time:
/// O(bytes + events that match), if each key's events stand nearly in the order of time.
public struct RetentionRun: EventQuestion {
    public let definition: RetentionDefinition
    private let periods: CalendarPeriods

    public init(_ definition: RetentionDefinition, every periods: CalendarPeriods) {
        (self.definition, self.periods) = (definition, periods)
    }

    public var pass: EventPass<Retention> {
        EventPass { reader, threads, progress in
            var accumulator = FunnelAccumulator(CompiledFunnel([try definition.scanned()]))
            let reading = try accumulator.takeAll(of: reader, threads: threads, progress: progress)
            return (accumulator.retention(definition, reading, every: periods), reading)
        }
    }
}

extension FunnelAccumulator {
    /// The retention of the only funnel, which is that of a ``RetentionDefinition``.
    consuming func retention(_ definition: RetentionDefinition, _ reading: ReadResult, every periods: CalendarPeriods) -> Retention {
        var all = finish(reading)
        all.dataEnd = dataEnd(0)
        let counter = RetentionCounter(definition, periods, values: values(0))
        let end = all.dataEnd?.milliseconds
        forEachKey(0) { counter.take($0) }
        return Retention(
            definition: definition, endMilliseconds: end, cohorts: counter.cohorts(dataEnd: end),
            groups: definition.breakdown.map { counter.groups(top: $0.top, dataEnd: end) } ?? [], input: input(0, all),
            unseenNames: unseenNames(0), unseenPaths: unseenPaths(0))
    }
}

private final class RetentionCounter {
    private struct Row {
        var size = 0
        var retained: [Int]

        mutating func add(_ other: Row) {
            size += other.size
            for k in retained.indices { retained[k] += other.retained[k] }
        }
    }

    struct Cell: Hashable {
        var start: Int64
        var group: UInt32
    }

    private let definition: RetentionDefinition
    private let periods: CalendarPeriods
    /// The texts of the breakdown's values; a group's number is the index + 1, and 0 stands for no value.
    private let values: [[UInt8]]
    private var rows: [Cell: Row] = [:]
    /// For each cohort, the ends of the periods that are counted: of its own first, then of each one after it.
    private var boundaries: [Int64: [Int64]] = [:]
    private let none: Row
    /// The row of the key that ``take(_:)`` is counting.
    private var own: Row

    init(_ definition: RetentionDefinition, _ periods: CalendarPeriods, values: [[UInt8]]) {
        self.definition = definition
        self.periods = periods
        self.values = values
        none = Row(retained: Array(repeating: 0, count: definition.periods + 1))
        own = Row(size: 1, retained: none.retained)
    }

    /// - Parameter events: all events of one key that match, by rising time. Bit 0 of their steps is the start, bit 1 a return.
    func take(_ events: UnsafeBufferPointer<StepEvent>) {
        guard let first = events.firstIndex(where: { $0.steps & 1 == 1 }), definition.range.contains(events[first].time) else { return }
        let start = periods.start(events[first].time)
        let ends = ends(of: start)
        for k in own.retained.indices { own.retained[k] = 0 }
        var k = 0
        for event in events[first...] where event.steps & 2 != 0 && event.time > events[first].time {
            while k < ends.count && event.time >= ends[k] { k += 1 }
            if k == ends.count { break }
            own.retained[k] = 1
        }
        rows[Cell(start: start, group: group(events, from: first)), default: none].add(own)
    }

    private func ends(of start: Int64) -> [Int64] {
        if let known = boundaries[start] { return known }
        let ends = Array(sequence(first: periods.next(start), next: periods.next).prefix(definition.periods + 1))
        boundaries[start] = ends
        return ends
    }

    private func group(_ events: UnsafeBufferPointer<StepEvent>, from first: Int) -> UInt32 {
        switch definition.breakdown?.attribution {
        case nil: 0
        case .last?: events.reversed().firstValue(values) { _ in true }
        case .step?: events.value(at: events[first].time, of: 1, values)
        case .first?, .all?: events.firstValue(values) { _ in true }
        }
    }

    /// When the cohorts begin: in each period from the first in which a key started to the last. For use after the last ``take(_:)``.
    private lazy var starts: [Int64] = {
        let known = Set(rows.keys.map(\.start))
        guard let first = known.min(), let last = known.max() else { return [] }
        return known.union(periods.between(first, last, atMost: RetentionCounter.filledLimit) ?? []).sorted()
    }()

    /// The cohorts with the keys of some cells, or with all keys for `nil`. Cohorts without such keys are among them.
    func cohorts(of cells: [Cell]? = nil, dataEnd: Int64?) -> [Retention.Cohort] {
        var merged: [Int64: Row] = [:]
        for cell in cells ?? Array(rows.keys) { merged[cell.start, default: none].add(rows[cell] ?? none) }
        return starts.map { start in
            let row = merged[start] ?? none
            return Retention.Cohort(
                startMilliseconds: start, size: row.size,
                retained: zip(ends(of: start), row.retained).map { end, count in dataEnd.map { end - 1 <= $0 } == true ? count : nil })
        }
    }

    /// With more cohorts than this between the first and the last, empty ones are left out.
    private static let filledLimit = 9_998

    /// The most frequent values, then the keys without a value, then all other values.
    func groups(top: Int, dataEnd: Int64?) -> [Retention.Group] {
        var sizes = Array(repeating: 0, count: values.count + 1)
        for (cell, row) in rows { sizes[Int(cell.group)] += row.size }
        let names = FunnelGroups.names([[]] + values, sizes: sizes, top: top)
        var shown: [ExactText: (size: Int, cells: [Cell])] = [:]
        for (cell, row) in rows {
            shown[ExactText(names[Int(cell.group)]), default: (0, [])].size += row.size
            shown[ExactText(names[Int(cell.group)])]?.cells.append(cell)
        }
        let last = [FunnelBreakdown.none, FunnelBreakdown.other].map { ExactText($0) }
        let ordered = shown.filter { !last.contains($0.key) }.sorted { ($1.value.size, $0.key) < ($0.value.size, $1.key) }.map(\.key)
        return (ordered + last).compactMap { name in
            shown[name].map { Retention.Group(value: name.text, cohorts: cohorts(of: $0.cells, dataEnd: dataEnd)) }
        }
    }
}
