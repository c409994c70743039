public import Funnels

extension FunnelMembers: Reportable {
    public func text(in table: TableReport) -> String { table.text(of: self) }
    public func text(in json: JSONReport) -> String { json.text(of: self) }

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
            kind: "users", title: definition.name ?? "Users", period: ReportSection.period(input),
            highlights: [ReportFact("Keys that \(selection.words)", .count(members.count))], records: table,
            figures: [ReportFigure("Keys", table: table)], definition: definition.facts,
            quality: ReportSection.quality(input, key: definition.key.words))
    }
}
