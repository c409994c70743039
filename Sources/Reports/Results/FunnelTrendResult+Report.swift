import Basics
import Funnels

extension FunnelTrendResult: Reportable {
    public var section: ReportSection {
        let whole = trend.whole
        var remarks: [String] = []
        if whole.entered == 0 { remarks.append("Nothing matched step 1.") }
        if whole.windowOpen > 0 {
            remarks.append(
                "\(NumberFormat.count(whole.windowOpen)) that did not convert still had time when the data ended: the last rates may yet rise."
            )
        }
        if let leftOut { remarks.append(leftOut) }
        if periods.contains(where: { !$0.isComplete }) {
            remarks.append(
                "Periods that are marked are not complete: they do not lie wholly in the range, or some of their windows are open.")
        }
        if trend.definition.counting != .visits { remarks.append("Who starts in several \(unit.rawValue)s counts in each.") }
        var highlights = [
            ReportFact("Conversion", .share(whole.rate)), ReportFact("Entered", .count(whole.entered)),
            ReportFact("Converted", .count(whole.converted)),
        ]
        if let interval = whole.share.interval { highlights.insert(ReportFact("95 %", .words(interval.shareText())), at: 1) }
        var figures = [ReportFigure("Conversion by the time of entry", chart: periods.count > 1 ? chart : nil, table: table)]
        if trend.definition.breakdown != nil && !whole.groups.isEmpty {
            figures.append(
                ReportFigure("Conversion by the time of entry, by group", chart: periods.count > 1 ? groupChart : nil, table: groupTable))
        }
        var section = ReportSection(
            kind: "trend", title: trend.definition.name.map { "\($0) by \(unit.rawValue)" } ?? "Trend", period: trend.input.period,
            highlights: highlights + ReportFact.unseen(trend.unseenNames), remarks: remarks, records: records, figures: figures,
            definition: [ReportFact("Every", .words("\(unit.rawValue), by the clocks of \(zone.name)"))] + trend.definition.facts,
            quality: trend.input.facts(key: trend.definition.key.words))
        section.findings = findings
        return section
    }

    /// How many are not counted because they entered too late.
    private var leftOut: String? {
        let mature = trend.whole.mature
        guard trend.definition.starts == .mature && mature.leftOut > 0 else { return nil }
        return "\(NumberFormat.count(mature.leftOut)) more entered too late to be mature when the data ended, and are left out."
    }

    /// A row a group and period, of the groups that the whole funnel shows.
    private var groupTable: ReportTable {
        ReportTable(
            "Conversion of each group by the time of entry",
            columns: [
                .init("Group", key: "group"), .init(unit.rawValue.prefix(1).uppercased() + unit.rawValue.dropFirst(), key: "period"),
                .init("Entered", key: "entered"), .init("Converted", key: "converted"), .init("Conversion", key: "rate"),
                .init("95 %", key: "rate_ci95"), .init("Complete", key: "complete"),
            ],
            rows: trend.whole.orderedGroups.flatMap { group in
                periods.map { period in
                    let share = self.share(of: group, in: period)
                    return [
                        .data(group.value), .words(label(period)), .count(share?.total ?? 0), .count(share?.count ?? 0),
                        .share(share?.value), .interval(share?.interval), .flag(period.isComplete),
                    ]
                }
            })
    }

    private var chart: LineChart {
        let points = periods.map { period in
            LineChart.Point(
                label: label(period), share: period.point?.rate, count: period.point?.entered ?? 0, isComplete: period.isComplete,
                mark: marks.first { $0.mark.milliseconds == period.startMilliseconds }?.mark.label)
        }
        if compared.isEmpty { return LineChart(points: points) }
        let others = compared.map { other in
            LineChart.Point(label: other.map(label) ?? "", share: other?.point?.rate, isComplete: other?.isComplete ?? true)
        }
        return LineChart(lines: [.init(name: "This time", points: points), .init(name: "Other time", points: others, isFaint: true)])
    }

    /// The field `compared` of a point: the same period of the other time.
    private func json(_ other: Period, beside point: FunnelTrend.Point?) -> JSONObject {
        let difference: JSONObject = ["rate": FunnelComparison.difference(point?.rate, other.point?.rate)]
        return [
            "start_ms": other.startMilliseconds, "entered": other.point?.entered ?? 0, "converted": other.point?.converted ?? 0,
            "rate": other.point?.rate, "complete": other.isComplete, "difference": difference,
        ]
    }

    /// A line for each of the largest groups; the table has all.
    private var groupChart: LineChart {
        LineChart(
            lines: trend.whole.orderedGroups.prefix(LineChart.mostLines).map { group in
                LineChart.Line(
                    name: group.value,
                    points: periods.map {
                        LineChart.Point(label: label($0), share: share(of: group, in: $0)?.value, isComplete: $0.isComplete)
                    })
            })
    }

    /// The share of a group that converted in a period; `nil` where none of it entered.
    private func share(of group: FunnelResult.Group, in period: Period) -> Share? {
        period.point?.groups.first { $0.value.isExactly(group.value) }.map { trend.whole.share(of: $0) }
    }

    private var table: ReportTable {
        let besides: [ReportTable.Column] = [
            .init("Compared with", key: "compared_period"), .init("Conversion", key: "compared_rate"),
            .init("Difference", key: "rate_points"),
        ]
        return ReportTable(
            "Conversion by the time of entry",
            columns: [
                .init(unit.rawValue.prefix(1).uppercased() + unit.rawValue.dropFirst(), key: "period"), .init("Entered", key: "entered"),
                .init("Converted", key: "converted"), .init("Conversion", key: "rate"), .init("95 %", key: "rate_ci95"),
                .init("Median time", key: "time_p50_ms"), .init("Still open", key: "window_open"), .init("Left out", key: "left_out"),
                .init("Complete", key: "complete"),
            ] + (compared.isEmpty ? [] : besides),
            rows: periods.enumerated().map { place, period in
                let point = period.point
                let row: [ReportValue] = [
                    .words(label(period)), .count(point?.entered ?? 0), .count(point?.converted ?? 0), .share(point?.rate),
                    .interval(point.flatMap { Share($0.converted, of: $0.entered).interval }), .duration(point?.timeToConvert?.p50),
                    .count(point?.windowOpen ?? 0), .count(point?.leftOut ?? 0), .flag(period.isComplete),
                ]
                if compared.isEmpty { return row }
                let other = compared[place]
                return row + [
                    other.map { .words(label($0)) } ?? .none, .share(other?.point?.rate),
                    .points(FunnelComparison.difference(point?.rate, other?.point?.rate)),
                ]
            })
    }

    /// One row a period, group and step. A row without a group is of everybody.
    private var records: ReportTable {
        let hasGroups = trend.definition.breakdown != nil
        let columns: [ReportTable.Column] =
            [
                .init("Period", key: "period"), .init("Start", key: "start"), .init("Step", key: "step"), .init("Name", key: "name"),
                .init("Count", key: "count"), .init("Of step 1", key: "of_first"), .init("Still open", key: "window_open"),
                .init("95 % from", key: "of_first_ci95_lower"), .init("to", key: "of_first_ci95_upper"), .init("Left out", key: "left_out"),
                .init("Complete", key: "complete"),
            ] + (hasGroups ? [.init("Group", key: "group")] : [])
            + (compared.isEmpty
                ? []
                : [
                    .init("Compared with", key: "compared_period"), .init("Start", key: "compared_start"),
                    .init("Count", key: "compared_count"), .init("Of step 1", key: "compared_of_first"),
                    .init("Difference", key: "of_first_points"),
                ])
        let rows = periods.enumerated().flatMap { order, period -> [[ReportValue]] in
            let point = period.point
            let other = compared.isEmpty ? nil : compared[order]
            let whole: [(steps: [FunnelResult.Step]?, group: ReportValue)] = [(point?.steps, .none)]
            return (whole + (point?.groups.map { ($0.steps, .data($0.value)) } ?? [])).flatMap { steps, group in
                trend.definition.steps.enumerated().map { place, step -> [ReportValue] in
                    let interval = steps.flatMap { trend.whole.share(ofFirst: $0[place], in: $0).interval }
                    let row: [ReportValue] = [
                        .words(label(period)), .moment(period.startMilliseconds), .count(place + 1), .data(step.pattern.title),
                        .count(steps?[place].count ?? 0), .share(steps?[place].ofFirst), .count(point?.windowOpen ?? 0),
                        .share(interval?.lower), .share(interval?.upper), .count(point?.leftOut ?? 0), .flag(period.isComplete),
                    ]
                    let besides = compared.isEmpty ? [] : self.besides(other, group, place, beside: steps)
                    return row + (hasGroups ? [group] : []) + besides
                }
            }
        }
        return ReportTable("One row a period and step", columns: columns, rows: rows)
    }

    /// A step's values in the period of the other time.
    private func besides(_ other: Period?, _ group: ReportValue, _ place: Int, beside steps: [FunnelResult.Step]?) -> [ReportValue] {
        let others: [FunnelResult.Step]? =
            if case .data(let value) = group {
                other?.point?.groups.first { $0.value.isExactly(value) }?.steps
            } else {
                other?.point?.steps
            }
        let ofFirst = others?[place].ofFirst
        return [
            other.map { .words(label($0)) } ?? .none, other.map { .moment($0.startMilliseconds) } ?? .none,
            other.map { _ in .count(others?[place].count ?? 0) } ?? .none, .share(ofFirst),
            .points(FunnelComparison.difference(steps?[place].ofFirst, ofFirst)),
        ]
    }

    public func lines(in table: TableReport) -> [String] {
        let (definition, whole) = (trend.definition, trend.whole)
        var lines = table.heading(
            table.shown(definition.name ?? "Trend"),
            [definition.counted(whole.entered, in: table), "every \(unit.rawValue) by \(zone.name)", definition.windowWords]
                + definition.modes(in: table)
                + [definition.breakdown.map { "by \(table.shown($0.description))" }].compactMap(\.self)
                + [table.times(definition.since, definition.until, what: "starts")].compactMap(\.self), trend.input)
        if periods.isEmpty {
            lines.append("Overall \(table.style.dash): nothing matched step 1")
        } else {
            lines += rows(table)
            var pieces: [(text: String, gap: String)] = [("Overall \(whole.rate.map(NumberFormat.percent) ?? table.style.dash)", "")]
            if let interval = whole.share.interval {
                pieces.append(("\(table.style.dot) 95% \(interval.shareText(dash: table.style.dash))", " "))
            }
            if trend.definition.counting != .visits {
                pieces.append(("\(table.style.dot) who starts in several periods counts in each", " "))
            }
            lines += table.style.flow(pieces)
            if let leftOut { lines += table.style.flow(leftOut.split(separator: " ").map { (String($0), " ") }) }
            if periods.contains(where: { !$0.isComplete }) { lines.append("* not complete") }
            for finding in findings {
                lines += table.style.flow(table.shown(finding.words, atMost: 400).split(separator: " ").map { (String($0), " ") })
            }
            lines += groupLines(table)
        }
        lines += table.inputLines(trend.input, key: table.shown(definition.key.description))
        return lines
    }

    /// A row a period, a column a group, as many as there is room for.
    private func groupLines(_ table: TableReport) -> [String] {
        guard trend.definition.breakdown != nil, !trend.whole.groups.isEmpty else { return [] }
        let groups = trend.whole.orderedGroups
        let heading = [unit.rawValue] + groups.map { table.shown($0.value, atMost: 16) }
        let cells = periods.map { period in
            [mark(period)] + groups.map { group in (share(of: group, in: period)?.value).map(NumberFormat.percent) ?? table.style.dash }
        }
        return [""] + table.columns(heading, cells, rightAligned: Set(1...groups.count))
    }

    /// A period's name, marked if it is not complete.
    private func mark(_ period: Period) -> String { label(period) + (period.isComplete ? "" : "*") }

    private func rows(_ table: TableReport) -> [String] {
        let isCompared = !compared.isEmpty
        let isOpen = periods.contains { ($0.point?.windowOpen ?? 0) > 0 }
        let isCut = periods.contains { ($0.point?.leftOut ?? 0) > 0 } && trend.definition.starts == .mature
        // What was asked for stands before what does not fit a narrow window.
        let columns: [(heading: String, isShown: Bool, isLeft: Bool)] = [
            (unit.rawValue, true, true), ("entered", true, false), ("converted", true, false), ("rate", true, false),
            ("other rate", isCompared, false), ("difference", isCompared, false), ("", !isCompared, true), ("95%", true, false),
            ("median", true, false), ("open", isOpen, false), ("left out", isCut, false), ("compared with", isCompared, true),
        ]
        let widest = periods.lazy.compactMap { $0.point?.rate }.max() ?? 0
        func some(_ count: Int?) -> String { count.flatMap { $0 == 0 ? nil : table.number($0) } ?? "" }
        let shown = columns.indices.filter { columns[$0].isShown }
        let heading = shown.map { columns[$0].heading }
        let right = Set(shown.indices.filter { !columns[shown[$0]].isLeft })
        let cells = periods.enumerated().map { place, period -> [String] in
            let point = period.point
            let other = isCompared ? compared[place] : nil
            let difference = FunnelComparison.difference(point?.rate, other?.point?.rate)
            let all = [
                mark(period), table.number(point?.entered ?? 0), table.number(point?.converted ?? 0),
                point?.rate.map(NumberFormat.percent) ?? table.style.dash, other?.point?.rate.map(NumberFormat.percent) ?? table.style.dash,
                difference.map { NumberFormat.points($0, minus: table.style.isASCII ? "-" : "−") } ?? "", "",
                point.flatMap { Share($0.converted, of: $0.entered).interval?.shareText(dash: table.style.dash) } ?? "",
                point?.timeToConvert.map { NumberFormat.duration($0.p50) } ?? "", some(point?.windowOpen), some(point?.leftOut),
                other.map(mark) ?? "",
            ]
            return shown.map { all[$0] }
        }
        guard let barColumn = shown.firstIndex(where: { columns[$0].heading.isEmpty }) else {
            return table.columns(heading, cells, rightAligned: right)
        }
        // The bars fill what the numbers leave.
        let bare = TableReport(table.style.plain).columns(heading, cells, rightAligned: right).map(TerminalText.width(of:)).max() ?? 0
        let bar = min(max((table.style.width ?? 100) - bare - 2, 0), 40)
        let drawn = zip(periods, cells).map { period, cells -> [String] in
            var cells = cells
            // The longest bar is the best period's: a trend shows by comparison.
            if bar >= 8, let rate = period.point?.rate, widest > 0 { cells[barColumn] = table.style.bar(rate / widest, columns: bar) }
            return cells
        }
        return table.columns(heading, drawn, rightAligned: right) + (bar < 8 && widest > 0 ? table.notShown(["bars"]) : [])
    }

    public func text(in json: JSONReport) -> String {
        json.document { writer in
            trend.definition.write(to: &writer)
            writer.line(["every": unit.rawValue, "tz": zone.name])
            writer.line(["overall": trend.whole.share.json])
            writer.line(["verdict": verdict.map { self.json($0) }])
            writer.line([
                "marks": JSONRows(marks) { mark, change in
                    [
                        "ms": mark.milliseconds, "label": mark.label,
                        "claim": self.json(change),
                    ]
                }
            ])
            writer.line(["alert": alert.map(\.json)])
            writer.line(["points": JSONRows(periods.indices) { self.json(ofPeriod: $0) }])
            trend.input.write(to: &writer)
        }
    }

    private func json(ofPeriod index: Int) -> JSONObject {
        let period = periods[index]
        let point = period.point
        let groups: [JSONObject] = (point?.groups ?? []).map { ["value": $0.value] + trend.whole.share(of: $0).json }
        let own: JSONObject = [
            "start_ms": period.startMilliseconds, "entered": point?.entered ?? 0, "converted": point?.converted ?? 0, "rate": point?.rate,
            "window_open": point?.windowOpen ?? 0, "counts": point?.steps.map(\.count) ?? trend.definition.steps.map { _ in 0 },
            "time_ms": point?.timeToConvert, "complete": period.isComplete, "left_out": point?.leftOut ?? 0,
            "rate_ci95": point.flatMap { Share($0.converted, of: $0.entered).interval }, "groups": groups,
            "coverage": point?.coverage?.json,
        ]
        return compared.isEmpty ? own : own + ["compared": compared[index].map { json($0, beside: point) }]
    }
}
