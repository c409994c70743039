import Basics
public import Funnels

extension JSONReport {
    /// The keys behind a bar.
    public func text(of members: FunnelMembers) -> String {
        document { writer in
            writer.breakLine(" ")
            write(members.definition, to: &writer)
            writer.breakLine(" ")
            writer.member("step", members.selection.step)
            writer.member("dropped", members.selection.isDropped)
            writer.member("count", members.members.count)
            writer.breakLine(" ")
            writer.key("members")
            writer.array(members.members, onePerLine: true) { writer, member in
                writer.object { writer in
                    writer.member("key", member.key)
                    writer.member("start_ms", member.startMilliseconds)
                    writer.member("last_ms", member.lastMilliseconds)
                    writer.member("depth", member.depth)
                    writer.member("group", member.value)
                }
            }
            writer.breakLine(" ")
            write(members.input, to: &writer)
        }
    }
}

extension FunnelMembers.Selection {
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
