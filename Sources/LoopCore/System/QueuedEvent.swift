/// An event that waits for its turn, with what its step reports about the send.
@usableFromInline
package struct QueuedEvent<Event> {
    @usableFromInline package let event: Event
    @usableFromInline package let origin: SendOrigin
    /// On the loop's clock; 0 if no middleware asks for timing.
    @usableFromInline package let sentAt: UInt64
    /// Set for an event that an effect sent and may take back, and for one that was sent in a step if middleware wants its cause.
    @usableFromInline let position: QueuePosition<Event>?
    /// For an event without a position: how many events of effects led to each other up to it; 0 for one from outside.
    @usableFromInline let depth: Int

    @inlinable
    package init(event: Event, origin: SendOrigin, sentAt: UInt64, position: QueuePosition<Event>? = nil, depth: Int = 0) {
        self.event = event
        self.origin = origin
        self.sentAt = sentAt
        self.position = position
        self.depth = depth
    }

    /// The event to take in its turn, as of now: an effect may have taken it back, or replaced it by another.
    var present: QueuedEvent? { position.map { $0.event(of: self) } ?? self }
}
