/// A sink that hands each event to a closure. It keeps nothing itself. Where the closure hands events to something with a buffer, pass the
/// buffer's flush: without it ``flush()`` returns at once, and its receipt does not say what became of the events.
/// ```swift
/// let sink = ClosureSink(flush: { try await service.send() }) { event in service.add(event) }
/// ```
/// Consent and erasing do not go through a closure. To leave events out, or to change them, on the way to another sink, use
/// ``TrackingSink/filtered(_:)`` and ``TrackingSink/mapped(_:)``, which pass on everything.
public struct ClosureSink: TrackingSink {
    private let body: @Sendable (StampedEvent) -> Void
    private let flushing: (@Sendable () async throws -> FlushReceipt)?

    /// - Parameters:
    ///   - flush: brings what the closure has taken to where it is kept; `nil` where nothing has to be brought.
    ///   - body: called for each event, one call at a time. It may ask the tracker, and what it tracks comes after the event. Other threads
    ///     that track wait until it returns: it must not wait for them.
    public init(flush: (@Sendable () async throws -> FlushReceipt)? = nil, _ body: @escaping @Sendable (StampedEvent) -> Void) {
        (self.body, flushing) = (body, flush)
    }

    public func record(_ event: StampedEvent) { body(event) }
    public func offer(_ event: StampedEvent) -> Bool { false }

    @discardableResult
    public func flush() async throws -> FlushReceipt { try await flushing?() ?? FlushReceipt() }
}
