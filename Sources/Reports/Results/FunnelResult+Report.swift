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
            kind: "funnel", title: definition.name ?? "Funnel", period: input.period, highlights: highlights,
            remarks: remarks, records: records, figures: figures, definition: definition.facts,
            quality: input.facts(key: definition.key.words))
        section.findings = groupFindings
        section.summary = ReportSummary(count: converted, total: entered)
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
        var figures = [
            ReportFigure("Steps", chart: entered > 0 ? .funnel(FunnelChart(rows: chartRows)) : nil, table: stepTable)
        ]
        if let time = timeToConvert, let chart = HistogramChart(time, of: "Time to convert") {
            figures.append(ReportFigure("Time to convert", chart: .histogram(chart), table: chart.table("Time from step 1 to the last")))
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
        let entered =
            definition.counting == .attempts
            ? "\(GroupedNumber.counted(entered, "attempt")) by \(table.shown(definition.key.description))"
            : table.counted(entered, by: definition.key)
        let parts =
            [entered, definition.windowWords] + definition.modes(in: table) + ["same-millisecond events in any order"]
            + [table.times(definition.since, definition.until, what: "starts")].compactMap(\.self)
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

    public func text(in json: JSONReport) -> String { json.document { write(to: &$0) } }

    /// All of a funnel's keys but the document's own.
    func write(to writer: inout JSONWriter) {
        writer.breakLine(" ")
        definition.write(to: &writer)
        writer.breakLine(" ")
        writeCounts(to: &writer)
        writer.breakLine(" ")
        input.write(to: &writer)
    }

    /// What was counted, without the definition and the input.
    func writeCounts(to writer: inout JSONWriter) {
        writer.key("steps")
        write(steps, onePerLine: true, to: &writer)
        writer.breakLine(" ")
        writer.key("overall")
        writer.object { writer in
            writer.member("entered", entered)
            writer.member("converted", converted)
            writer.member("rate", rate)
            writer.member("time_ms", timeToConvert)
            writer.member("rate_ci95", share.interval)
        }
        writer.breakLine(" ")
        writer.key("groups")
        writer.array(zip(groups, versusRest), onePerLine: true) { writer, pair in
            let (group, versusRest) = pair
            writer.object { writer in
                writer.member("value", group.value)
                writer.key("steps")
                write(group.steps, onePerLine: false, to: &writer)
                writer.key("overall")
                writer.object { share(of: group).write(to: &$0) }
                writer.key("versus_rest")
                guard let versusRest else { return writer.null() }
                writer.object { writer in
                    writer.member("difference", versusRest.difference?.value)
                    writer.member("ci95", versusRest.difference?.interval)
                    writer.member("p_value", versusRest.pValue)
                    writer.member("q_value", versusRest.qValue)
                }
            }
        }
        writer.breakLine(" ")
        writer.member("window_open", windowOpen)
        writer.breakLine(" ")
        writer.key("mature")
        guard mature.entered > 0 else { return writer.null() }
        writer.object { writer in
            writer.member("until_ms", mature.untilMilliseconds)
            Share(mature.converted, of: mature.entered).write(to: &writer)
            writer.member("left_out", mature.leftOut)
        }
    }
}

extension Share {
    /// `entered`, `converted`, `rate` and `rate_ci95`.
    func write(to writer: inout JSONWriter) {
        writer.member("entered", total)
        writer.member("converted", count)
        writer.member("rate", value)
        writer.member("rate_ci95", interval)
    }
}
