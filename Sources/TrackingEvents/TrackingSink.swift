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

    /// Whether the sink itself keeps events apart while consent is pending. One that does not is given them when the person agrees; until
    /// then the tracker holds them in memory.
    var spoolsWhilePending: Bool { get }

    /// Says that the person's consent is another from now on, in order with ``record(_:)`` and under the same rules.
    ///
    /// A sink that spools hands on what it kept apart when consent is granted, and erases it when it is denied.
    func setConsent(_ consent: TrackingConsent)

    /// Removes everything that was recorded before from wherever the sink keeps it, in order with ``record(_:)`` and under the same rules.
    ///
    /// - Parameter completion: called when it is done, with what kept it from being done.
    func erase(completion: @escaping @Sendable ((any Error)?) -> Void)
}

/// A sink that keeps nothing has nothing to flush, to keep apart or to erase.
extension TrackingSink {
    public func flush() async throws {}
    public var spoolsWhilePending: Bool { false }
    public func setConsent(_ consent: TrackingConsent) {}
    public func erase(completion: @escaping @Sendable ((any Error)?) -> Void) { completion(nil) }
}

/// A sink that hands each event to a closure.
public struct ClosureSink: TrackingSink {
    private let body: @Sendable (TrackedEvent) -> Void

    /// - Parameter body: called for each event, on the thread that tracked it, one call at a time.
    public init(_ body: @escaping @Sendable (TrackedEvent) -> Void) { self.body = body }

    public func record(_ event: TrackedEvent) { body(event) }
}
