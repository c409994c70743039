public import Funnels

extension TableReport {
    public func text(of members: FunnelMembers) -> String {
        let definition = members.definition
        let key = shown(definition.key.description)
        let count = members.members.count
        let title = shown(definition.name ?? "Users")
        let step = definition.steps[members.selection.step - 1].pattern.title
        var pieces: [(text: String, gap: String)] = [
            (title, ""), (counted(count, by: definition.key), "   "), ("that \(members.selection.words) (\(shown(step)))", " "),
        ]
        if let range = range(members.input) { pieces.append((range, "     ")) }
        var lines = titled(style.flow(pieces), title)
        let hasGroups = definition.breakdown != nil
        let zone = style.zone
        let rows = members.members.map { member in
            [
                shown(member.key), DateFormat.second(member.startMilliseconds, in: zone),
                DateFormat.second(member.lastMilliseconds, in: zone),
                String(member.depth),
            ] + (hasGroups ? [member.value.map { shown($0) } ?? "(none)"] : [])
        }
        if !rows.isEmpty {
            let heading = [key, "entered (\(zone.name))", "last step (\(zone.name))", "depth"] + (hasGroups ? ["group"] : [])
            lines += columns(heading, rows, rightAligned: [3])
        }
        lines += inputLines(members.input, key: key)
        return lines.map { $0 + "\n" }.joined()
    }

    /// `1 user`, `5 by props.plan`.
    func counted(_ count: Int, by key: FunnelKey) -> String {
        switch key {
        case .user, .session, .system: NumberFormat.counted(count, key.description)
        case .property: "\(number(count)) by \(shown(key.description))"
        }
    }
}
