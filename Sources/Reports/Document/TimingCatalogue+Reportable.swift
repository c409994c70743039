public import Funnels

extension TimingCatalogue: Reportable {
    public func text(in table: TableReport) -> String { table.text(of: self) }
    public func text(in json: JSONReport) -> String { json.text(of: self) }

    public var section: ReportSection {
        var remarks: [String] = []
        if leftOut > 0 { remarks.append("Left out: \(NumberFormat.counted(leftOut, "more event")), which took less time.") }
        if unreadableLines > 0 { remarks.append("\(NumberFormat.counted(unreadableLines, "timing line")) could not be understood.") }
        var definition = ReportSection.definition(range, of: "Lines")
        // The only one there is needs no column.
        if let only = system ?? (hasSeveralSystems ? nil : entries.first?.system) { definition.append(ReportFact("System", .data(only))) }
        let period = firstMilliseconds.flatMap { first in lastMilliseconds.flatMap { first <= $0 ? first...$0 : nil } }
        let totals = entries.filter { $0.phase == "total" }
        var figures: [ReportFigure] = []
        if !totals.isEmpty {
            figures.append(ReportFigure("The slowest: p99 of the whole way", chart: .bars(chart(totals)), table: table(totals)))
        }
        figures.append(ReportFigure("By phase", table: table(entries.filter(\.tookTime))))
        return ReportSection(
            kind: "timings", title: "Timings", period: period,
            highlights: [
                ReportFact("Events measured", .count(Int64(clamping: totals.reduce(0) { $0 &+ $1.count }))),
                ReportFact("Names", .count(Set(entries.map { [$0.system ?? "", $0.event] }).count)),
                ReportFact("Timing lines", .count(lines)),
            ],
            remarks: remarks, records: table(entries), figures: figures, definition: definition,
            quality: ReportSection.quality(input, key: "user"))
    }

    private var hasSeveralSystems: Bool { Set(entries.map(\.system)).count > 1 }

    /// More bars than this are no picture any more.
    private static let mostBars = 20

    private func chart(_ totals: [Entry]) -> BarChart {
        let slowest = totals.sorted { ($1.p99, $0.event) < ($0.p99, $1.event) }
        return BarChart(
            rows: slowest.prefix(Self.mostBars).map { entry in
                let name = entry.system.map { "\($0): \(entry.event)" } ?? entry.event
                return BarChart.Row(name: name, value: Double(entry.p99), text: NumberFormat.nanoseconds(entry.p99))
            })
    }

    private func table(_ entries: [Entry]) -> ReportTable {
        ReportTable(
            "How long each phase took",
            columns: [
                .init("System", key: "system", isForProgramsOnly: !hasSeveralSystems), .init("Event", key: "event"),
                .init("Phase", key: "phase"), .init("Count", key: "count"),
                .init("p50", key: "p50_ns"), .init("p90", key: "p90_ns"), .init("p99", key: "p99_ns"), .init("Longest", key: "max_ns"),
                .init("Shortest", key: "min_ns", isForProgramsOnly: true), .init("Mean", key: "mean_ns", isForProgramsOnly: true),
                .init("Sum", key: "total_ns"),
            ],
            rows: entries.map { entry in
                [
                    entry.system.map { .data($0) } ?? .none, .data(entry.event), .data(entry.phase), .count(Int64(clamping: entry.count)),
                    .nanoseconds(entry.p50), .nanoseconds(entry.p90), .nanoseconds(entry.p99), .nanoseconds(entry.maximum),
                    .nanoseconds(entry.minimum), .nanoseconds(entry.mean), .nanoseconds(entry.total),
                ]
            })
    }
}

extension TimingCatalogue.Entry {
    /// Whether people want to see it: a phase that never took time, as that of bindings where there are none, is a row of zeros.
    var tookTime: Bool { maximum > 0 || phase == "total" }
}
