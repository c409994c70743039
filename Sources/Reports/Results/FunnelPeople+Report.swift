import Basics
public import Funnels

extension FunnelPeople: Reportable {
    public var section: ReportSection {
        let table = { @Sendable () -> ReportTable in
            ReportTable(
                "Keys", of: members,
                [
                    .init("Key", "key") { .data($0.key) }, .init("Entered", "start") { .moment($0.startMilliseconds) },
                    .init("Last step", "last") { .moment($0.lastMilliseconds) }, .init("Depth", "depth") { .count($0.depth) },
                ] + (definition.breakdown == nil ? [] : [.init("Group", "group") { $0.value.map(ReportValue.data) ?? .words("(none)") }]))
        }
        let counted = definition.counting == .users ? "Keys" : definition.counting == .visits ? "Visits" : "Attempts"
        return ReportSection(
            kind: "users", title: definition.name ?? "Users", period: input.period,
            highlights: [ReportFact("\(counted) that \(selection.words)", .count(members.count))], makeRecords: table,
            makeFigures: { [ReportFigure(title: "Keys", table: table())] },
            definition: definition.facts, quality: input.facts(key: definition.key.words))
    }

    public func lines(in table: TableReport) -> [String] {
        let step = definition.anySteps(selection.step) ?? table.shown(definition.steps[selection.step - 1].pattern.title)
        let who = "\(definition.counted(members.count, in: table)) that \(selection.words) (\(step))"
        let parts = [who, definition.windowWords] + definition.modes(in: table) + definition.limits(in: table)
        return table.heading(table.shown(definition.name ?? "Users"), parts, input) + table.lines(of: section.records, none: "nobody")
            + table.inputLines(input, key: table.shown(definition.key.description))
    }

    public func text(in json: JSONReport) -> String {
        let members = JSONRows(members) {
            ["key": $0.key, "start_ms": $0.startMilliseconds, "last_ms": $0.lastMilliseconds, "depth": $0.depth, "group": $0.value]
        }
        let count: JSONObject = ["step": selection.step, "dropped": selection.isDropped, "count": self.members.count]
        return json.document(definition.json(), count, ["members": members], input.json)
    }
}

extension FunnelPeople.Selection {
    var step: Int {
        switch self {
        case .reached(let step), .dropped(let step): step
        }
    }

    var isDropped: Bool { if case .dropped = self { true } else { false } }

    var words: String { isDropped ? "left before step \(step)" : "reached step \(step)" }
}
