import Basics
public import Funnels

extension JSONReport {
    public func text(of paths: EventPaths) -> String {
        document { writer in
            writer.breakLine(" ")
            let definition = paths.definition
            writer.key("definition")
            writer.object { writer in
                writer.member("from", definition.from)
                writer.member("window_ms", definition.windowMilliseconds)
                writer.member("depth", definition.depth)
                writer.member("by", definition.key.description)
                writer.member("count", definition.count.rawValue)
                writer.member("merge_repeats", definition.mergesRepeats)
                writer.member("top", definition.top)
                writer.member("min_share", definition.leastShare)
                write(definition.range, to: &writer)
                if !definition.identify { writer.member("identify", false) }
            }
            writer.breakLine(" ")
            writer.member("starts", paths.starts)
            writer.member("window_open", paths.windowOpen)
            writer.breakLine(" ")
            write(paths.next, to: &writer)
            writer.breakLine(" ")
            write(paths.input, to: &writer)
        }
    }

    private func write(_ nodes: [EventPaths.Node], to writer: inout JSONWriter) {
        writer.key("next")
        writer.array(nodes, onePerLine: true) { writer, node in
            writer.object { writer in
                writer.member("name", node.place.title)
                // An event may be named `(end)` itself.
                writer.member("kind", node.place.kind)
                writer.member("count", node.count)
                writer.member("of_starts", node.ofStarts)
                writer.member("of_previous", node.ofPrevious)
                write("from_previous_ms", node.fromPrevious, to: &writer)
                write(node.next, to: &writer)
            }
        }
    }
}

extension EventPaths.Place {
    /// The event's name, `(end)` or `(other)`.
    var title: String {
        switch self {
        case .event(let name): name
        case .end: "(end)"
        case .other: "(other)"
        }
    }

    var kind: String {
        switch self {
        case .event: "event"
        case .end: "end"
        case .other: "other"
        }
    }
}
