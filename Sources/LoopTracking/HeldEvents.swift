import TrackingEvents

/// Events that wait for a person's decision, for the sinks that cannot keep them apart themselves.
///
/// The first ones are kept: they tell how the session began. Notes of the tracker have places of their own.
struct HeldEvents {
    /// The most events that are held.
    static let limit = 2_000
    /// Places beyond ``limit`` for meta events.
    static let reservedForMeta = 64

    private(set) var events: [TrackedEvent] = []
    private(set) var dropped = 0

    mutating func add(_ event: TrackedEvent) {
        if events.count >= Self.limit + (event.kind == .meta ? Self.reservedForMeta : 0) {
            dropped += 1
        } else {
            events.append(event)
        }
    }

    /// Hands everything over and holds nothing any more.
    mutating func take() -> [TrackedEvent] {
        defer { events = [] }
        return events
    }
}
