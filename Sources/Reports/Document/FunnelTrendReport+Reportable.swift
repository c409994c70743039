import Funnels

extension FunnelTrendReport: Reportable {
    public func text(in table: TableReport) -> String { table.text(of: self) }
    public func text(in json: JSONReport) -> String { json.text(of: self) }

    public var section: ReportSection {
        let rate = entered == 0 ? nil : Double(converted) / Double(entered)
        let open = trend.points.reduce(0) { $0 + $1.windowOpen }
        var remarks: [String] = []
        if entered == 0 { remarks.append("Nothing matched step 1.") }
        if open > 0 {
            remarks.append(
                "\(NumberFormat.count(open)) that did not convert still had time when the data ended: the last rates may yet rise.")
        }
        return ReportSection(
            kind: "trend", title: trend.definition.name.map { "\($0) by \(unit.rawValue)" } ?? "Trend",
            period: ReportSection.period(trend.input),
            highlights: [
                ReportFact("Conversion", .share(rate)), ReportFact("Entered", .count(entered)), ReportFact("Converted", .count(converted)),
            ], remarks: remarks, records: records,
            figures: [ReportFigure("Conversion by the time of entry", chart: periods.count > 1 ? .line(chart) : nil, table: table)],
            definition: [ReportFact("Every", .words("\(unit.rawValue), by the clocks of \(zone.name)"))] + trend.definition.facts,
            quality: ReportSection.quality(trend.input, key: trend.definition.key.words))
    }

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
}
