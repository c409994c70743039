import Basics
public import Funnels

extension Why: Reportable {
    public var section: ReportSection {
        ReportSection(
            kind: "why", title: (definition.funnel.name.map { "\($0): " } ?? "") + "why step \(definition.step)", period: input.period,
            highlights: [
                ReportFact("Went on", .count(converted)), ReportFact("Stayed behind", .count(dropped)),
                ReportFact("Share that went on", .share(share(converted, converted + dropped))), ReportFact("Candidates", .count(tested)),
            ] + ReportFact.unseen(unseenNames), remarks: remarks, findings: conclusions, makeRecords: { table },
            makeFigures: {
                (findings.isEmpty ? [] : [ReportFigure(title: "What holds", table: findingTable)])
                    + [ReportFigure(title: "What goes with it", table: shownTable)]
            },
            definition: facts, quality: input.facts(key: definition.funnel.key.words))
    }

    private var conclusions: [ReportFinding] {
        if converted + dropped == 0 { return [] }
        let found = findings.map { $0.claim.finding(.fork, of: $0.subject, from: .why) }
        let refused = refused.map { Claim(refused: .fewOfBoth).finding(.fork, of: $0.title, from: .why) }
        return (found.isEmpty ? [silence.finding(.fork, from: .why)] : found) + [refused].compactMap(\.self)
    }

    private var lack: String {
        if converted + dropped == 0 { return "Nobody reached step \(definition.forkStep + 1) with the window left to go on" }
        if converted == 0 { return "Nobody went on: there is nobody to compare them with" }
        if dropped == 0 { return "Everybody went on: there is nobody to compare them with" }
        return "Nothing was had and lacked by at least \(definition.minCount) each"
    }

    private var remarks: [String] {
        let left =
            "Left out: \(NumberFormat.count(leftOutOpen)) still open, \(NumberFormat.count(leftOutEarly)) too near to the first event, "
            + "\(NumberFormat.count(leftOutSpoilt)) excluded."
        let many = "Left out for too many values to compare: \(GroupedNumber.counted(ids.count, "property", "properties"))."
        return [
            candidates.isEmpty ? "\(lack)." : nil,
            leftOutOpen + leftOutEarly + leftOutSpoilt > 0 ? left : nil,
            "The first attempt at the fork counts, so the numbers differ from the funnel's. They name no causes.",
            ids.isEmpty ? nil : many,
        ].compactMap(\.self)
    }

    private var table: ReportTable {
        ReportTable(
            "One row a candidate", of: candidates,
            [
                .init("Kind", "kind") { .words($0.kind.rawValue) }, .init("Name", "name") { .data($0.name) },
                .init("Value", "value") { .data($0.value) }, .init("Went on, with", "converted_with") { .count($0.convertedWith) },
                .init("Share", "converted_share") { .share(share($0.convertedWith, converted)) },
                .init("Stayed, with", "dropped_with") { .count($0.droppedWith) },
                .init("Share", "dropped_share") { .share(share($0.droppedWith, dropped)) },
                .init("Odds ratio", "odds_ratio") { .number($0.oddsRatio) }, .init("From", "odds_ratio_low") { .number($0.lower) },
                .init("To", "odds_ratio_high") { .number($0.upper) }, .init("p", "p_value") { .number($0.pValue) },
                .init("q", "q_value") { .number($0.qValue) },
            ])
    }

    private var shownTable: ReportTable {
        ReportTable(
            "How many of those that went on have it, and of those that stayed behind, without regard to what else differs", of: candidates,
            [
                .init("What", "what") { .data($0.title) },
                .init("Went on", "converted_share") { .share(share($0.convertedWith, converted)) },
                .init("Stayed behind", "dropped_share") { .share(share($0.droppedWith, dropped)) },
                .init("Odds ratio", "odds_ratio") { .number($0.oddsRatio) },
                .init("95%", "odds_ratio_interval") { .words("\(NumberFormat.number($0.lower)) – \(NumberFormat.number($0.upper))") },
            ])
    }

    /// The crude difference, and, if it is not the same, the difference with other things held equal.
    private var findingTable: ReportTable {
        func rest(_ one: Finding) -> Double? { share(converted - one.converted, converted + dropped - one.entered) }
        // A column of its own for the others would be wider than a page.
        func whole(_ one: Finding) -> String {
            let found = one.of.map(\.title).joined(separator: " and ")
            return one.same.isEmpty ? found : found + " (nearly the same: \(one.same.map(\.title).joined(separator: ", ")))"
        }
        func crude(_ one: Finding) -> Double { (share(one.converted, one.entered) ?? 0) - (rest(one) ?? 0) }
        return ReportTable(
            "How many of those that have it go on, and of all others", of: findings,
            [
                .init("What", "what") { .data(whole($0)) },
                .init("Visits", "entered") { .count($0.entered) }, .init("Go on", "rate") { .share(share($0.converted, $0.entered)) },
                .init("Of the others", "rest_rate") { .share(rest($0)) }, .init("Difference", "difference") { .points(crude($0)) },
                .init("Held equal", "adjusted_difference") { .points($0.claim.adjusted(beside: crude($0))) },
                .init("95%", "difference_interval") { .words($0.claim.interval?.pointsText() ?? "") },
                .init("q", "q_value") { .number($0.claim.qValue) },
            ])
    }

    private func share(_ part: Int, _ whole: Int) -> Double? { whole == 0 ? nil : Double(part) / Double(whole) }

    private var facts: [ReportFact] {
        let fork = definition.funnel.steps[definition.forkStep].description
        let step = definition.funnel.steps[definition.step - 1].description
        return [
            ReportFact("Fork", .data("the first attempt of each \(noun) to reach \(fork)")),
            ReportFact("Outcome", .data("whether that attempt goes on to \(step)")),
            ReportFact("Look back", .words("\(DurationText.exact(definition.lookBackMilliseconds)) before the fork, inclusive")),
            ReportFact("Candidates", .words("had and lacked by at least \(definition.minCount) each")),
            ReportFact("Held equal", .words("the day, the number of other events before, and what was found before")),
            ReportFact("Claims", .words("q at most 0.05, by Benjamini and Hochberg over all candidates and pairs of values")),
        ] + definition.funnel.facts
    }

    public func lines(in table: TableReport) -> [String] {
        let funnel = definition.funnel
        let (fork, step) = (funnel.steps[definition.forkStep].pattern.title, funnel.steps[definition.step - 1].pattern.title)
        let parts =
            [
                noun == "visit" ? GroupedNumber.counted(converted + dropped, noun) : table.counted(converted + dropped, by: funnel.key),
                "at step \(definition.forkStep + 1) (\(table.shown(fork, atMost: 30))) for the first time",
                "\(table.number(converted)) went on to step \(definition.step) (\(table.shown(step, atMost: 30)))",
                "\(table.number(dropped)) did not", funnel.windowWords, "look back \(DurationText.exact(definition.lookBackMilliseconds))",
            ] + funnel.modes(in: table) + funnel.limits(in: table)
        var lines = table.heading(table.shown(funnel.name ?? "Why"), parts, input)
        if candidates.isEmpty {
            lines.append(lack)
        } else {
            lines += table.lines(of: shownTable, none: "")
            lines += conclusions.flatMap { table.words(of: $0) }
            lines.append("these numbers do not say what causes a difference")
        }
        let counts = [(leftOutOpen, "still open"), (leftOutEarly, "too near to the first event"), (leftOutSpoilt, "excluded")]
        var words = counts.filter { $0.0 > 0 }.map { "\(table.number($0.0)) \($0.1)" }
        if let first = words.first { words[0] = "left out: \(first)" }
        return lines + table.style.flow(table.style.list(words)) + table.inputLines(input, key: table.shown(funnel.key.description))
    }

    private var noun: String { definition.countsVisits ? "visit" : "key" }

    public func text(in json: JSONReport) -> String {
        let leftOut: JSONObject = ["open": leftOutOpen, "early": leftOutEarly, "excluded": leftOutSpoilt]
        let candidates = JSONRows(candidates) { one in
            [
                "kind": one.kind.rawValue, "name": one.name, "value": one.value, "converted_with": one.convertedWith,
                "dropped_with": one.droppedWith, "odds_ratio": one.oddsRatio, "ci95": [one.lower, one.upper],
                "p_value": one.pValue, "q_value": one.qValue,
            ]
        }
        let findings = JSONRows(findings) { one in
            one.claim.json(.fork, of: one.subject) + [
                "of": one.of.map(\.json), "same": one.same.map(\.json), "with": side(one.entered, one.converted),
                "rest": side(converted + dropped - one.entered, converted - one.converted),
            ]
        }
        let (back, least, depth) = (definition.lookBackMilliseconds, definition.minCount, definition.depth)
        return json.document(
            definition.funnel.json(["look_back_ms": back, "min_count": least, "depth": depth]),
            ["step": definition.step, "converted": converted, "dropped": dropped, "left_out": leftOut, "tested": tested],
            ["candidates": candidates], ["findings": findings], input.json)
    }

    private func side(_ entered: Int, _ converted: Int) -> JSONObject {
        ["entered": entered, "converted": converted, "rate": share(converted, entered)]
    }
}

extension Why.Finding {
    fileprivate var subject: String { "Visits with \(of.map(\.title).joined(separator: " and "))" }
}

extension Why.Candidate {
    fileprivate var json: JSONObject { ["kind": kind.rawValue, "name": name, "value": value] }

    var title: String { value.map { "\(name) = \($0)" } ?? "event \(name)" }
}
