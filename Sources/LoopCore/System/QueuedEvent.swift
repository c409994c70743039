/// An event that waits for its turn, with what its step reports about the send.
@usableFromInline
package struct QueuedEvent<Event> {
    @usableFromInline package let event: Event
    @usableFromInline package let origin: SendOrigin
    /// On the loop's clock; 0 if no middleware asks for timing.
    @usableFromInline package let sentAt: UInt64
    /// Only for an event that an effect sent.
    @usableFromInline let position: QueuePosition<Event>?

    @inlinable
    package init(event: Event, origin: SendOrigin, sentAt: UInt64) {
        self.init(event: event, origin: origin, sentAt: sentAt, position: nil)
    }

    @inlinable
    init(event: Event, origin: SendOrigin, sentAt: UInt64, position: QueuePosition<Event>?) {
        self.event = event
        self.origin = origin
        self.sentAt = sentAt
        self.position = position
    }
}
