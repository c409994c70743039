import Basics
public import TrackingEvents

/// A sink that keeps its events in memory, for tests and benchmarks.
///
/// ```swift
/// let sink = MemorySink()
/// let tracker = Tracker(to: sink)
/// tracker.track(.event("pdp_shown"))
/// #expect(sink.names == ["pdp_shown"])
/// ```
/// Any thread may record and read. Events stand in the order in which they were recorded.
public final class MemorySink: TrackingSink {
    private struct Contents {
        var events: [StampedEvent] = []
        /// Where the oldest event stands once the capacity is reached; the newest overwrites it.
        var oldest = 0
        var dropped = 0

        var inOrder: [StampedEvent] { oldest == 0 ? events : Array(events[oldest...] + events[..<oldest]) }
    }

    private let contents = Lock(Contents())

    /// How many events it keeps; `nil` for all.
    public let capacity: Int?

    /// - Parameter capacity: keeps the last `capacity` events and counts the others in ``dropped``; `nil` keeps all.
    public init(capacity: Int? = nil) {
        precondition(capacity.map { $0 > 0 } ?? true, "A bounded sink keeps at least one event; nil is for no bound.")
        self.capacity = capacity
    }

    public func record(_ event: StampedEvent) {
        contents.withLock { contents in
            guard let capacity, contents.events.count == capacity else {
                contents.events.append(event)
                return
            }
            contents.events[contents.oldest] = event
            contents.oldest += 1
            if contents.oldest == capacity { contents.oldest = 0 }
            contents.dropped += 1
        }
    }

    /// All kept events, oldest first, of every kind: the tracker's own notes (``/TrackingEvents/StampedEvent/Kind/meta``) are among them.
    public var all: [StampedEvent] { contents.withLock { $0.inOrder } }

    /// What users did or saw, oldest first: the events of the kind `.track`.
    public var events: [StampedEvent] { all.filter { $0.kind == .track } }

    /// The names of ``events``.
    public var names: [String] { events.map(\.event.name) }

    /// The events of one name, oldest first, of whichever kind.
    public func events(named name: String) -> [StampedEvent] { all.filter { $0.event.name == name } }

    /// How many events of every kind are kept.
    public var count: Int { contents.withLock { $0.events.count } }

    /// How many events newer ones have replaced.
    public var dropped: Int { contents.withLock { $0.dropped } }

    public func erase(completion: @escaping @Sendable ((any Error)?) -> Void) {
        removeAll()
        completion(nil)
    }

    /// Forgets what is kept and what was dropped.
    public func removeAll() { contents.withLock { $0 = Contents() } }
}
