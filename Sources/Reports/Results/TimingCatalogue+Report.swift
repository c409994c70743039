import Basics
public import Funnels

extension TimingCatalogue: Reportable {
    public var section: ReportSection {
        // A system that is the only one needs no column.
        let only = ReportFact.known([ReportFact("System", .data(system ?? onlySystem))])
        let period = firstMilliseconds.flatMap { first in lastMilliseconds.flatMap { first <= $0 ? first...$0 : nil } }
        let totals = entries.filter { $0.phase == "total" }
        let remarks = [leftOutRemark, unreadableRemark].compactMap(\.self)
        let slowest = ReportFigure(title: "The slowest: p99 of the total", chart: chart(totals), table: table(totals))
        let figures = (totals.isEmpty ? [] : [slowest]) + [ReportFigure(title: "By phase", table: table(entries.filter(\.tookTime)))]
        return ReportSection(
            kind: "timings", title: "Timings", period: period,
            highlights: [
                ReportFact("Events measured", .count(Int64(clamping: all.filter { $0.phase == "total" }.reduce(0) { $0 &+ $1.count }))),
                ReportFact("Names", .count(Set(all.map { [$0.system ?? "", $0.event] }).count)),
                ReportFact("Timing lines", .count(lines)),
            ], remarks: remarks.map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }, makeRecords: { table(entries) },
            makeFigures: { figures }, definition: range.facts(of: "Lines") + cohort.facts + only, quality: input.facts(key: "user"))
    }

    private var all: [Entry] { entries + leftOutEntries }
    private var hasSeveralSystems: Bool { Set(all.map(\.system)).count > 1 }
    private var onlySystem: String? { hasSeveralSystems ? nil : all.first?.system }

    private var leftOutRemark: String? {
        leftOut > 0 ? "left out: \(GroupedNumber.counted(leftOut, "more event")), which took less time" : nil
    }
    private var unreadableRemark: String? {
        unreadableLines > 0 ? "\(GroupedNumber.counted(unreadableLines, "timing line")) could not be understood" : nil
    }

    private static let mostBars = 20

    private func chart(_ totals: [Entry]) -> BarChart {
        let slowest = totals.sorted { ($1.p99, $0.event) < ($0.p99, $1.event) }.prefix(Self.mostBars)
        return BarChart(
            rows: slowest.map { entry in
                let name = entry.system.map { "\($0): \(entry.event)" } ?? entry.event
                return BarChart.Row(name: name, value: Double(entry.p99), text: NanosecondText.of(entry.p99))
            })
    }

    private func table(_ entries: [Entry]) -> ReportTable {
        ReportTable(
            "How long each phase took", of: entries,
            [
                .init("System", "system", for: hasSeveralSystems ? .everyone : []) { .data($0.system) },
                .init("Event", "event") { .data($0.event) }, .init("Phase", "phase") { .data($0.phase) },
                .init("Count", "count") { .count(Int64(clamping: $0.count)) }, .init("p50", "p50_ns") { .nanoseconds($0.p50) },
                .init("p90", "p90_ns") { .nanoseconds($0.p90) }, .init("p99", "p99_ns") { .nanoseconds($0.p99) },
                .init("Longest", "max_ns") { .nanoseconds($0.maximum) }, .init("Shortest", "min_ns", for: []) { .nanoseconds($0.minimum) },
                .init("Mean", "mean_ns", for: .terminal) { .nanoseconds($0.mean) }, .init("Sum", "total_ns") { .nanoseconds($0.total) },
            ])
    }

    public func lines(in table: TableReport) -> [String] {
        table.limits(range, cohort, of: "timings") + table.lines(of: self.table(entries.filter(\.tookTime)), none: "no timings")
            + source(in: table) + table.inputLines(input, key: "user")
    }

    /// Which lines the times are from, and what is not shown.
    private func source(in table: TableReport) -> [String] {
        var source = "from \(GroupedNumber.counted(self.lines, "timing line"))"
        if let system = system ?? onlySystem { source += " of \(table.shown(system))" }
        if let first = firstMilliseconds, let last = lastMilliseconds {
            let (from, to) = (DateFormat.second(first, in: table.style.zone), DateFormat.second(last, in: table.style.zone))
            source += ", \(from == to ? from : "\(from) \(table.style.dash) \(to)") \(table.style.zone.name)"
        }
        return [leftOutRemark, source, unreadableRemark.map(table.style.red)].compactMap(\.self)
    }

    public func text(in json: JSONReport) -> String {
        let keys = ["system", "event", "phase", "count", "p50_ns", "p90_ns", "p99_ns", "min_ns", "max_ns", "mean_ns", "total_ns"]
        let source: JSONObject = [
            "left_out": leftOut, "lines": lines, "unreadable_lines": unreadableLines, "first_ms": firstMilliseconds,
            "last_ms": lastMilliseconds,
        ]
        return json.document(
            ["timings": JSONRows(table(entries), keys)], source + range.json + ["system": system] + cohort.json, input.json)
    }
}

extension TimingCatalogue.Entry {
    /// Whether people want to see it: a phase that never took time, as that of bindings where there are none, is a row of zeros.
    var tookTime: Bool { maximum > 0 || phase == "total" }
}
