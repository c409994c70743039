import Basics
public import Funnels

extension FunnelResult: Reportable {
    public var section: ReportSection {
        var highlights = [
            ReportFact("Conversion", .share(rate)), ReportFact("Entered", .count(entered)), ReportFact("Converted", .count(converted)),
        ]
        if let time = timeToConvert { highlights.append(ReportFact("Median time", .duration(time.p50))) }
        if let interval = share.interval { highlights.insert(ReportFact("95 %", .words(interval.shareText())), at: 1) }
        var section = ReportSection(
            kind: "funnel", title: definition.name ?? "Funnel", period: input.period,
            highlights: highlights + ReportFact.unseen(unseenNames), remarks: remarks,
            records: records, figures: figures, definition: definition.facts, quality: input.facts(key: definition.key.words))
        section.findings = groupFindings
        section.headline = ReportHeadline(count: converted, total: entered)
        return section
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
        if definition.starts == .mature && mature.leftOut > 0 {
            remarks.append(
                "\(NumberFormat.count(mature.leftOut)) more entered too late to be mature when the data ended, and are left out.")
        }
        if !unseenNames.isEmpty {
            remarks.append("\(GroupedNumber.counted(unseenNames.count, "name")) in the steps did not occur in the data.")
        }
        return remarks
    }

    private var figures: [ReportFigure] {
        var figures = [ReportFigure("Steps", chart: entered > 0 ? FunnelChart(rows: chartRows) : nil, table: stepTable)]
        if let time = timeToConvert, let chart = HistogramChart(time, of: "Time to convert") {
            figures.append(ReportFigure("Time to convert", chart: chart, table: chart.table("Time from step 1 to the last")))
        }
        if definition.breakdown != nil, !groups.isEmpty {
            figures.append(groupFigure)
            if let groupTimeFigure { figures.append(groupTimeFigure) }
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

    public func lines(in table: TableReport) -> [String] {
        heading(table) + stepLines(in: table) + overall(table) + groupLines(in: table) + findingLines(in: table)
            + table.inputLines(input, key: table.shown(definition.key.description))
    }

    /// Name, who was counted and how, and of what time.
    private func heading(_ table: TableReport) -> [String] {
        let entered = definition.counted(entered, in: table)
        let parts =
            [entered, definition.windowWords] + definition.modes(in: table)
            + ["same-millisecond events in any order", table.times(definition.since, definition.until, what: "starts")]
        return table.heading(table.shown(definition.name ?? "Funnel"), parts, input)
    }

    private func overall(_ table: TableReport) -> [String] {
        guard let rate else { return ["Overall \(table.style.dash): nothing matched step 1"] }
        var pieces: [(text: String, gap: String)] = [("Overall \(NumberFormat.percent(rate))", "")]
        func add(_ text: String) { pieces.append(("\(table.style.dot) \(text)", " ")) }
        if let interval = share.interval { add("95% \(interval.shareText(dash: table.style.dash))") }
        if let time = timeToConvert { add("median \(NumberFormat.duration(time.p50))") }
        if let loss = largestLoss { add("largest loss at step \(loss.index) (\(table.style.minus)\(table.number(loss.dropped)))") }
        if windowOpen > 0 { add("\(table.number(windowOpen)) still in their window") }
        if definition.starts == .mature && mature.leftOut > 0 { add("\(table.number(mature.leftOut)) too late to be mature left out") }
        return table.style.flow(pieces)
    }

    public func text(in json: JSONReport) -> String { json.document(self.json) }

    var json: [JSONObject] { [definition.json()] + counts + [input.json] }

    /// What was counted, without the definition and the input.
    var counts: [JSONObject] {
        let overall: JSONObject = [
            "entered": entered, "converted": converted, "rate": rate, "time_ms": timeToConvert, "rate_ci95": share.interval,
        ]
        let until: JSONObject = ["until_ms": mature.untilMilliseconds]
        let ripe = until + Share(mature.converted, of: mature.entered).json + ["left_out": mature.leftOut]
        return [
            ["steps": JSONRows(zip(steps, definition.steps)) { json($0, $1, in: steps) }], ["overall": overall],
            ["groups": JSONRows(groups, json)], ["window_open": windowOpen],
            ["mature": mature.entered > 0 ? ripe : nil],
        ]
    }

    private func json(_ group: Group) -> JSONObject {
        let difference: JSONObject? = versusRest(of: group).map {
            ["difference": $0.difference?.value, "ci95": $0.difference?.interval, "p_value": $0.pValue, "q_value": $0.qValue]
        }
        return [
            "value": group.value, "steps": zip(group.steps, definition.steps).map { json($0, $1, in: group.steps) },
            "overall": share(of: group).json, "versus_rest": difference, "claim": claim(of: group)?.json(.group, of: group.value),
        ]
    }
}

extension Share {
    var json: JSONObject { ["entered": total, "converted": count, "rate": value, "rate_ci95": interval] }
}
