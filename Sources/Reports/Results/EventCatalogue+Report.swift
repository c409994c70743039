import Basics
public import Funnels

extension EventCatalogue: Reportable {
    public var section: ReportSection {
        let table = ReportTable(
            "How often each event happened, to how many users (anonymous ids are not joined), and when", of: entries,
            [
                .init("Event", "name") { .data($0.name) }, .init("Count", "count") { .count($0.count) },
                .init("Users", "users") { .count($0.users) }, .init("First seen", "first_seen") { .moment($0.firstMilliseconds) },
                .init("Last seen", "last_seen") { .moment($0.lastMilliseconds) },
            ])
        let bars = entries.prefix(Self.mostBars).map {
            BarChart.Row(name: $0.name, value: Double($0.count), text: NumberFormat.count($0.count))
        }
        let chart = entries.isEmpty ? nil : BarChart(rows: bars)
        let title = entries.count > Self.mostBars ? "How often: the \(Self.mostBars) most frequent" : "How often"
        let besides = "Besides\(range == .all ? "" : ", at any time")\(input.duplicates > 0 ? ", copies too" : "")"
        let lines = "\(GroupedNumber.counted(metaLines, "meta line")), \(GroupedNumber.counted(timingLines, "timing line"))"
        return ReportSection(
            kind: "events", title: "Events", period: input.period,
            highlights: [ReportFact("Events", .count(entries.reduce(0) { $0 + $1.count })), ReportFact("Names", .count(entries.count))],
            remarks: metaLines + timingLines == 0 ? [] : ["\(besides): \(lines)."],
            makeRecords: { table }, makeFigures: { [ReportFigure(title: title, chart: chart, table: table)] },
            definition: range.facts(of: "Events") + cohort.facts, quality: input.facts(key: "user"))
    }

    private static let mostBars = 15

    public func lines(in table: TableReport) -> [String] {
        table.limits(range, cohort, of: "events") + table.lines(of: section.records, none: "no events")
            + section.remarks.flatMap(table.words) + table.inputLines(input, key: "user")
    }

    public func text(in json: JSONReport) -> String {
        let events = JSONRows(entries) {
            ["name": $0.name, "count": $0.count, "users": $0.users, "first_ms": $0.firstMilliseconds, "last_ms": $0.lastMilliseconds]
        }
        let others: JSONObject = ["meta_lines": metaLines, "timing_lines": timingLines]
        return json.document(["events": events], others + range.json + cohort.json, input.json)
    }
}
