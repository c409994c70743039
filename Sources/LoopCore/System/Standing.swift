/// A system's lifecycle and its current activity.
@usableFromInline
package struct Standing: Hashable, Sendable {
    @usableFromInline
    package enum Life: Hashable, Sendable {
        /// No isolated call has come: feedbacks have not begun.
        case new
        case live
        /// Events of the past are taken again; whatever is sent meanwhile is dropped.
        case replaying
        /// Whatever is sent is dropped.
        case stopped
    }

    @usableFromInline
    package enum Turn: Hashable, Sendable {
        /// No code of the system is on the stack. An event that is sent is taken at once, unless a `Next` works.
        case idle
        /// An event is taken, or user code runs that must find the system busy: what is sent waits.
        case draining
        /// The reducer runs: the state may not be read.
        case reducing
        /// Outside any step, a new observer is shown the current state: events that it sends are taken afterwards.
        case greeting
    }

    @usableFromInline package var life: Life
    @usableFromInline package var turn: Turn

    @inlinable
    package init(_ life: Life, _ turn: Turn) { (self.life, self.turn) = (life, turn) }
}
