/// What led to the sending of an event that was not sent from outside.
@usableFromInline
package final class SendCause: Sendable {
    /// The number of the event that led to it; 0 for the initial state.
    package let number: Int
    /// The effect that sent it, by its name in notices; `nil` if a binding, a middleware or the reducer called `send`.
    @usableFromInline package let feedback: String?

    @usableFromInline
    init(number: Int, feedback: String? = nil) { (self.number, self.feedback) = (number, feedback) }
}

extension System {
    /// Gives the step as the cause to an event that a binding, a middleware or the reducer sends during it.
    @usableFromInline
    func ledByStep(_ queued: QueuedEvent<Event>) -> QueuedEvent<Event> {
        let position = QueuePosition<Event>(depth: 0, cause: SendCause(number: number))
        return QueuedEvent(event: queued.event, origin: queued.origin, sentAt: queued.sentAt, position: position)
    }

    @usableFromInline
    func notifyTaken(_ queued: QueuedEvent<Event>) { observers.notify(taken: number, queued, causeOfTaken) }
}
