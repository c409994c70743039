import TrackingEvents

/// Events held until the person answers, for the sinks that cannot keep them apart themselves.
///
/// The first ones are kept, because they show how the session began. Meta events have room of their own.
struct HeldEvents {
    static let maxEvents = 2_000
    /// Approximate memory, in bytes: 4 MiB, as much as an event file's ring.
    static let maxBytes = 4 * 1_048_576
    /// Room beyond ``maxEvents`` for meta events.
    static let extraMetaEvents = 64
    /// Bytes beyond ``maxBytes`` for meta events.
    static let extraMetaBytes = extraMetaEvents * 1_024

    private var events: [StampedEvent] = []
    private var bytes = 0
    /// Since the tracker was made.
    private(set) var dropped = 0
    /// Dropped events that no `dropped` line has counted yet.
    private var unreported = SessionTally()

    mutating func add(_ event: StampedEvent) {
        let isMeta = event.kind == .meta
        let size = event.memoryBytes
        let most = Self.maxEvents + (isMeta ? Self.extraMetaEvents : 0)
        let mostBytes = Self.maxBytes + (isMeta ? Self.extraMetaBytes : 0)
        if events.count < most, bytes + size <= mostBytes {
            events.append(event)
            bytes += size
            return
        }
        dropped += 1
        if let session = event.session { unreported.add(session) }
    }

    /// Removes everything.
    ///
    /// - Returns: the events, and the properties of a `dropped` line for those that had no room; `nil` if all had.
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
        return MemoryLayout<StampedEvent>.stride + texts + event.properties.memoryBytes
    }
}

extension TrackingProperties {
    fileprivate var memoryBytes: Int {
        entries.reduce(0) { $0 + MemoryLayout<Entry>.stride + $1.key.utf8.count + $1.value.memoryBytes }
    }
}

extension TrackingValue {
    fileprivate var memoryBytes: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .int, .double, .bool, .null: 0
        case .array(let values): values.reduce(0) { $0 + MemoryLayout<TrackingValue>.stride + $1.memoryBytes }
        case .object(let properties): properties.memoryBytes
        case .sensitiveValue(let inner): MemoryLayout<TrackingValue>.stride + inner.memoryBytes
        }
    }
}
