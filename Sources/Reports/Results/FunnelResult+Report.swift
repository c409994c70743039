import Basics
public import Funnels

extension FunnelResult: Reportable {
    public var section: ReportSection {
        let highlights = [
            ReportFact("Conversion", .share(rate)), ReportFact("95 %", .interval(share.interval)), ReportFact("Entered", .count(entered)),
            ReportFact("Converted", .count(converted)), ReportFact("Median time", timeToConvert.map { .duration($0.p50) } ?? .none),
        ]
        return ReportSection(
            kind: "funnel", title: definition.name ?? "Funnel", period: input.period,
            highlights: ReportFact.known(highlights) + ReportFact.unseen(unseenNames),
            headline: ReportHeadline(share: share), remarks: remarks, findings: groupFindings, makeRecords: { records },
            makeFigures: { figures }, definition: definition.facts, quality: input.facts(key: definition.key.words))
    }

    private var remarks: [String] {
        let loss = largestLoss.map { loss in
            let share = loss.ofPrevious.map {
                " (\(NumberFormat.percent(1 - $0)) of those who were at step \(definition.requiredStep(before: loss.index - 1) + 1))"
            }
            return "The largest loss is at step \(loss.index): \(NumberFormat.count(loss.dropped))\(share ?? "")."
        }
        let unseen = "\(GroupedNumber.counted(unseenNames.count, "name")) in the steps did not occur in the data."
        return [
            entered == 0 ? "Nothing \(entering)." : nil, loss,
            windowOpen > 0 ? "\(NumberFormat.count(windowOpen)) that did not convert still had time when the data ended." : nil,
            leftOutWords, unseenNames.isEmpty ? nil : unseen,
        ].compactMap(\.self)
    }

    /// How many are not counted because they entered too late.
    var leftOutWords: String? {
        guard definition.starts == .mature && mature.leftOut > 0 else { return nil }
        return "\(NumberFormat.count(mature.leftOut)) more, left out here, entered too late to be mature when the data ended."
    }

    /// What nobody did, where nobody entered.
    var entering: String { leftOutWords == nil ? "matched step 1" : "matched step 1 in time to be mature" }

    private var figures: [ReportFigure] {
        let times = timeToConvert.flatMap { HistogramChart($0, of: "Time to convert") }
        let ofGroups = definition.breakdown == nil || groups.isEmpty ? [] : [groupFigure, groupTimeFigure]
        let figures = [
            ReportFigure(title: "Steps", chart: entered > 0 ? FunnelChart(rows: chartRows) : nil, table: stepTable),
            times.map { ReportFigure(title: "Time to convert", chart: $0, table: $0.table("Time from step 1 to the last")) },
        ]
        return (figures + ofGroups).compactMap(\.self)
    }

    private var chartRows: [FunnelChart.Row] {
        steps.map { step in
            FunnelChart.Row(
                name: definition.anySteps(step.index) ?? definition.steps[step.index - 1].description, count: step.count,
                share: step.ofFirst ?? 0, previous: definition.requiredStep(before: step.index - 1) + 1, dropped: step.dropped,
                ofPrevious: step.ofPrevious, median: step.fromPrevious?.p50, ninetieth: step.fromPrevious?.p90)
        }
    }

    public func lines(in table: TableReport) -> [String] {
        let parts =
            [definition.counted(entered, in: table), definition.windowWords] + definition.modes(in: table)
            + ["same-millisecond events in any order", table.times(definition.since, definition.until, what: "starts")]
        return table.heading(table.shown(definition.name ?? "Funnel"), parts, input) + stepLines(in: table) + overall(table)
            + groupLines(in: table) + findingLines(in: table) + table.inputLines(input, key: table.shown(definition.key.description))
    }

    private func overall(_ table: TableReport) -> [String] {
        guard let rate else { return ["Overall \(table.style.dash): nothing \(entering)"] }
        return table.overall(
            NumberFormat.percent(rate),
            [
                share.interval.map { "95% \($0.shareText(dash: table.style.dash))" },
                timeToConvert.map { "median \(NumberFormat.duration($0.p50))" },
                largestLoss.map { "largest loss at step \($0.index) (\(table.style.minus)\(table.number($0.dropped)))" },
                windowOpen > 0 ? "\(table.number(windowOpen)) still in their window" : nil,
                leftOutWords == nil ? nil : "\(table.number(mature.leftOut)) too late to be mature left out",
            ])
    }

    public func text(in json: JSONReport) -> String { json.document(self.json) }

    var json: [JSONObject] { [definition.json()] + counts + [input.json] }

    /// What was counted, without the definition and the input.
    var counts: [JSONObject] {
        let overall: JSONObject = [
            "entered": entered, "converted": converted, "rate": rate, "time_ms": timeToConvert, "rate_ci95": share.interval,
        ]
        let ripe = ["until_ms": mature.untilMilliseconds] + Share(mature.converted, of: mature.entered).json + ["left_out": mature.leftOut]
        return [
            ["steps": JSONRows(zip(steps, definition.steps)) { json($0, $1, in: steps) }], ["overall": overall],
            ["groups": JSONRows(comparedGroups, json)], ["window_open": windowOpen], ["mature": mature.entered > 0 ? ripe : nil],
        ]
    }

    private func json(_ compared: ComparedGroup) -> JSONObject {
        let (group, rest) = (compared.group, compared.versusRest)
        let difference: JSONObject? = rest.map {
            [
                "difference": $0.difference?.value, "ci95": $0.isOfDifference ? $0.interval : nil, "p_value": $0.claim?.pValue,
                "q_value": $0.claim?.qValue,
            ]
        }
        return [
            "value": group.value, "steps": zip(group.steps, definition.steps).map { json($0, $1, in: group.steps) },
            "overall": share(of: group).json, "versus_rest": difference, "claim": rest?.claim?.json(.group, of: group.value),
        ]
    }
}

extension Share { var json: JSONObject { ["entered": total, "converted": count, "rate": value, "rate_ci95": interval] } }
