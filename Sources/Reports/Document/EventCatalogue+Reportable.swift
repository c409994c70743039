public import Funnels

extension EventCatalogue: Reportable {
    public func text(in table: TableReport) -> String { table.text(of: self) }
    public func text(in json: JSONReport) -> String { json.text(of: self) }

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
            kind: "events", title: "Events", period: ReportSection.period(input),
            highlights: [
                ReportFact("Events", .count(entries.reduce(0) { $0 + $1.count })), ReportFact("Names", .count(entries.count)),
            ],
            remarks: others == 0
                ? []
                : [
                    "Besides: \(NumberFormat.counted(metaLines, "meta line")), \(NumberFormat.counted(timingLines, "timing line"))."
                ],
            records: table,
            figures: [ReportFigure(Self.title(entries.count), chart: entries.isEmpty ? nil : .bars(chart), table: table)],
            definition: ReportSection.definition(range, of: "Events"),
            quality: ReportSection.quality(input, key: "user"))
    }

    /// More bars than this are no picture any more.
    private static let mostBars = 15

    private static func title(_ names: Int) -> String {
        names > mostBars ? "How often: the \(mostBars) most frequent" : "How often"
    }
}
