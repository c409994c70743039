/// Where a property stands.
public enum PropertySource: Sendable, Hashable {
    /// In the event's own `props`.
    case event
    /// On the `session_started` line of the event's session. Of several, the latest that is not after the event counts, or else the first.
    case session

    /// What a path in a flag begins with.
    var prefix: String { self == .event ? "props." : "session." }
}
