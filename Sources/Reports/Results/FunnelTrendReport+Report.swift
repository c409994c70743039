import Basics
import Funnels

extension FunnelTrendReport: Reportable {
    public var section: ReportSection {
        let open = trend.points.reduce(0) { $0 + $1.windowOpen }
        var remarks: [String] = []
        if entered == 0 { remarks.append("Nothing matched step 1.") }
        if open > 0 {
            remarks.append(
                "\(NumberFormat.count(open)) that did not convert still had time when the data ended: the last rates may yet rise.")
        }
        return ReportSection(
            kind: "trend", title: trend.definition.name.map { "\($0) by \(unit.rawValue)" } ?? "Trend",
            period: trend.input.period,
            highlights: [
                ReportFact("Conversion", .share(rate)), ReportFact("Entered", .count(entered)), ReportFact("Converted", .count(converted)),
            ], remarks: remarks, records: records,
            figures: [ReportFigure("Conversion by the time of entry", chart: periods.count > 1 ? .line(chart) : nil, table: table)],
            definition: [ReportFact("Every", .words("\(unit.rawValue), by the clocks of \(zone.name)"))] + trend.definition.facts,
            quality: trend.input.facts(key: trend.definition.key.words))
    }

    private var rate: Double? { entered == 0 ? nil : Double(converted) / Double(entered) }

    private var chart: LineChart {
        LineChart(points: periods.map { LineChart.Point(label: label($0), share: $0.point?.rate, count: $0.point?.entered ?? 0) })
    }

    private var table: ReportTable {
        ReportTable(
            "Conversion by the time of entry",
            columns: [
                .init(unit.rawValue.prefix(1).uppercased() + unit.rawValue.dropFirst(), key: "period"), .init("Entered", key: "entered"),
                .init("Converted", key: "converted"), .init("Conversion", key: "rate"), .init("Median time", key: "time_p50_ms"),
                .init("Still open", key: "window_open"),
            ],
            rows: periods.map { period in
                let point = period.point
                return [
                    .words(label(period)), .count(point?.entered ?? 0), .count(point?.converted ?? 0), .share(point?.rate),
                    .duration(point?.timeToConvert?.p50), .count(point?.windowOpen ?? 0),
                ]
            })
    }

    /// One row a period and step.
    private var records: ReportTable {
        let columns: [ReportTable.Column] = [
            .init("Period", key: "period"), .init("Start", key: "start"), .init("Step", key: "step"), .init("Name", key: "name"),
            .init("Count", key: "count"), .init("Of step 1", key: "of_first"), .init("Still open", key: "window_open"),
        ]
        let rows = periods.flatMap { period in
            trend.definition.steps.enumerated().map { place, step -> [ReportValue] in
                let point = period.point
                return [
                    .words(label(period)), .moment(period.startMilliseconds), .count(place + 1), .data(step.pattern.title),
                    .count(point?.steps[place].count ?? 0), .share(point?.steps[place].ofFirst), .count(point?.windowOpen ?? 0),
                ]
            }
        }
        return ReportTable("One row a period and step", columns: columns, rows: rows)
    }

    public func lines(in table: TableReport) -> [String] {
        let definition = trend.definition
        var lines = table.heading(
            table.shown(definition.name ?? "Trend"),
            [table.counted(entered, by: definition.key), "every \(unit.rawValue) by \(zone.name)", definition.windowWords], trend.input)
        if periods.isEmpty {
            lines.append("Overall \(table.style.dash): nothing matched step 1")
        } else {
            lines += rows(table)
            lines.append("Overall \(rate.map(NumberFormat.percent) ?? table.style.dash)")
        }
        lines += table.inputLines(trend.input, key: table.shown(definition.key.description))
        return lines
    }

    private func rows(_ table: TableReport) -> [String] {
        let heading = [unit.rawValue, "entered", "converted", "rate", "", "median", "open"]
        let widest = periods.lazy.compactMap { $0.point?.rate }.max() ?? 0
        let cells = periods.map { period -> [String] in
            let point = period.point
            return [
                label(period), table.number(point?.entered ?? 0), table.number(point?.converted ?? 0),
                point?.rate.map(NumberFormat.percent) ?? table.style.dash, "",
                point?.timeToConvert.map { NumberFormat.duration($0.p50) } ?? "",
                (point?.windowOpen).flatMap { $0 == 0 ? nil : table.number($0) } ?? "",
            ]
        }
        // The bars fill what the numbers leave.
        let bare = table.columns(heading, cells, rightAligned: [1, 2, 3, 5, 6]).map(TerminalText.width(of:)).max() ?? 0
        let bar = min(max((table.style.width ?? 100) - bare - 2, 0), 40)
        let drawn = zip(periods, cells).map { period, cells -> [String] in
            var cells = cells
            // The longest bar is the best period's: a trend shows by comparison.
            if bar >= 8, let rate = period.point?.rate, widest > 0 { cells[4] = table.style.bar(rate / widest, columns: bar) }
            return cells
        }
        return table.columns(heading, drawn, rightAligned: [1, 2, 3, 5, 6]).map(TerminalText.trimmed)
    }

    public func text(in json: JSONReport) -> String {
        json.document { writer in
            writer.breakLine(" ")
            trend.definition.write(to: &writer)
            writer.breakLine(" ")
            writer.member("every", unit.rawValue)
            writer.member("tz", zone.name)
            writer.breakLine(" ")
            writer.key("points")
            writer.array(periods, onePerLine: true) { writer, period in
                writer.object { writer in
                    let point = period.point
                    writer.member("start_ms", period.startMilliseconds)
                    writer.member("entered", point?.entered ?? 0)
                    writer.member("converted", point?.converted ?? 0)
                    writer.member("rate", point?.rate)
                    writer.member("window_open", point?.windowOpen ?? 0)
                    writer.key("counts")
                    writer.array(point?.steps.map(\.count) ?? trend.definition.steps.map { _ in 0 }) { writer, count in
                        writer.integer(Int64(count))
                    }
                    writer.member("time_ms", point?.timeToConvert)
                }
            }
            writer.breakLine(" ")
            trend.input.write(to: &writer)
        }
    }
}
