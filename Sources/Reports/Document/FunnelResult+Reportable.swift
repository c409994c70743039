public import Funnels

extension FunnelResult: Reportable {
    public func text(in table: TableReport) -> String { table.text(of: self) }
    public func text(in json: JSONReport) -> String { json.text(of: self) }

    public var section: ReportSection {
        var highlights = [
            ReportFact("Conversion", .share(rate)), ReportFact("Entered", .count(entered)), ReportFact("Converted", .count(converted)),
        ]
        if let time = timeToConvert { highlights.append(ReportFact("Median time", .duration(time.p50))) }
        return ReportSection(
            kind: "funnel", title: definition.name ?? "Funnel", period: ReportSection.period(input), highlights: highlights,
            remarks: remarks, records: records, figures: figures, definition: definition.facts,
            quality: ReportSection.quality(input, key: keyName))
    }

    /// A property's path is data; `quality` has room for words only.
    private var keyName: String {
        if case .property = definition.key { "the property" } else { definition.key.description }
    }

    private var remarks: [String] {
        var remarks: [String] = []
        if entered == 0 { remarks.append("Nothing matched step 1.") }
        if let loss = largestLoss {
            let share =
                loss.ofPrevious.map {
                    " (\(NumberFormat.percent(1 - $0)) of those who were at step \(definition.requiredStep(before: loss.index - 1) + 1))"
                } ?? ""
            remarks.append("The largest loss is at step \(loss.index): \(NumberFormat.count(loss.dropped))\(share).")
        }
        if windowOpen > 0 {
            remarks.append("\(NumberFormat.count(windowOpen)) that did not convert still had time when the data ended.")
        }
        if !unseenNames.isEmpty {
            remarks.append("\(NumberFormat.counted(unseenNames.count, "name")) in the steps did not occur in the data.")
        }
        return remarks
    }

    private var figures: [ReportFigure] {
        var figures = [
            ReportFigure(
                "Steps", chart: entered > 0 ? .funnel(FunnelChart(rows: chartRows)) : nil,
                table: FunnelRecords.table(of: steps, in: definition))
        ]
        if let time = timeToConvert, let chart = HistogramChart(time, of: "Time to convert") {
            figures.append(ReportFigure("Time to convert", chart: .histogram(chart), table: chart.table("Time from step 1 to the last")))
        }
        if let breakdown = definition.breakdown, !groups.isEmpty {
            figures.append(FunnelGroupsFigure(groups: groups, definition: definition, breakdown: breakdown).figure)
        }
        return figures
    }

    private var chartRows: [FunnelChart.Row] {
        steps.map { step in
            FunnelChart.Row(
                name: definition.steps[step.index - 1].description, count: step.count, share: step.ofFirst ?? 0,
                previous: definition.requiredStep(before: step.index - 1) + 1, dropped: step.dropped, ofPrevious: step.ofPrevious,
                median: step.fromPrevious?.p50, ninetieth: step.fromPrevious?.p90)
        }
    }

    private var records: ReportTable {
        ReportTable(
            "One row a step", columns: FunnelRecords.columns,
            rows: FunnelRecords.rows(of: steps, group: .none, in: definition)
                + groups.flatMap { FunnelRecords.rows(of: $0.steps, group: .data($0.value), in: definition) })
    }
}
