/// A destination of stamped events: a file, memory, a service.
///
/// A sink for another service is one conformance. Requirements of a conforming type:
/// - Every method may be called from any thread. A tracker makes one call at a time, beside ``flush()``, ``suspend()`` and ``resume()``.
/// - ``offer(_:)``, ``setConsent(_:)`` and ``erase(completion:)`` may be called while the tracker holds its lock: they return quickly, do
///   no I/O, and never call back into the tracker. The same holds for ``record(_:)`` in a sink without an ``offer(_:)`` of its own.
/// - Events come in the order of their sequence numbers within a session, each once. The sink counts what it drops.
/// - ``flush()`` returns when everything recorded before is where the sink keeps it, and its receipt counts what is lost. It has no
///   default, because a sink that buffers events and is never flushed would lose them.
public protocol TrackingSink: Sendable {
    /// Takes one event. A sink that may wait for room waits here and has an ``TrackingSink/offer(_:)`` that does not.
    func record(_ event: StampedEvent)

    /// Takes one event if there is room, without waiting. By default it calls ``record(_:)``.
    ///
    /// - Returns: `false` if ``record(_:)`` would wait or calls code that is not the sink's: it is then called without the tracker's lock.
    func offer(_ event: StampedEvent) -> Bool

    /// Brings everything recorded so far to where it is kept. A sink without a buffer returns at once.
    ///
    /// - Returns: what the sink has taken and lost since it was made; `FlushReceipt()` from a sink that does not count.
    /// - Throws: the reason why the events did not get there. They are lost only if the sink says so.
    @discardableResult
    func flush() async throws -> FlushReceipt

    /// Whether the sink itself keeps events apart while consent is pending. For other sinks the tracker holds them until the person agrees.
    var spoolsWhilePending: Bool { get }

    /// Changes the consent for all later events, in order with ``record(_:)``. A sink that keeps events apart publishes them when consent
    /// is granted, and erases them when it is denied.
    func setConsent(_ consent: TrackingConsent)

    /// Removes everything recorded before, wherever it is kept, in order with ``record(_:)``. `completion` gets the error if that failed.
    func erase(completion: @escaping @Sendable ((any Error)?) -> Void)

    /// Prepares for the process to be suspended: a sink gives back every lock that others could wait for. By default calls ``flush()``.
    func suspend() async throws

    /// The process works again.
    func resume()
}

/// Defaults for a sink that never waits and keeps nothing.
extension TrackingSink {
    public func offer(_ event: StampedEvent) -> Bool {
        record(event)
        return true
    }

    public var spoolsWhilePending: Bool { false }
    public func setConsent(_ consent: TrackingConsent) {}
    public func erase(completion: @escaping @Sendable ((any Error)?) -> Void) { completion(nil) }
    public func suspend() async throws { _ = try await flush() }
    public func resume() {}
}
