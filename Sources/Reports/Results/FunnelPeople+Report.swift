import Basics
public import Funnels

extension FunnelPeople: Reportable {
    public var section: ReportSection {
        let groups: [ReportTable.Column] = definition.breakdown == nil ? [] : [.init("Group", key: "group")]
        let table = ReportTable(
            "Keys",
            columns: [
                .init("Key", key: "key"), .init("Entered", key: "start"), .init("Last step", key: "last"), .init("Depth", key: "depth"),
            ] + groups,
            rows: members.map { member in
                let head: [ReportValue] = [
                    .data(member.key), .moment(member.startMilliseconds), .moment(member.lastMilliseconds), .count(member.depth),
                ]
                return definition.breakdown == nil ? head : head + [member.value.map(ReportValue.data) ?? .words("(none)")]
            })
        return ReportSection(
            kind: "users", title: definition.name ?? "Users", period: input.period,
            highlights: [
                ReportFact("\(definition.counting.title) that \(selection.words)", .count(members.count))
            ], records: table, figures: [ReportFigure("Keys", table: table)], definition: definition.facts,
            quality: input.facts(key: definition.key.words))
    }

    public func lines(in table: TableReport) -> [String] {
        let key = table.shown(definition.key.description)
        let step = definition.steps[selection.step - 1].pattern.title
        let parts =
            ["\(definition.counted(members.count, in: table)) that \(selection.words) (\(table.shown(step)))", definition.windowWords]
            + definition.modes(in: table)
            + [
                definition.breakdown.map { "by \(table.shown($0.description))" },
                table.times(definition.since, definition.until, what: "starts"),
            ].compactMap(\.self)
        return table.heading(table.shown(definition.name ?? "Users"), parts, input) + table.lines(of: section.records, none: "nobody")
            + table.inputLines(input, key: key)
    }

    public func text(in json: JSONReport) -> String {
        json.document { writer in
            definition.write(to: &writer)
            writer.line(["step": selection.step, "dropped": selection.isDropped, "count": members.count])
            writer.line([
                "members": JSONRows(members) {
                    ["key": $0.key, "start_ms": $0.startMilliseconds, "last_ms": $0.lastMilliseconds, "depth": $0.depth, "group": $0.value]
                }
            ])
            input.write(to: &writer)
        }
    }
}

extension FunnelPeople.Selection {
    var step: Int {
        switch self {
        case .reached(let step), .dropped(let step): step
        }
    }

    var isDropped: Bool {
        if case .dropped = self { true } else { false }
    }

    /// `reached step 3`, `left before step 3`.
    var words: String { isDropped ? "left before step \(step)" : "reached step \(step)" }
}
