import Basics
public import Funnels

extension TimingCatalogue: Reportable {
    public var section: ReportSection {
        var remarks: [String] = []
        if leftOut > 0 { remarks.append("Left out: \(GroupedNumber.counted(leftOut, "more event")), which took less time.") }
        if unreadableLines > 0 { remarks.append("\(GroupedNumber.counted(unreadableLines, "timing line")) could not be understood.") }
        var definition = range.facts(of: "Lines") + cohort.facts
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
            quality: input.facts(key: "user"))
    }

    private var hasSeveralSystems: Bool { Set(entries.map(\.system)).count > 1 }

    /// With more bars than this a chart cannot be read.
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

    public func lines(in table: TableReport) -> [String] {
        let hasSystems = entries.contains { $0.system != nil }
        var heading = ["event", "phase", "count", "p50", "p90", "p99", "max", "mean", "total"]
        var rows: [[String]] = []
        var above: Entry?
        for entry in entries where entry.tookTime {
            let isFirst = above?.event != entry.event || above?.system != entry.system
            above = entry
            var row = [
                isFirst ? table.shown(entry.event) : "", table.shown(entry.phase, atMost: 20),
                NumberFormat.count(Int64(clamping: entry.count)),
            ]
            row += [entry.p50, entry.p90, entry.p99, entry.maximum, entry.mean, entry.total].map {
                NumberFormat.nanoseconds($0, micro: table.style.isASCII ? "u" : "µ")
            }
            if hasSystems { row.insert(isFirst ? table.shown(entry.system ?? "", atMost: 20) : "", at: 1) }
            rows.append(row)
        }
        if hasSystems { heading.insert("system", at: 1) }
        let texts = hasSystems ? 3 : 2
        var lines = rows.isEmpty ? ["no timings"] : table.columns(heading, rows, rightAligned: Set(texts..<heading.count))
        let limits = [table.times(range, what: "timings")].compactMap(\.self) + cohort.words(in: table)
        if !limits.isEmpty { lines.insert(limits.joined(separator: ", "), at: 0) }
        lines += source(in: table)
        lines += table.inputLines(input, key: "user")
        return lines
    }

    /// Which lines the times are from, and what is not shown.
    private func source(in table: TableReport) -> [String] {
        var lines: [String] = []
        if leftOut > 0 { lines.append("left out: \(GroupedNumber.counted(leftOut, "more event")), which took less time") }
        var source = "from \(GroupedNumber.counted(self.lines, "timing line"))"
        if let system { source += " of \(table.shown(system))" }
        if let first = firstMilliseconds, let last = lastMilliseconds {
            let (from, to) = (DateFormat.second(first, in: table.style.zone), DateFormat.second(last, in: table.style.zone))
            source += ", \(from == to ? from : "\(from) \(table.style.dash) \(to)") \(table.style.zone.name)"
        }
        lines.append(source)
        if unreadableLines > 0 {
            lines.append(table.style.red("\(GroupedNumber.counted(unreadableLines, "timing line")) could not be understood"))
        }
        return lines
    }

    public func text(in json: JSONReport) -> String {
        json.document { writer in
            writer.breakLine(" ")
            writer.key("timings")
            writer.array(entries, onePerLine: true) { writer, entry in
                writer.object { writer in
                    writer.member("system", entry.system)
                    writer.member("event", entry.event)
                    writer.member("phase", entry.phase)
                    writer.member("count", Int64(clamping: entry.count))
                    writer.member("p50_ns", Int64(clamping: entry.p50))
                    writer.member("p90_ns", Int64(clamping: entry.p90))
                    writer.member("p99_ns", Int64(clamping: entry.p99))
                    writer.member("min_ns", Int64(clamping: entry.minimum))
                    writer.member("max_ns", Int64(clamping: entry.maximum))
                    writer.member("mean_ns", Int64(clamping: entry.mean))
                    writer.member("total_ns", Int64(clamping: entry.total))
                }
            }
            writer.breakLine(" ")
            writer.member("left_out", leftOut)
            writer.member("lines", lines)
            writer.member("unreadable_lines", unreadableLines)
            writer.member("first_ms", firstMilliseconds)
            writer.member("last_ms", lastMilliseconds)
            range.write(to: &writer)
            writer.member("system", system)
            cohort.write(to: &writer)
            writer.breakLine(" ")
            input.write(to: &writer)
        }
    }
}

extension TimingCatalogue.Entry {
    /// Whether people want to see it: a phase that never took time, as that of bindings where there are none, is a row of zeros.
    var tookTime: Bool { maximum > 0 || phase == "total" }
}
