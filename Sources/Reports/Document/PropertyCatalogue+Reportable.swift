public import Funnels

extension PropertyCatalogue: Reportable {
    public func text(in table: TableReport) -> String { table.text(of: self) }
    public func text(in json: JSONReport) -> String { json.text(of: self) }

    public var section: ReportSection {
        var remarks: [String] = []
        if unseenName != nil { remarks.append("No event has this name.") }
        if hasMoreKeys { remarks.append("Only the first \(NumberFormat.count(Self.keyLimit)) properties are told apart; there are more.") }
        if keys.contains(where: { !$0.isDistinctExact || !$0.areTopExact }) {
            remarks.append("Where a property has very many values, their number is estimated, and counts are at least as large as told.")
        }
        var figures = [ReportFigure("Properties", chart: keys.isEmpty ? nil : .bars(chart), table: properties)]
        if keys.contains(where: { !$0.top.isEmpty }) { figures.append(ReportFigure("Most frequent values", table: values)) }
        return ReportSection(
            kind: "props", title: name, period: ReportSection.period(input),
            highlights: [ReportFact("Events", .count(events)), ReportFact("Properties", .count(keys.count))], remarks: remarks,
            records: records, figures: figures, definition: ReportSection.definition(range, of: "Events"),
            quality: ReportSection.quality(input, key: "user"))
    }

    /// More bars than this are no picture any more.
    private static let mostBars = 25

    private var chart: BarChart {
        let rows = keys.prefix(Self.mostBars).map { key in
            BarChart.Row(name: key.title, value: share(key) ?? 0, text: NumberFormat.percent(share(key) ?? 0))
        }
        return BarChart(rows: rows, full: 1)
    }

    private func share(_ key: Key) -> Double? { events == 0 ? nil : Double(key.present) / Double(events) }

    private var properties: ReportTable {
        ReportTable(
            "Properties",
            columns: [
                .init("Property", key: "path"), .init("Events with it", key: "present"), .init("Share", key: "share"),
                .init("Types", key: "types"), .init("Different values", key: "distinct"), .init("Smallest", key: "min"),
                .init("Largest", key: "max"),
            ],
            rows: keys.map { key in
                [
                    .data(key.title), .count(key.present), .share(share(key)), .words(types(key)),
                    key.isDistinctExact ? .count(key.distinct) : .words("about \(NumberFormat.count(key.distinct))"),
                    number(key.minimum), number(key.maximum),
                ]
            })
    }

    private var values: ReportTable {
        ReportTable(
            "Most frequent values",
            columns: [
                .init("Property", key: "path"), .init("Value", key: "value"), .init("Type", key: "type"), .init("Count", key: "count"),
                .init("Share", key: "share"),
            ],
            rows: keys.flatMap { key in
                key.top.map { value in
                    [
                        .data(key.title), .data(value.text), .words(value.kind.rawValue), .count(value.count),
                        .share(Double(value.count) / Double(key.present)),
                    ]
                }
            })
    }

    /// One row a property and frequent value; a property without values has one row.
    private var records: ReportTable {
        let kinds = Kind.allCases
        let columns: [ReportTable.Column] =
            [.init("Property", key: "path"), .init("Events with it", key: "present"), .init("Share", key: "share")]
            + kinds.map { .init($0.rawValue, key: "\($0.rawValue)_count") }
            + [
                .init("Different values", key: "distinct"), .init("Exact", key: "distinct_exact"), .init("Smallest", key: "min"),
                .init("Largest", key: "max"), .init("Value", key: "value"), .init("Type", key: "value_type"),
                .init("Count", key: "value_count"),
            ]
        let rows = keys.flatMap { key in
            let head: [ReportValue] =
                [.data(key.title), .count(key.present), .share(share(key))] + kinds.map { .count(key.kinds[$0] ?? 0) }
                + [.count(key.distinct), .flag(key.isDistinctExact), number(key.minimum), number(key.maximum)]
            if key.top.isEmpty { return [head + [.none, .none, .none]] }
            return key.top.map { head + [.data($0.text), .words($0.kind.rawValue), .count($0.count)] }
        }
        return ReportTable("One row a property and value", columns: columns, rows: rows)
    }

    private func types(_ key: Key) -> String {
        let kinds = Kind.allCases.filter { key.kinds[$0] != nil }
        if kinds.count == 1 { return kinds[0].rawValue }
        return kinds.map { "\($0.rawValue) \(NumberFormat.percent(Double(key.kinds[$0] ?? 0) / Double(key.present)))" }.joined(
            separator: ", ")
    }

    /// A number from data, as short as it reads back.
    private func number(_ number: Double?) -> ReportValue {
        guard let number else { return .none }
        return Int64(exactly: number).map(ReportValue.count) ?? .words("\(number)")
    }
}

extension ReportSection {
    /// Which times count, for results that have no other definition.
    static func definition(_ range: TimeRange, of what: String) -> [ReportFact] {
        var facts: [ReportFact] = []
        if let since = range.since { facts.append(ReportFact("\(what) since", .moment(since))) }
        if let until = range.until { facts.append(ReportFact("\(what) before", .moment(until))) }
        return facts
    }
}
