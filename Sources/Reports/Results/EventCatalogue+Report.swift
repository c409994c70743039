import Basics
public import Funnels

extension EventCatalogue: Reportable {
    public var section: ReportSection {
        let table = ReportTable(
            "How often each event happened, to how many users, and when",
            columns: [
                .init("Event", key: "name"), .init("Count", key: "count"), .init("Users", key: "users"),
                .init("First seen", key: "first_seen"), .init("Last seen", key: "last_seen"),
            ],
            rows: entries.map { entry in
                [
                    .data(entry.name), .count(entry.count), .count(entry.users), .moment(entry.firstMilliseconds),
                    .moment(entry.lastMilliseconds),
                ]
            })
        let chart = BarChart(
            rows: entries.prefix(Self.mostBars).map {
                BarChart.Row(name: $0.name, value: Double($0.count), text: NumberFormat.count($0.count))
            }
        )
        let others = metaLines + timingLines
        return ReportSection(
            kind: "events", title: "Events", period: input.period,
            highlights: [
                ReportFact("Events", .count(entries.reduce(0) { $0 + $1.count })), ReportFact("Names", .count(entries.count)),
            ],
            remarks: others == 0
                ? []
                : [
                    "Besides: \(GroupedNumber.counted(metaLines, "meta line")), \(GroupedNumber.counted(timingLines, "timing line"))."
                ],
            records: table,
            figures: [ReportFigure(Self.title(entries.count), chart: entries.isEmpty ? nil : .bars(chart), table: table)],
            definition: range.facts(of: "Events") + cohort.facts,
            quality: input.facts(key: "user"))
    }

    /// With more bars than this a chart cannot be read.
    private static let mostBars = 15

    private static func title(_ names: Int) -> String {
        names > mostBars ? "How often: the \(mostBars) most frequent" : "How often"
    }

    public func lines(in table: TableReport) -> [String] {
        let rows = entries.map { entry in
            [
                table.shown(entry.name), table.number(entry.count), table.number(entry.users),
                DateFormat.second(entry.firstMilliseconds, in: table.style.zone),
                DateFormat.second(entry.lastMilliseconds, in: table.style.zone),
            ]
        }
        var lines = table.columns(
            ["event", "count", "users", "first seen (\(table.style.zone.name))", "last seen (\(table.style.zone.name))"], rows,
            rightAligned: [1, 2])
        if rows.isEmpty { lines = ["no events"] }
        let limits = [table.times(range, what: "events")].compactMap(\.self) + cohort.words(in: table)
        if !limits.isEmpty { lines.insert(limits.joined(separator: ", "), at: 0) }
        let others = metaLines + timingLines
        if others > 0 {
            lines.append(
                "besides: \(GroupedNumber.counted(metaLines, "meta line")), "
                    + GroupedNumber.counted(timingLines, "timing line"))
        }
        lines += table.inputLines(input, key: "user")
        return lines
    }

    public func text(in json: JSONReport) -> String {
        json.document { writer in
            writer.breakLine(" ")
            writer.key("events")
            writer.array(entries, onePerLine: true) { writer, entry in
                writer.object { writer in
                    writer.member("name", entry.name)
                    writer.member("count", entry.count)
                    writer.member("users", entry.users)
                    writer.member("first_ms", entry.firstMilliseconds)
                    writer.member("last_ms", entry.lastMilliseconds)
                }
            }
            writer.breakLine(" ")
            writer.member("meta_lines", metaLines)
            writer.member("timing_lines", timingLines)
            range.write(to: &writer)
            cohort.write(to: &writer)
            writer.breakLine(" ")
            input.write(to: &writer)
        }
    }
}
