/// A feedback event's place among the events that wait.
///
/// The place outlives the event: when a replaced effect loses its events, the first events of the one that replaces it take their
/// places. Otherwise a feedback that restarts at every state would go to the end of the queue each time and never have its turn
/// beside another one.
@usableFromInline
final class QueuePosition<Event> {
    private enum Content {
        /// The event that came with the place.
        case original
        case nothing
        case another(QueuedEvent<Event>)
    }

    private var content = Content.original
    /// Whether the queue has come to it.
    private(set) var isTaken = false
    /// Whether the event was sent before its effect first suspended.
    var isChained: Bool

    init(isChained: Bool) { self.isChained = isChained }

    /// What the queue finds here, if the event has not been removed.
    func take(_ original: QueuedEvent<Event>) -> QueuedEvent<Event>? {
        isTaken = true
        defer { content = .nothing }
        switch content {
        case .original: return original
        case .nothing: return nil
        case .another(let event): return event
        }
    }

    func empty() { change(to: .nothing) }

    /// Whether its event has been removed or taken.
    var isEmpty: Bool { if case .nothing = content { true } else { false } }

    func put(_ event: QueuedEvent<Event>, isChained: Bool) {
        self.isChained = isChained
        change(to: .another(event))
    }

    /// The old event is let go of after the change, because its end may call the system.
    private func change(to content: Content) {
        let left = self.content
        self.content = content
        withExtendedLifetime(left) {}
    }
}
