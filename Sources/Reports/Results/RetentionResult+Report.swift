import Basics
import Funnels

extension RetentionResult: Reportable {
    public var section: ReportSection {
        let first = periods > 0 ? average[1] : nil
        let remarks = [
            retention.size == 0 ? "Nothing matched the start." : nil,
            first.map { "\(NumberFormat.percent($0)) were there again one \(unit.rawValue) after their first start." },
            "A cell counts returns after the first start; a period that has not ended has none. Averages are of complete cells.",
        ]
        return ReportSection(
            kind: "retention", title: "Retention: \(retention.definition.start) … \(retention.definition.returning)",
            period: retention.input.period,
            highlights: [ReportFact("Started", .count(retention.size)), ReportFact("Cohorts", .count(retention.cohorts.count))]
                + (periods > 0 ? [ReportFact("Back after a \(unit.rawValue)", .share(first))] : [])
                + ReportFact.unseen(retention.unseenNames), remarks: remarks.compactMap(\.self),
            makeRecords: { records },
            makeFigures: { [figure("Who came back", retention.cohorts)] + (retention.groups.isEmpty ? [] : [groupFigure]) },
            definition: facts, quality: retention.input.facts(key: retention.definition.key.words))
    }

    /// More columns than this make a table that nobody reads.
    private static let mostColumns = 32
    /// The most rows of a picture, which shows the last ones.
    private static let mostRows = 60

    /// A row of a table: a cohort, a group's average, or that of all.
    private typealias Line = (name: ReportValue, size: Int, shares: [Double?])

    private func table(_ caption: String, _ name: String, _ key: String, _ lines: [Line]) -> ReportTable {
        let fields: [ReportTable.Field<Line>] = [.init(name, key) { $0.name }, .init("Started", "size") { .count($0.size) }]
        let shares = (0...periods).prefix(Self.mostColumns).map { period in
            ReportTable.Field<Line>("\(period)", "share_\(period)") { $0.shares[period].map { .share($0) } ?? .none }
        }
        return ReportTable(caption, of: lines, fields + shares)
    }

    private func figure(_ title: String, _ cohorts: [Retention.Cohort]) -> ReportFigure {
        let rows = cohorts.map { HeatChart.Row(label: label($0), count: $0.size, shares: (0...periods).map($0.share)) }
        let chart = HeatChart(columns: (0...periods).map(String.init), rows: rows.suffix(Self.mostRows))
        let table = table(
            "The share of each cohort that was there in each \(unit.rawValue) after its own", unit.title, "cohort",
            rows.map { (.words($0.label), $0.count, $0.shares) } + [(.words("Average"), retention.size, average)])
        return ReportFigure(title: title, chart: cohorts.isEmpty ? nil : chart, table: table)
    }

    private var groupFigure: ReportFigure {
        let lines = retention.groups.map { group -> Line in
            (.data(group.value), group.cohorts.reduce(0) { $0 + $1.size }, Retention.average(group.cohorts, periods: periods))
        }
        let caption = "The share of each group that was there in each \(unit.rawValue), of all complete cohorts"
        return ReportFigure(title: "Who came back, by group", table: table(caption, "Group", "group", lines))
    }

    /// One row a group, cohort and period; a row without a group is of everybody.
    private var records: ReportTable {
        typealias Record = (group: ReportValue, cohort: Retention.Cohort, period: Int)
        let groups = [(ReportValue.none, retention.cohorts)] + retention.groups.map { (.data($0.value), $0.cohorts) }
        return ReportTable(
            "One row a group, cohort and \(unit.rawValue)",
            of: groups.flatMap { group, cohorts in
                cohorts.flatMap { cohort in (0...periods).map { period -> Record in (group, cohort, period) } }
            },
            [
                .init("group") { $0.group }, .init("cohort") { .words(label($0.cohort)) },
                .init("start") { .moment($0.cohort.startMilliseconds) }, .init("size") { .count($0.cohort.size) },
                .init("period") { .count($0.period) }, .init("retained") { .count($0.cohort.retained[$0.period]) },
                .init("share") { .share($0.cohort.share($0.period)) }, .init("complete") { .flag($0.cohort.retained[$0.period] != nil) },
            ])
    }

    private var facts: [ReportFact] {
        let definition = retention.definition
        let facts = [
            ReportFact("Counted by", .data(definition.key.description)), ReportFact("Start", .data(definition.start.description)),
            ReportFact("Return", .data(definition.returning.description)),
            ReportFact("Cohort", .words("by the first start of all data read; a return is later than it")),
            ReportFact("Every", .words("\(unit.rawValue), by the clocks of \(zone.name)")),
            ReportFact("Periods", .count(definition.periods)), ReportFact("Duplicates", .words("events with the same id count once")),
            ReportFact(breakdown: definition.breakdown), ReportFact(identify: definition.identify),
        ]
        return ReportFact.known(facts) + definition.range.facts(of: "First starts") + definition.cohort.facts
    }

    public func lines(in table: TableReport) -> [String] {
        let definition = retention.definition
        let parts = [
            table.counted(retention.size, by: definition.key), "from \(table.shown(definition.start.description))",
            "back with \(table.shown(definition.returning.description))", "every \(unit.rawValue) by \(zone.name)",
            table.times(definition.range, what: "first starts"),
        ]
        let tables = section.figures.map { table.lines(of: $0.table, none: "", shadesShares: true) }.joined(separator: [""])
        return table.heading("Retention", parts + definition.cohort.words(in: table), retention.input)
            + (retention.cohorts.isEmpty ? ["no cohorts: nothing matched the start"] : Array(tables))
            + table.inputLines(retention.input, key: table.shown(definition.key.description))
    }

    public func text(in json: JSONReport) -> String {
        let definition = retention.definition
        let asked: JSONObject = [
            "start": definition.start.description, "return": definition.returning.description, "every": unit.rawValue,
            "periods": definition.periods, "tz": zone.name, "by": definition.key.description,
        ]
        let limits = definition.range.json + (definition.breakdown?.json ?? [:]) + (definition.identify ? [:] : ["identify": false])
        return json.document(
            ["definition": asked + limits + definition.cohort.json], ["end_ms": retention.endMilliseconds], self.json(retention.cohorts),
            ["groups": JSONRows(retention.groups) { ["value": $0.value] + self.json($0.cohorts) }], retention.input.json)
    }

    private func json(_ cohorts: [Retention.Cohort]) -> JSONObject {
        [
            "cohorts": JSONRows(cohorts) { ["start_ms": $0.startMilliseconds, "size": $0.size, "retained": $0.retained] },
            "average": Retention.average(cohorts, periods: periods),
        ]
    }
}
