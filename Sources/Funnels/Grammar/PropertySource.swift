/// Where a property stands.
public enum PropertySource: Sendable, Hashable {
    /// In the event's own `props`.
    case event
    /// On the `session_started` line of the event's session. Of several lines the latest at or before the event counts, else the first.
    case session

    /// What a path in a flag begins with.
    var prefix: String { self == .event ? "props." : "session." }
}
