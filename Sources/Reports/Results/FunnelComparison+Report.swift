import Basics
public import Funnels

extension FunnelComparison: Reportable {
    public var section: ReportSection {
        var section = result.section
        // The claim's interval is that of the adjusted difference, however little this differs from the crude one.
        let adjusted = claim.adjustedFor.isEmpty ? nil : claim.difference
        section.highlights += ReportFact.known([
            ReportFact("Compared with", .share(other.rate)), ReportFact("Difference", .points(rate?.difference.value)),
            ReportFact("Same weekdays", adjusted.map { .points($0) } ?? .none), ReportFact("95 %", .words(claim.interval?.pointsText())),
        ])
        if isAsked {
            let (found, ofGroups) = (claim.finding(.range, from: .compare), section.findings.map { $0.labelled("Between the groups") })
            section.findings = [ofGroups.isEmpty ? found : found.labelled("Between the two times")] + ofGroups
        }
        section.remarks += remarks
        section.headline?.difference = Self.difference(result.rate, other.rate)
        section.headline?.differenceHolds = claim.holds
        section.makeRecords = { records }
        section.makeFigures = { [own = section.makeFigures] in
            var figures = own()
            figures.insert(ReportFigure(title: "Side by side", table: sideBySide), at: min(1, figures.count))
            return figures
        }
        section.definition += [
            ReportFact("Compared with starts since", .moment(other.definition.since)),
            ReportFact("Compared with starts before", .moment(other.definition.until)),
        ]
        return section
    }

    public var gauges: [ReportGauge] { result.gauges }

    /// How much of the two times the data cover, and what a comparison of users, or of unequal times, leaves open.
    private var remarks: [String] {
        var covered: String?
        if let own = result.coverage, let others = other.coverage, !own.isWhole || !others.isWhole {
            covered = "The data cover \(own.words) of this time, and \(others.words) of the other."
        }
        let once = "Each user counts once, with the best start: a longer range gives a higher share."
        return [covered, result.definition.counting == .users ? once : nil].compactMap(\.self) + cautions
    }

    /// Warnings that the two times overlap, or that their lengths differ, and with them weekdays or times of day.
    package var cautions: [String] {
        let left = claim.refused == nil ? "; what is concluded leaves their common days out of this time" : ""
        let words = isAsked && result.coverage?.overlaps(other.coverage) == true ? ["The two times overlap\(left)."] : []
        guard let lengths, result.coverage?.isAsLong(as: other.coverage) != true else { return words }
        let (own, others) = (NumberFormat.duration(Double(lengths.own)), NumberFormat.duration(Double(lengths.other)))
        if own == others { return words }
        func areWhole(_ unit: Int64) -> Bool { lengths.own % unit == 0 && lengths.other % unit == 0 }
        let differing = areWhole(604_800_000) ? "" : areWhole(86_400_000) ? ": weekdays differ" : ": weekdays and times of day differ"
        return words + ["\(own) of this time are compared with \(others)\(differing)."]
    }

    /// Whether the two times can differ: in a funnel of one step, everybody who enters converts.
    private var isAsked: Bool { result.definition.lastRequiredStep > 0 }

    private var sideBySide: ReportTable {
        func later(_ step: BothSteps, _ value: ReportValue) -> ReportValue { step.own.index == 1 ? .none : value }
        return ReportTable(
            "This time and the one that it is compared with", of: steps,
            [
                .init("Step", "step") { .count($0.own.index) }, .init("Event", "name") { result.definition.row($0.own.index) },
                .init("This time", "count") { .count($0.own.count) }, .init("Other time", "compared_count") { .count($0.other.count) },
                .init("Of step 1", "of_first") { .share($0.own.ofFirst) },
                .init("In the other", "compared_of_first") { .share($0.other.ofFirst) },
                .init("Difference", "of_first_points") { .points(Self.difference($0.own.ofFirst, $0.other.ofFirst)) },
                .init("95 %", "of_first_points_ci95") { later($0, .words(interval($0.found)?.pointsText())) },
                .init("p", "of_first_p_value") { later($0, .probability($0.found?.pValue)) },
                .init("Of step before", "of_previous") { later($0, .share($0.own.ofPrevious)) },
                .init("In the other", "compared_of_previous") { later($0, .share($0.other.ofPrevious)) },
                .init("Difference", "of_previous_points") { later($0, .points(Self.difference($0.own.ofPrevious, $0.other.ofPrevious))) },
            ])
    }

    /// The interval of a difference; `nil` where keys are not independent: it would be too narrow.
    private func interval(_ found: Difference?) -> ConfidenceInterval? { found?.pValue == nil ? nil : found?.difference.interval }

    private typealias BothSteps = (own: FunnelResult.Step, other: FunnelResult.Step, found: Difference?)

    private var steps: [BothSteps] { zip(zip(result.steps, other.steps), ofFirst).map { ($0.0, $0.1, $1) } }

    /// The rows of both times, with a column for the time in front.
    private var records: ReportTable {
        let rows = [(result, "own"), (other, "compared")].flatMap { one, time in one.records.rows.map { [ReportValue.words(time)] + $0 } }
        let columns = [ReportTable.Column(title: "Time", key: "time")] + result.records.columns
        return ReportTable("One row a time, group and step", columns: columns, rows: rows)
    }

    /// The funnel as always, and below it both times side by side.
    public func lines(in table: TableReport) -> [String] {
        let (own, other, minus) = (result, other, table.style.minus)
        func share(_ share: Double?) -> String { share.map(NumberFormat.percent) ?? table.style.dash }
        func row(_ name: String, _ counts: (Int, Int), _ shares: (Double?, Double?), _ found: Difference?) -> [String] {
            let points = Self.difference(shares.0, shares.1).map { NumberFormat.points($0, minus: minus) } ?? table.style.dash
            let bounds = interval(found)?.pointsText(minus: minus) ?? ""
            return [name, table.number(counts.0), table.number(counts.1), share(shares.0), share(shares.1), points, bounds]
        }
        var rows = steps.map { step, other, found in
            let name = own.definition.anySteps(step.index) ?? table.shown(own.definition.steps[step.index - 1].pattern.title, atMost: 30)
            let place = TerminalText.rightAligned(String(step.index), in: 2)
            return row("\(place) \(name)", (step.count, other.count), (step.ofFirst, other.ofFirst), step.index == 1 ? nil : found)
        }
        rows.append(row("Overall", (own.converted, other.converted), (own.rate, other.rate), rate))
        let bounds = claim.interval?.pointsText(minus: minus) ?? ""
        let adjusted = claim.adjusted(beside: rate?.difference.value).map { NumberFormat.points($0, minus: minus) }
        if adjusted == nil && interval(rate) == nil { rows[rows.count - 1][6] = bounds }
        rows += adjusted.map { [["same weekdays", "", "", "", "", $0, bounds]] } ?? []
        let range = table.times(other.definition.since, other.definition.until, what: "starts")
        let heading = table.style.flow([("Compared with", ""), (range ?? "all starts", " ")])
        let columns = ["", "this time", "other time", "share", "other share", "difference", "95%"]
        return own.lines(in: table) + [""] + heading + table.columns(columns, rows, rightAligned: [1, 2, 3, 4, 5, 6])
            + ((claim.holds || !isAsked ? [] : [claim.words(.range)]) + remarks).flatMap(table.words)
    }

    /// The funnel's fixed keys, and after them `compare`: the same keys of the other time, and this time's shares less the other's, -1…1.
    public func text(in json: JSONReport) -> String {
        let difference: JSONObject = [
            "rate": Self.difference(result.rate, other.rate), "ci95": interval(rate), "p_value": rate?.pValue,
            "steps": steps.map { own, other, found -> JSONObject in
                [
                    "index": own.index, "of_first": Self.difference(own.ofFirst, other.ofFirst),
                    "of_previous": Self.difference(own.ofPrevious, other.ofPrevious),
                    "of_first_ci95": interval(found), "of_first_p_value": found?.pValue,
                ]
            },
            "groups": groups.map { value, found -> JSONObject in
                ["value": value, "rate": found?.difference.value, "ci95": interval(found), "p_value": found?.pValue]
            },
        ]
        let range: JSONObject = ["since_ms": other.definition.since, "until_ms": other.definition.until]
        let coverage = [result.coverage?.json, other.coverage?.json]
        let found: [JSONObject] = [["difference": difference], ["claim": claim.json(.range), "coverage": coverage]]
        return json.document(result.json + [["compare": JSONObjectLines([range] + other.counts + found)]])
    }
}
