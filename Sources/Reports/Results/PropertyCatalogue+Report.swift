import Basics
public import Funnels

extension PropertyCatalogue: Reportable {
    public var section: ReportSection {
        let isEstimated = keys.contains { !$0.isDistinctExact || !$0.areTopExact }
        let estimated = "Where a property has very many values, their number is an estimate, and each count a lower bound."
        let remarks = [unseenName == nil ? nil : "No event has this name.", hasMoreKeys ? moreKeys : nil, isEstimated ? estimated : nil]
        return ReportSection(
            kind: "props", title: name, period: input.period,
            highlights: [ReportFact("Events", .count(events)), ReportFact("Properties", .count(keys.count))],
            remarks: remarks.compactMap(\.self), makeRecords: { records },
            makeFigures: {
                [ReportFigure(title: "Properties", chart: keys.isEmpty ? nil : chart, table: properties)]
                    + [ReportFigure(title: "Most frequent values", table: values)].filter { !$0.table.rows.isEmpty }
            },
            definition: range.facts(of: "Events") + cohort.facts, quality: input.facts(key: "user"))
    }

    private var moreKeys: String { "Only the first \(NumberFormat.count(Self.keyLimit)) properties are told apart; there are more." }

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
            "Properties", of: keys,
            [
                .init("Property", "path") { .data($0.title) }, .init("Events with it", "present") { .count($0.present) },
                .init("Share", "share") { .share(share($0)) }, .init("Types", "types") { .words(types($0)) },
                .init("Different values", "distinct") {
                    $0.isDistinctExact ? .count($0.distinct) : .words("about \(NumberFormat.count($0.distinct))")
                }, .init("Smallest", "min") { number($0.minimum) }, .init("Largest", "max") { number($0.maximum) },
            ])
    }

    private var values: ReportTable {
        let values = keys.flatMap { key in key.top.map { (key: key, value: $0) } }
        return ReportTable(
            "Most frequent values", of: values,
            [
                .init("Property", "path") { .data($0.key.title) }, .init("Value", "value") { .data($0.value.text) },
                .init("Type", "type") { .words($0.value.kind.rawValue) }, .init("Count", "count") { .count($0.value.count) },
                .init("Share", "share") { .share(Double($0.value.count) / Double($0.key.present)) },
            ])
    }

    /// One row a property and frequent value; a property without values has one row.
    private var records: ReportTable {
        typealias Record = (key: Key, value: Value?)
        let ofKeys: [ReportTable.Field<Record>] =
            [.init("path") { .data($0.key.title) }, .init("present") { .count($0.key.present) }, .init("share") { .share(share($0.key)) }]
            + Kind.allCases.map { kind in .init("\(kind.rawValue)_count") { .count($0.key.kinds[kind] ?? 0) } }
        let ofValues: [ReportTable.Field<Record>] = [
            .init("distinct") { .count($0.key.distinct) }, .init("distinct_exact") { .flag($0.key.isDistinctExact) },
            .init("min") { number($0.key.minimum) }, .init("max") { number($0.key.maximum) }, .init("value") { .data($0.value?.text) },
            .init("value_type") { .words($0.value?.kind.rawValue) }, .init("value_count") { .count($0.value?.count) },
        ]
        let records = keys.flatMap { key -> [Record] in key.top.isEmpty ? [(key, nil)] : key.top.map { (key, $0) } }
        return ReportTable("One row a property and value", of: records, ofKeys + ofValues)
    }

    private func types(_ key: Key) -> String {
        let kinds = Kind.allCases.filter { key.kinds[$0] != nil }
        if kinds.count == 1 { return kinds[0].rawValue }
        return kinds.map { "\($0.rawValue) \(NumberFormat.percent(Double(key.kinds[$0] ?? 0) / Double(key.present)))" }
            .joined(separator: ", ")
    }

    /// A number from data, in the fewest digits that read back equal.
    private func number(_ number: Double?) -> ReportValue {
        guard let number else { return .none }
        return Int64(exactly: number).map(ReportValue.count) ?? .words("\(number)")
    }

    public func lines(in table: TableReport) -> [String] {
        let parts = [GroupedNumber.counted(events, "event"), table.times(range, what: "events")] + cohort.words(in: table)
        let rows = keys.isEmpty ? (events > 0 ? ["no properties"] : []) : rows(in: table)
        return table.heading(table.shown(name), parts, input) + rows + (hasMoreKeys ? [moreKeys] : [])
            + table.inputLines(input, key: "user")
    }

    /// A row a property. Where a terminal has no room for the frequent values beside the rest, they stand below their property.
    private func rows(in table: TableReport) -> [String] {
        let heading = ["property", "share", "types", "distinct", "range", "top values"]
        let rows = keys.map { row($0, in: table) }
        let all = table.columns(heading, rows, rightAligned: [1, 3])
        let whole = TableReport(TextStyle(isASCII: table.style.isASCII)).columns(heading, rows)
        guard let width = table.style.width, TerminalText.widest(whole) > width else { return all }
        let short = table.columns(heading.dropLast(), rows.map { $0.dropLast() }, rightAligned: [1, 3])
        return short.enumerated().flatMap { index, line -> [String] in
            guard rows.indices.contains(index - 1), let values = rows[index - 1].last, !values.isEmpty else { return [line] }
            return [line, TerminalText.cut("    " + values, to: width, ellipsis: table.style.ellipsis)]
        }
    }

    private func row(_ key: Key, in table: TableReport) -> [String] {
        let hasValues = key.kinds.keys.contains { ![.null, .object, .array].contains($0) }
        let distinct = hasValues ? (key.isDistinctExact ? "" : "~") + table.number(key.distinct) : ""
        func size(_ size: Double) -> String { size < 1e12 ? number(size).shown() : "\(size)" }
        let bounds = [key.minimum, key.maximum].compactMap { $0.map { ($0 < 0 ? table.style.minus : "") + size($0.magnitude) } }
        let range = bounds.count == 2 ? bounds.joined(separator: " \(table.style.dash) ") : ""
        // Of values that occur once each, none is frequent.
        let top = key.top.filter { $0.count > 1 || key.distinct <= key.top.count }.map { value in
            "\(table.shown(value.text, atMost: 24)) (\(key.areTopExact ? "" : table.style.isASCII ? ">=" : "≥")\(table.number(value.count)))"
        }
        return [
            table.shown(key.title, atMost: 40), NumberFormat.percent(Double(key.present) / Double(events)), types(key),
            distinct, range, top.joined(separator: ", "),
        ]
    }

    public func text(in json: JSONReport) -> String {
        json.document(
            beside: ["name": name, "events": events] + range.json + cohort.json,
            ["keys": JSONRows(keys, self.json), "more_keys": hasMoreKeys], input.json)
    }

    private func json(_ key: Key) -> JSONObject {
        let types = JSONObject(Kind.allCases.map { ($0.rawValue, key.kinds[$0] ?? 0) })
        let top: [JSONObject] = key.top.map { ["value": $0.text, "type": $0.kind.rawValue, "count": $0.count] }
        return [
            "path": key.title, "types": types, "present": key.present, "distinct": key.distinct, "distinct_exact": key.isDistinctExact,
            "min": key.minimum, "max": key.maximum, "top": top, "top_exact": key.areTopExact,
        ]
    }
}
