/// Where tracked events go: a file, a memory, a service.
///
/// A sink for another service is one conformance. What a conforming type must keep:
/// - ``record(_:)`` may be called from any thread, while the tracker holds its lock: it returns quickly, does no I/O, and
///   never calls back into the tracker.
/// - Events come in the order of their sequence numbers within a session, each once. What a sink drops it counts.
/// - ``flush()`` returns when all that was recorded before is where the sink keeps it.
public protocol TrackingSink: Sendable {
    /// Takes one event.
    func record(_ event: TrackedEvent)

    /// Brings everything recorded so far to where it is kept.
    ///
    /// - Throws: what kept the events from getting there; they are not lost by that unless the sink says so.
    func flush() async throws
}

extension TrackingSink {
    public func flush() async throws {}
}

/// A sink that hands each event to a closure.
public struct ClosureSink: TrackingSink {
    private let body: @Sendable (TrackedEvent) -> Void

    /// - Parameter body: called for each event, on the thread that tracked it, one call at a time.
    public init(_ body: @escaping @Sendable (TrackedEvent) -> Void) { self.body = body }

    public func record(_ event: TrackedEvent) { body(event) }
}
