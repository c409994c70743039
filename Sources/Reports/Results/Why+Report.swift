import Basics
public import Funnels

extension Why: Reportable {
    public var section: ReportSection {
        ReportSection(
            kind: "why", title: (definition.funnel.name.map { "\($0): " } ?? "") + "why step \(definition.step)", period: input.period,
            highlights: [
                ReportFact("Went on", .count(converted)), ReportFact("Stayed behind", .count(dropped)),
                ReportFact("Share that went on", .share(converted + dropped == 0 ? nil : Double(converted) / Double(converted + dropped))),
                ReportFact("Candidates", .count(tested)),
            ] + ReportFact.unseen(unseenNames), remarks: remarks, records: table,
            figures: [ReportFigure("What goes with it", table: shownTable)], definition: facts,
            quality: input.facts(key: definition.funnel.key.words))
    }

    private var nobodyReached: String { "Nobody reached step \(definition.forkStep + 1) with the window left to go on" }

    private var leftOut: Int { leftOutOpen + leftOutEarly + leftOutSpoilt }

    private var remarks: [String] {
        var remarks: [String] = []
        if converted + dropped == 0 { remarks.append("\(nobodyReached).") }
        let holding = candidates.filter(\.holds).count
        if !candidates.isEmpty {
            remarks.append(
                holding == 0
                    ? "No difference that this many could show."
                    : "\(GroupedNumber.counted(holding, "difference holds", "differences hold")): at most one in twenty such claims is false. "
                        + "They go with it; what causes it they do not say.")
        } else if converted + dropped > 0 {
            remarks.append("Nothing was had, and lacked, by at least \(definition.minCount).")
        }
        if leftOut > 0 {
            remarks.append(
                "Left out: \(NumberFormat.count(leftOutOpen)) still open, \(NumberFormat.count(leftOutEarly)) too near to the first event, "
                    + "\(NumberFormat.count(leftOutSpoilt)) excluded.")
        }
        remarks.append("Counted is the first attempt at the fork, so the numbers differ from the funnel's.")
        if !ids.isEmpty {
            remarks.append("Left out for too many values to compare: \(GroupedNumber.counted(ids.count, "property", "properties")).")
        }
        return remarks
    }

    private static let columns: [ReportTable.Column] = [
        .init("Kind", key: "kind"), .init("Name", key: "name"), .init("Value", key: "value"),
        .init("Went on, with", key: "converted_with"), .init("Share", key: "converted_share"),
        .init("Stayed, with", key: "dropped_with"), .init("Share", key: "dropped_share"), .init("Odds ratio", key: "odds_ratio"),
        .init("From", key: "odds_ratio_low"), .init("To", key: "odds_ratio_high"), .init("p", key: "p_value"), .init("q", key: "q_value"),
    ]

    /// One row a candidate, for programs.
    private var table: ReportTable {
        ReportTable(
            "One row a candidate", columns: Self.columns,
            rows: candidates.map { one in
                [
                    .words(one.kind.rawValue), .data(one.name), .data(one.value), .count(one.convertedWith),
                    .share(share(one.convertedWith, converted)), .count(one.droppedWith), .share(share(one.droppedWith, dropped)),
                    .number(one.oddsRatio), .number(one.lower), .number(one.upper), .number(one.pValue), .number(one.qValue),
                ]
            })
    }

    private var shownTable: ReportTable {
        ReportTable(
            "How many of those that went on have it, and of those that stayed behind; the surest first",
            columns: [
                .init("What", key: "what"), .init("Went on", key: "converted_share"), .init("Stayed behind", key: "dropped_share"),
                .init("Odds ratio", key: "odds_ratio"), .init("95%", key: "odds_ratio_interval"), .init("q", key: "q_value"),
                .init("Holds", key: "holds"),
            ],
            rows: candidates.map { one in
                [
                    .data(one.title), .share(share(one.convertedWith, converted)), .share(share(one.droppedWith, dropped)),
                    .number(one.oddsRatio), .words("\(NumberFormat.number(one.lower)) – \(NumberFormat.number(one.upper))"),
                    .number(one.qValue), .flag(one.holds),
                ]
            })
    }

    private func share(_ part: Int, _ whole: Int) -> Double? { whole == 0 ? nil : Double(part) / Double(whole) }

    private var facts: [ReportFact] {
        let fork = definition.funnel.steps[definition.forkStep].description
        let step = definition.funnel.steps[definition.step - 1].description
        return [
            ReportFact("Fork", .data("the first attempt of each key to reach \(fork)")),
            ReportFact("Outcome", .data("whether that attempt goes on to \(step)")),
            ReportFact("Look back", .words("\(DurationText.exact(definition.lookBackMilliseconds)) before the fork, inclusive")),
            ReportFact("Candidates", .words("had, and lacked, by at least \(definition.minCount)")),
            ReportFact("Claims", .words("q at most 0.05, by Benjamini and Hochberg over all candidates")),
        ] + definition.funnel.facts
    }

    public func lines(in table: TableReport) -> [String] {
        let funnel = definition.funnel
        let (fork, step) = (funnel.steps[definition.forkStep].pattern.title, funnel.steps[definition.step - 1].pattern.title)
        let parts =
            [
                table.counted(converted + dropped, by: funnel.key),
                "at step \(definition.forkStep + 1) (\(table.shown(fork, atMost: 30))) for the first time",
                "\(table.number(converted)) went on to step \(definition.step) (\(table.shown(step, atMost: 30)))",
                "\(table.number(dropped)) did not", funnel.windowWords, "look back \(DurationText.exact(definition.lookBackMilliseconds))",
            ] + funnel.cohort.words(in: table)
        var lines = table.heading(table.shown(funnel.name ?? "Why"), parts, input)
        if candidates.isEmpty {
            lines.append(converted + dropped == 0 ? nobodyReached : "nothing was had, and lacked, by at least \(definition.minCount)")
        } else {
            lines += table.lines(of: shownTable, none: "")
            lines += sentence(table)
        }
        if leftOut > 0 {
            let counts = [(leftOutOpen, "still open"), (leftOutEarly, "too near to the first event"), (leftOutSpoilt, "excluded")]
            let words = counts.filter { $0.0 > 0 }.map { "\(table.number($0.0)) \($0.1)" }
            lines += table.style.flow(
                words.enumerated().map { place, text in
                    ((place == 0 ? "left out: " : "") + text + (place + 1 < words.count ? "," : ""), place == 0 ? "" : " ")
                })
        }
        return lines + table.inputLines(input, key: table.shown(funnel.key.description))
    }

    /// What holds of it, in words.
    private func sentence(_ table: TableReport) -> [String] {
        let holding = candidates.filter(\.holds)
        guard let best = holding.first else { return ["no difference that this many \(funnelNoun) could show"] }
        let way = best.oddsRatio > 1 ? "going on" : "staying behind"
        var pieces = [(text: table.shown(best.title), gap: ""), (text: "goes with \(way)", gap: " ")]
        if holding.count > 1 {
            pieces.append(("\(table.style.dot) \(GroupedNumber.counted(holding.count, "difference holds", "differences hold"))", " "))
        }
        pieces.append(("\(table.style.dot) what causes it these numbers do not say", " "))
        return table.flow(pieces)
    }

    private var funnelNoun: String {
        if case .property = definition.funnel.key { "keys" } else { "\(definition.funnel.key)s" }
    }

    public func text(in json: JSONReport) -> String {
        let leftOut: JSONObject = ["open": leftOutOpen, "early": leftOutEarly, "excluded": leftOutSpoilt]
        let candidates = JSONRows(candidates) { one in
            [
                "kind": one.kind.rawValue, "name": one.name, "value": one.value, "converted_with": one.convertedWith,
                "dropped_with": one.droppedWith, "odds_ratio": one.oddsRatio, "ci95": [one.lower, one.upper],
                "p_value": one.pValue, "q_value": one.qValue,
            ]
        }
        return json.document(
            definition.funnel.json(["look_back_ms": definition.lookBackMilliseconds, "min_count": definition.minCount]),
            ["step": definition.step, "converted": converted, "dropped": dropped, "left_out": leftOut, "tested": tested],
            ["candidates": candidates], input.json)
    }
}

extension Why.Candidate {
    /// `session.platform = ios`, `event coupon_applied`.
    var title: String { value.map { "\(name) = \($0)" } ?? "event \(name)" }
}
