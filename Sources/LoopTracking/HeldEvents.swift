import TrackingEvents

/// Events held until the person answers, where a sink cannot keep them apart. The first ones stay. Meta events have extra room.
struct HeldEvents {
    static let maxEvents = 2_000
    /// Approximate memory, in bytes: 4 MiB, as much as an event file's ring.
    static let maxBytes = 4 * 1_048_576
    /// Room for meta events beyond ``maxEvents`` and ``maxBytes``.
    static let extraForMeta = (events: 64, bytes: 64 * 1_024)

    private var events: [StampedEvent] = []
    private var bytes = 0
    /// Dropped events that no `dropped` line has counted yet.
    private var unreported = SessionTally()

    /// Holds an event; `false` if it had no room.
    mutating func add(_ event: StampedEvent) -> Bool {
        let size = event.memoryBytes
        let extra = event.kind == .meta ? Self.extraForMeta : (events: 0, bytes: 0)
        if events.count < Self.maxEvents + extra.events, bytes + size <= Self.maxBytes + extra.bytes {
            events.append(event)
            bytes += size
            return true
        }
        if let session = event.session { unreported.add(session) }
        return false
    }

    /// Removes and gives the events, and the properties of a `dropped` line for those that had no room; `nil` if all had room.
    mutating func take() -> (events: [StampedEvent], dropped: TrackingProperties?) {
        defer { removeAll() }
        return (events, unreported.isEmpty ? nil : unreported.droppedProperties(.overflow))
    }

    mutating func removeAll() { (events, bytes, unreported) = ([], 0, SessionTally()) }
}

/// Approximate memory in bytes, close enough for a bound.
extension StampedEvent {
    fileprivate var memoryBytes: Int {
        let texts = [event.name, user, session, system].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        return MemoryLayout<StampedEvent>.stride + texts + TrackingValue.object(event.properties).memoryBytes
    }
}

extension TrackingValue {
    fileprivate var memoryBytes: Int {
        let inside =
            switch self {
            case .string(let text): text.utf8.count
            case .int, .double, .bool, .null: 0
            case .array(let values): values.reduce(0) { $0 + $1.memoryBytes }
            case .object(let properties):
                properties.entries.reduce(0) { $0 + MemoryLayout<String>.stride + $1.key.utf8.count + $1.value.memoryBytes }
            case .sensitiveValue(let inner): inner.memoryBytes
            }
        return MemoryLayout<TrackingValue>.stride + inside
    }
}
