import TrackingEvents

/// Events that wait for a person's decision, for the sinks that cannot keep them apart themselves.
///
/// The first ones are kept: they tell how the session began. Notes of the tracker have places of their own.
struct HeldEvents {
    /// The most events that are held.
    static let limit = 2_000
    /// Places beyond ``limit`` for meta events.
    static let reservedForMeta = 64
    /// Sessions told by name in a note of what was dropped; the others are counted together, under the name that event files have for it.
    static let sessionLimit = 120
    static let otherSessions = "_other"

    private(set) var events: [TrackedEvent] = []
    /// Since the tracker began.
    private(set) var dropped = 0
    /// Of each session, what no note has told yet.
    private var untold: [String: Int] = [:]

    mutating func add(_ event: TrackedEvent) {
        if events.count < Self.limit + (event.kind == .meta ? Self.reservedForMeta : 0) {
            events.append(event)
            return
        }
        dropped += 1
        guard let session = event.session else { return }
        let name = untold[session] != nil || untold.count < Self.sessionLimit ? session : Self.otherSessions
        untold[name, default: 0] += 1
    }

    /// Hands everything over and holds nothing any more.
    ///
    /// - Returns: the events, and what a `dropped` line says of those that found no place; `nil` if all did.
    mutating func take() -> (events: [TrackedEvent], dropped: TrackingProperties?) {
        defer {
            events = []
            untold = [:]
        }
        if untold.isEmpty { return (events, nil) }
        let count = TrackingValue.int(untold.values.reduce(0, +))
        let sessions = untold.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, TrackingValue.int($0.value)) }
        return (events, ["count": count, "reasons": ["overflow": count], "sessions": .object(TrackingProperties(sessions))])
    }
}
