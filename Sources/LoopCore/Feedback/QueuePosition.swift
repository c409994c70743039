/// The queue position of a feedback's event. It outlives the event: a replacing effect reuses the positions of the events that the replaced
/// one lost. Otherwise a feedback that restarts at every state would go to the end of the queue each time, always behind another one.
@usableFromInline
package final class QueuePosition<Event> {
    @usableFromInline
    enum Content {
        /// The event that was queued with the position.
        case original
        case nothing
        case another(QueuedEvent<Event>)
    }

    // Unchecked, as in `System`.
    @exclusivity(unchecked) @usableFromInline var content = Content.original
    /// Whether the queue has reached this position.
    @exclusivity(unchecked) @usableFromInline var isTaken = false
    /// How many events of effects led to each other up to this one; 0 if it was sent after its effect suspended, or without an effect.
    @usableFromInline private(set) var depth: Int
    @usableFromInline private(set) var cause: SendCause

    @inlinable
    init(depth: Int, cause: SendCause) { (self.depth, self.cause) = (depth, cause) }

    @inlinable
    deinit {}

    /// Takes the event that is here now; `nil` if it has been removed.
    @inlinable
    func take(_ original: QueuedEvent<Event>) -> QueuedEvent<Event>? {
        isTaken = true
        defer { content = .nothing }
        return event(of: original)
    }

    @inlinable
    func event(of original: QueuedEvent<Event>) -> QueuedEvent<Event>? {
        switch content {
        case .original: return original
        case .nothing: return nil
        case .another(let event): return event
        }
    }

    func empty() { change(to: .nothing) }

    /// Whether its event has been removed or taken.
    @inlinable var isEmpty: Bool { if case .nothing = content { true } else { false } }

    func put(_ event: QueuedEvent<Event>, depth: Int, cause: SendCause) {
        (self.depth, self.cause) = (depth, cause)
        change(to: .another(event))
    }

    /// The old event is released after the change, because its deinit may call the system.
    private func change(to content: Content) { _ = exchange(&self.content, with: content) }
}

extension EventQueue {
    /// Removes positions from the front, up to the first one that still has an event.
    @inlinable
    mutating func trimEmpty<Event>() where Element == QueuePosition<Event> { while let first, first.isEmpty { _ = popFirst() } }
}
