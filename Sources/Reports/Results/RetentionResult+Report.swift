import Basics
import Funnels

extension RetentionResult: Reportable {
    public var section: ReportSection {
        var remarks: [String] = []
        if retention.size == 0 { remarks.append("Nothing matched the start.") }
        if periods > 0, let first = average[1] {
            remarks.append("\(NumberFormat.percent(first)) were there again one \(unit.rawValue) after their first start.")
        }
        remarks.append("A cell is a later return; a period that has not ended has none. Averages are of complete cells.")
        var figures = [figure("Who came back", retention.cohorts)]
        if !retention.groups.isEmpty { figures.append(groupFigure) }
        return ReportSection(
            kind: "retention", title: "Retention: \(retention.definition.start) … \(retention.definition.returning)",
            period: retention.input.period,
            highlights: [ReportFact("Started", .count(retention.size)), ReportFact("Cohorts", .count(retention.cohorts.count))]
                + (periods > 0 ? [ReportFact("Back after a \(unit.rawValue)", .share(average[1]))] : [])
                + ReportFact.unseen(retention.unseenNames), remarks: remarks,
            records: records, figures: figures, definition: facts, quality: retention.input.facts(key: retention.definition.key.words))
    }

    /// More columns than this make a table that nobody reads.
    private static let mostColumns = 32
    /// More rows than this make no picture.
    private static let mostRows = 60

    private var columns: [String] { (0...periods).map { "\(unit.rawValue) \($0)" } }

    private func figure(_ title: String, _ cohorts: [Retention.Cohort]) -> ReportFigure {
        let rows = cohorts.map { cohort in
            HeatChart.Row(label: label(cohort), count: cohort.size, shares: (0...periods).map(cohort.share))
        }
        let chart = HeatChart(columns: (0...periods).map(String.init), rows: rows.suffix(Self.mostRows))
        let shown = (0...periods).prefix(Self.mostColumns)
        let table = ReportTable(
            "The share of each cohort that was there in each \(unit.rawValue) after its own",
            columns: [
                .init(unit.rawValue.prefix(1).uppercased() + unit.rawValue.dropFirst(), key: "cohort"), .init("Started", key: "size"),
            ] + shown.map { .init("\($0)", key: "share_\($0)") },
            rows: cohorts.map { cohort in
                [.words(label(cohort)), .count(cohort.size)] + shown.map { cohort.share($0).map { .share($0) } ?? .none }
            } + [[.words("Average"), .count(retention.size)] + shown.map { k in average[k].map { .share($0) } ?? .none }])
        return ReportFigure(title, chart: cohorts.isEmpty ? nil : chart, table: table)
    }

    /// The averages of the groups, one below the other.
    private var groupFigure: ReportFigure {
        let averages = retention.groups.map { Retention.average($0.cohorts, periods: periods) }
        let sizes = retention.groups.map { $0.cohorts.reduce(0) { $0 + $1.size } }
        let shown = (0...periods).prefix(Self.mostColumns)
        return ReportFigure(
            "Who came back, by group",
            table: ReportTable(
                "The share of each group that was there in each \(unit.rawValue), of all complete cohorts",
                columns: [.init("Group", key: "group"), .init("Started", key: "size")] + shown.map { .init("\($0)", key: "share_\($0)") },
                rows: retention.groups.indices.map { index in
                    [.data(retention.groups[index].value), .count(sizes[index])]
                        + shown.map { averages[index][$0].map { .share($0) } ?? .none }
                }))
    }

    /// One row a group, cohort and period; a row without a group is of everybody.
    private var records: ReportTable {
        func rows(_ cohorts: [Retention.Cohort], group: ReportValue) -> [[ReportValue]] {
            cohorts.flatMap { cohort in
                (0...periods).map { k -> [ReportValue] in
                    [
                        group, .words(label(cohort)), .moment(cohort.startMilliseconds), .count(cohort.size), .count(k),
                        cohort.retained[k].map { .count($0) } ?? .none, .share(cohort.share(k)), .flag(cohort.retained[k] != nil),
                    ]
                }
            }
        }
        return ReportTable(
            "One row a group, cohort and \(unit.rawValue)",
            columns: [
                .init("Group", key: "group"), .init("Cohort", key: "cohort"), .init("Start", key: "start"), .init("Size", key: "size"),
                .init("Period", key: "period"), .init("Retained", key: "retained"), .init("Share", key: "share"),
                .init("Complete", key: "complete"),
            ], rows: rows(retention.cohorts, group: .none) + retention.groups.flatMap { rows($0.cohorts, group: .data($0.value)) })
    }

    private var facts: [ReportFact] {
        let definition = retention.definition
        var facts = [
            ReportFact("Counted by", .data(definition.key.description)), ReportFact("Start", .data(definition.start.description)),
            ReportFact("Return", .data(definition.returning.description)),
            ReportFact("Cohort", .words("by the first start of all data read; a return is later than it")),
            ReportFact("Every", .words("\(unit.rawValue), by the clocks of \(zone.name)")),
            ReportFact("Periods", .count(definition.periods)), ReportFact("Duplicates", .words("events with the same id count once")),
        ]
        if let breakdown = definition.breakdown { facts.append(ReportFact("Breakdown", .data("\(breakdown), top \(breakdown.top)"))) }
        if !definition.identify { facts.append(ReportFact("Identified users", .words("not joined to their anonymous ids"))) }
        return facts + definition.range.facts(of: "First starts") + definition.cohort.facts
    }

    public func lines(in table: TableReport) -> [String] {
        let definition = retention.definition
        var parts = [
            table.counted(retention.size, by: definition.key), "from \(table.shown(definition.start.description))",
            "back with \(table.shown(definition.returning.description))", "every \(unit.rawValue) by \(zone.name)",
        ]
        if let times = table.times(definition.range, what: "first starts") { parts.append(times) }
        parts += definition.cohort.words(in: table)
        var lines = table.heading("Retention", parts, retention.input)
        if retention.cohorts.isEmpty {
            lines.append("no cohorts: nothing matched the start")
        } else {
            lines += section.figures.map { table.lines(of: $0.table, none: "", shadesShares: true) }.joined(separator: [""])
        }
        return lines + table.inputLines(retention.input, key: table.shown(definition.key.description))
    }

    public func text(in json: JSONReport) -> String {
        json.document { writer in
            let definition = retention.definition
            writer.breakLine(" ")
            writer.key("definition")
            writer.object { writer in
                writer.fields([
                    "start": definition.start.description, "return": definition.returning.description, "every": unit.rawValue,
                    "periods": definition.periods, "tz": zone.name, "by": definition.key.description,
                ])
                definition.range.write(to: &writer)
                if let breakdown = definition.breakdown {
                    writer.fields(["breakdown": breakdown.description, "top": breakdown.top])
                }
                if !definition.identify { writer.fields(["identify": false]) }
                definition.cohort.write(to: &writer)
            }
            writer.line(["end_ms": retention.endMilliseconds])
            writer.line(self.json(retention.cohorts))
            writer.line(["groups": JSONRows(retention.groups) { ["value": $0.value] + self.json($0.cohorts) }])
            retention.input.write(to: &writer)
        }
    }

    private func json(_ cohorts: [Retention.Cohort]) -> JSONObject {
        [
            "cohorts": JSONRows(cohorts) { ["start_ms": $0.startMilliseconds, "size": $0.size, "retained": $0.retained] },
            "average": Retention.average(cohorts, periods: periods),
        ]
    }
}
