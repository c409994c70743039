/// What led to the sending of an event, where that was no call from outside.
@usableFromInline
package final class SendCause: Sendable {
    /// The number of the event that led to it; 0 for the initial state.
    package let number: Int
    /// The feedback whose effect sent it; `nil` where a binding, a middleware or the reducer did.
    @usableFromInline package let feedback: String?

    @usableFromInline
    init(number: Int, feedback: String? = nil) { (self.number, self.feedback) = (number, feedback) }
}

extension System {
    /// An event that a binding, a middleware or the reducer sends during a step, with what led to it.
    @usableFromInline
    func ledByStep(_ queued: QueuedEvent<Event>) -> QueuedEvent<Event> {
        let position = QueuePosition<Event>(depth: 0, cause: SendCause(number: number))
        return QueuedEvent(event: queued.event, origin: queued.origin, sentAt: queued.sentAt, position: position)
    }

    @usableFromInline
    func notifyTaken(_ queued: QueuedEvent<Event>) { observers.notify(taken: number, queued, causeOfTaken) }
}
