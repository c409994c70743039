import TrackingEvents

/// Events that wait for a person's decision, for the sinks that cannot keep them apart themselves.
///
/// The first ones are kept: they tell how the session began. Notes of the tracker have places of their own.
struct HeldEvents {
    /// The most events that are held.
    static let limit = 2_000
    /// About how many bytes of memory they may take, as much as an event file's ring: 4 MiB.
    static let limitBytes = 4 * 1_048_576
    /// Places beyond ``limit`` for meta events.
    static let reservedForMeta = 64
    /// Bytes beyond ``limitBytes`` for them.
    static let reservedBytes = reservedForMeta * 1_024
    /// Sessions told by name in a note of what was dropped; the others are counted together, under the name that event files have for it.
    static let sessionLimit = 120
    static let otherSessions = "_other"

    private(set) var events: [TrackedEvent] = []
    private var bytes = 0
    /// Since the tracker began.
    private(set) var dropped = 0
    /// Of each session, what no note has told yet.
    private var untold: [String: Int] = [:]

    mutating func add(_ event: TrackedEvent) {
        let isMeta = event.kind == .meta
        let size = event.memoryBytes
        if events.count < Self.limit + (isMeta ? Self.reservedForMeta : 0),
            bytes + size <= Self.limitBytes + (isMeta ? Self.reservedBytes : 0)
        {
            events.append(event)
            bytes += size
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
            bytes = 0
            untold = [:]
        }
        if untold.isEmpty { return (events, nil) }
        let count = TrackingValue.int(untold.values.reduce(0, +))
        let sessions = untold.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, TrackingValue.int($0.value)) }
        return (events, ["count": count, "reasons": ["overflow": count], "sessions": .object(TrackingProperties(sessions))])
    }
}

/// About what something takes in memory, in bytes: close enough for a bound.
extension TrackedEvent {
    fileprivate var memoryBytes: Int {
        let texts = [event.name, user, session, system].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        return MemoryLayout<TrackedEvent>.stride + texts + event.properties.memoryBytes
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
