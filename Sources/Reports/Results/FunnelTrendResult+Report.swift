import Basics
import Funnels

extension FunnelTrendResult: Reportable {
    public var section: ReportSection {
        let whole = trend.whole
        let open = "\(NumberFormat.count(whole.windowOpen)) that did not convert still had time when the data ended"
        let incomplete = "Periods that are marked are not complete: they do not lie wholly in the range, or some of their windows are open."
        let remarks = [
            whole.entered == 0 ? "Nothing \(whole.entering)." : nil, whole.windowOpen > 0 ? "\(open): the last rates may yet rise." : nil,
            whole.leftOutWords, periods.contains { !$0.isComplete } ? incomplete : nil,
            trend.definition.counting != .users ? nil : "Who starts in several \(unit.rawValue)s counts in each.",
        ]
        let highlights = [
            ReportFact("Conversion", .share(whole.rate)), ReportFact("95 %", .interval(whole.share.interval)),
            ReportFact("Entered", .count(whole.entered)), ReportFact("Converted", .count(whole.converted)),
        ]
        return ReportSection(
            kind: "trend", title: trend.definition.name.map { "\($0) by \(unit.rawValue)" } ?? "Trend", period: trend.input.period,
            highlights: ReportFact.known(highlights) + ReportFact.unseen(trend.unseenNames), remarks: remarks.compactMap(\.self),
            findings: findings, makeRecords: { records }, makeFigures: { figures },
            definition: [ReportFact("Every", .words("\(unit.rawValue), by the clocks of \(zone.name)"))] + trend.definition.facts,
            quality: trend.input.facts(key: trend.definition.key.words))
    }

    private var figures: [ReportFigure] {
        let (title, hasLine) = ("Conversion by the time of entry", periods.count > 1)
        let all = ReportFigure(title: title, chart: hasLine ? chart : nil, table: table)
        return [all] + (hasGroups ? [ReportFigure(title: "\(title), by group", chart: hasLine ? groupChart : nil, table: groupTable)] : [])
    }

    private var hasGroups: Bool { trend.definition.breakdown != nil && !trend.whole.groups.isEmpty }

    /// A row a group and period, of the groups that the whole funnel shows.
    private var groupTable: ReportTable {
        let rows = trend.whole.orderedGroups.flatMap { group in
            periods.map { (group: group.value, period: $0, share: share(of: group, in: $0)) }
        }
        return ReportTable(
            "Conversion of each group by the time of entry", of: rows,
            [
                .init("Group", "group") { .data($0.group) }, .init(unit.title, "period") { .words(label($0.period)) },
                .init("Entered", "entered") { .count($0.share?.total ?? 0) },
                .init("Converted", "converted") { .count($0.share?.count ?? 0) }, .init("Conversion", "rate") { .share($0.share?.value) },
                .init("95 %", "rate_ci95") { .interval($0.share?.interval) }, .init("Complete", "complete") { .flag($0.period.isComplete) },
            ])
    }

    private var chart: LineChart {
        let points = periods.map { period in
            let here = marks.map(\.mark).filter { $0.milliseconds == period.startMilliseconds }.map(\.label)
            return LineChart.Point(
                label: label(period), share: period.point?.rate, count: period.point?.entered ?? 0, isComplete: period.isComplete,
                mark: here.isEmpty ? nil : here.joined(separator: ", "))
        }
        if compared.isEmpty { return LineChart(points: points) }
        let others = compared.map { other in
            LineChart.Point(label: other.map(label) ?? "", share: other?.point?.rate, isComplete: other?.isComplete ?? true)
        }
        return LineChart(lines: [.init(name: "This time", points: points), .init(name: "Other time", points: others, isFaint: true)])
    }

    /// A line for each of the largest groups; the table has all.
    private var groupChart: LineChart {
        func point(_ group: FunnelResult.Group, _ period: Period) -> LineChart.Point {
            LineChart.Point(label: label(period), share: share(of: group, in: period)?.value, isComplete: period.isComplete)
        }
        let groups = trend.whole.orderedGroups.prefix(LineChart.mostLines)
        return LineChart(lines: groups.map { group in LineChart.Line(name: group.value, points: periods.map { point(group, $0) }) })
    }

    /// The share of a group that converted in a period; `nil` where none of it entered.
    private func share(of group: FunnelResult.Group, in period: Period) -> Share? {
        period.point?.groups.first { $0.value.isExactly(group.value) }.map { trend.whole.share(of: $0) }
    }

    /// A period with the one that it is compared with, where there are two times.
    private typealias Row = (period: Period, other: Period?)

    private var rows: [Row] { periods.indices.map { (periods[$0], compared.isEmpty ? nil : compared[$0]) } }

    private var table: ReportTable {
        // Where all starts count, nothing is left out.
        let isCut = trend.definition.starts == .mature
        let fields: [ReportTable.Field<Row>] = [
            .init(unit.title, "period") { .words(label($0.period)) }, .init("Entered", "entered") { .count($0.period.point?.entered ?? 0) },
            .init("Converted", "converted") { .count($0.period.point?.converted ?? 0) },
            .init("Conversion", "rate") { .share($0.period.point?.rate) },
            .init("95 %", "rate_ci95") { .interval($0.period.point?.share.interval) },
            .init("Median time", "time_p50_ms") { .duration($0.period.point?.timeToConvert?.p50) },
            .init("Still open", "window_open") { .count($0.period.point?.windowOpen ?? 0) },
            .init("Left out", "left_out", for: isCut ? .everyone : []) { .count($0.period.point?.leftOut ?? 0) },
            .init("Complete", "complete") { .flag($0.period.isComplete) },
        ]
        let besides: [ReportTable.Field<Row>] = [
            .init("Compared with", "compared_period") { .words($0.other.map(label)) },
            .init("Conversion", "compared_rate") { .share($0.other?.point?.rate) },
            .init("Difference", "rate_points") { .points(FunnelComparison.difference($0.period.point?.rate, $0.other?.point?.rate)) },
        ]
        return ReportTable("Conversion by the time of entry", of: rows, compared.isEmpty ? fields : fields + besides)
    }

    /// One row a period, group and step. A row without a group is of everybody.
    private var records: ReportTable {
        /// A step of a period, with all steps of its group there and in the period that it is compared with.
        typealias Record = (row: Row, group: String?, step: Int, own: [FunnelResult.Step]?, others: [FunnelResult.Step]?)
        func steps(_ period: Period?, _ group: String?) -> [FunnelResult.Step]? {
            guard let group else { return period?.point?.steps }
            return period?.point?.groups.first { $0.value.isExactly(group) }?.steps
        }
        func interval(_ record: Record) -> ConfidenceInterval? {
            record.own.flatMap { trend.whole.share(ofFirst: $0[record.step], in: $0).interval }
        }
        let all = rows.flatMap { row -> [Record] in
            ([nil] + (row.period.point?.groups.map(\.value) ?? [])).flatMap { group -> [Record] in
                trend.definition.steps.indices.map { (row, group, $0, steps(row.period, group), steps(row.other, group)) }
            }
        }
        let fields: [ReportTable.Field<Record>] = [
            .init("period") { .words(label($0.row.period)) }, .init("start") { .moment($0.row.period.startMilliseconds) },
            .init("step") { .count($0.step + 1) }, .init("name") { .data(trend.definition.steps[$0.step].pattern.title) },
            .init("count") { .count($0.own?[$0.step].count ?? 0) }, .init("of_first") { .share($0.own?[$0.step].ofFirst) },
            // A group's rows have the number of the whole period, as in the printed SQL.
            .init("window_open") { .count($0.row.period.point?.windowOpen ?? 0) },
            .init("of_first_ci95_lower") { .share(interval($0)?.lower) }, .init("of_first_ci95_upper") { .share(interval($0)?.upper) },
            .init("left_out") { .count($0.row.period.point?.leftOut ?? 0) }, .init("complete") { .flag($0.row.period.isComplete) },
        ]
        let group: [ReportTable.Field<Record>] = trend.definition.breakdown == nil ? [] : [.init("group") { .data($0.group) }]
        let besides: [ReportTable.Field<Record>] = [
            .init("compared_period") { .words($0.row.other.map(label)) },
            .init("compared_start") { .moment($0.row.other?.startMilliseconds) },
            .init("compared_count") { record in .count(record.row.other.map { _ in record.others?[record.step].count ?? 0 }) },
            .init("compared_of_first") { .share($0.others?[$0.step].ofFirst) },
            .init("of_first_points") { .points(FunnelComparison.difference($0.own?[$0.step].ofFirst, $0.others?[$0.step].ofFirst)) },
        ]
        return ReportTable("One row a period and step", of: all, fields + group + (compared.isEmpty ? [] : besides))
    }

    public func lines(in table: TableReport) -> [String] {
        let (definition, whole) = (trend.definition, trend.whole)
        var lines = table.heading(
            table.shown(definition.name ?? "Trend"),
            [definition.counted(whole.entered, in: table), "every \(unit.rawValue) by \(zone.name)", definition.windowWords]
                + definition.modes(in: table) + definition.limits(in: table), trend.input)
        if periods.isEmpty {
            lines.append("Overall \(table.style.dash): nothing \(whole.entering)")
        } else {
            lines += self.lines(ofPeriodsIn: table)
            let words = [
                whole.share.interval.map { "95% \($0.shareText(dash: table.style.dash))" },
                definition.counting != .users ? nil : "who starts in several periods counts in each",
            ]
            lines += table.overall(whole.rate.map(NumberFormat.percent) ?? table.style.dash, words)
            lines += whole.leftOutWords.map(table.words) ?? []
            if periods.contains(where: { !$0.isComplete }) { lines.append("* not complete") }
            lines += findings.flatMap { table.words(of: $0) }
            lines += groupLines(table)
        }
        return lines + table.inputLines(trend.input, key: table.shown(definition.key.description))
    }

    /// A row a period, a column a group, as many as there is room for.
    private func groupLines(_ table: TableReport) -> [String] {
        if !hasGroups { return [] }
        let groups = trend.whole.orderedGroups
        let heading = [unit.rawValue] + groups.map { table.shown($0.value, atMost: 16) }
        let cells = periods.map { period in
            [mark(period)] + groups.map { group in (share(of: group, in: period)?.value).map(NumberFormat.percent) ?? table.style.dash }
        }
        return [""] + table.columns(heading, cells, rightAligned: Set(1...groups.count))
    }

    private func mark(_ period: Period) -> String { label(period) + (period.isComplete ? "" : "*") }

    private func lines(ofPeriodsIn table: TableReport) -> [String] {
        let isCompared = !compared.isEmpty
        let isOpen = periods.contains { ($0.point?.windowOpen ?? 0) > 0 }
        let isCut = periods.contains { ($0.point?.leftOut ?? 0) > 0 } && trend.definition.starts == .mature
        func some(_ count: Int?) -> String { count.flatMap { $0 == 0 ? nil : table.number($0) } ?? "" }
        func share(_ period: Period?) -> String { period?.point?.rate.map(NumberFormat.percent) ?? table.style.dash }
        func difference(_ row: Row) -> Double? { FunnelComparison.difference(row.period.point?.rate, row.other?.point?.rate) }
        // The other time's rates stand early: a narrow terminal leaves out columns from the right.
        let columns: [(heading: String, isShown: Bool, isLeft: Bool, cell: (Row) -> String)] = [
            (unit.rawValue, true, true, { mark($0.period) }), ("entered", true, false, { table.number($0.period.point?.entered ?? 0) }),
            ("converted", true, false, { table.number($0.period.point?.converted ?? 0) }), ("rate", true, false, { share($0.period) }),
            ("other rate", isCompared, false, { share($0.other) }),
            ("difference", isCompared, false, { difference($0).map { NumberFormat.points($0, minus: table.style.minus) } ?? "" }),
            ("", !isCompared, true, { _ in "" }),
            ("95%", true, false, { $0.period.point?.share.interval?.shareText(dash: table.style.dash) ?? "" }),
            ("median", true, false, { ($0.period.point?.timeToConvert).map { NumberFormat.duration($0.p50) } ?? "" }),
            ("open", isOpen, false, { some($0.period.point?.windowOpen) }), ("left out", isCut, false, { some($0.period.point?.leftOut) }),
            ("compared with", isCompared, true, { $0.other.map(mark) ?? "" }),
        ]
        let widest = periods.lazy.compactMap { $0.point?.rate }.max() ?? 0
        let shown = columns.filter(\.isShown)
        let heading = shown.map(\.heading)
        let right = Set(shown.indices.filter { !shown[$0].isLeft })
        let cells = rows.map { row in shown.map { $0.cell(row) } }
        guard let barColumn = shown.firstIndex(where: \.heading.isEmpty) else { return table.columns(heading, cells, rightAligned: right) }
        // The bars fill what the numbers leave.
        let plain = TextStyle(width: table.style.width, isASCII: table.style.isASCII)
        let bare = TerminalText.widest(TableReport(plain).columns(heading, cells, rightAligned: right))
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
        let verdict = verdict.map { self.json($0, words(ofVerdict: $0, beside: self.marks.map(\.change))) }
        let marks = JSONRows(marks) { ["ms": $0.milliseconds, "label": $0.label, "claim": self.json($1, words(of: $1))] }
        return json.document(
            trend.definition.json(), ["every": unit.rawValue, "tz": zone.name], ["overall": trend.whole.share.json],
            ["verdict": verdict], ["marks": marks], ["alert": alert.map(\.json)],
            ["points": JSONRows(rows) { self.json($0.period, comparedWith: $0.other) }], trend.input.json)
    }

    private func json(_ period: Period) -> JSONObject {
        let (point, start) = (period.point, period.startMilliseconds)
        return ["start_ms": start, "entered": point?.entered ?? 0, "converted": point?.converted ?? 0, "rate": point?.rate]
    }

    private func json(_ period: Period, comparedWith other: Period?) -> JSONObject {
        let point = period.point
        let groups: [JSONObject] = (point?.groups ?? []).map { ["value": $0.value] + trend.whole.share(of: $0).json }
        let more: JSONObject = [
            "window_open": point?.windowOpen ?? 0, "counts": point?.steps.map(\.count) ?? trend.definition.steps.map { _ in 0 },
            "time_ms": point?.timeToConvert, "complete": period.isComplete, "left_out": point?.leftOut ?? 0,
            "rate_ci95": point?.share.interval, "groups": groups, "coverage": point?.coverage?.json,
        ]
        let difference: JSONObject = ["rate": FunnelComparison.difference(point?.rate, other?.point?.rate)]
        let besides: JSONObject? = other.map { json($0) + ["complete": $0.isComplete, "difference": difference] }
        let own = json(period) + more
        return compared.isEmpty ? own : own + ["compared": besides]
    }
}

extension FunnelTrend.Point { fileprivate var share: Share { Share(converted, of: entered) } }
