/// A sink that hands each event to a closure. It keeps nothing itself. If the closure hands events to something with a buffer, pass a
/// closure that flushes that buffer. Without it ``flush()`` returns at once, with a receipt that counts nothing.
/// ```swift
/// let sink = ClosureSink(flush: { try await service.send() }) { event in service.add(event) }
/// ```
/// Consent and erasing do not go through a closure. To leave events out, or to change them, on the way to another sink, use
/// ``TrackingSink/filtered(_:)`` and ``TrackingSink/mapped(_:)``, which pass on everything.
public struct ClosureSink: TrackingSink {
    private let body: @Sendable (StampedEvent) -> Void
    private let flushing: (@Sendable () async throws -> FlushReceipt)?

    /// - Parameters:
    ///   - flush: brings the events that `body` has taken to where they are kept; `nil` if there is no buffer.
    ///   - body: called for each event, one call at a time. It may call the tracker: an event that it tracks comes after this one. Other
    ///     threads that track wait until it returns: it must not wait for them.
    public init(flush: (@Sendable () async throws -> FlushReceipt)? = nil, _ body: @escaping @Sendable (StampedEvent) -> Void) {
        (self.body, flushing) = (body, flush)
    }

    public func record(_ event: StampedEvent) { body(event) }
    public func offer(_ event: StampedEvent) -> Bool { false }

    @discardableResult
    public func flush() async throws -> FlushReceipt { try await flushing?() ?? FlushReceipt() }
}
