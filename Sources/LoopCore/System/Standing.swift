/// Where a system stands: how far its life has come, and what its thread does now.
@usableFromInline
package struct Standing: Hashable, Sendable {
    @usableFromInline
    package enum Life: Hashable, Sendable, CaseIterable {
        /// No isolated call has come: feedbacks have not begun.
        case new
        case live
        /// Events of the past are taken again; whatever is sent meanwhile is dropped.
        case replaying
        /// Whatever is sent is dropped.
        case stopped
    }

    @usableFromInline
    package enum Turn: Hashable, Sendable, CaseIterable {
        /// Nothing is on the stack. An event that is sent is taken at once, unless a `Next` works.
        case idle
        /// An event is taken, or user code runs that must find the system busy: what is sent waits.
        case draining
        /// The reducer runs: the state may not be read.
        case reducing
        /// Outside any step, a newcomer is shown the state: what it sends is taken when it has returned.
        case welcoming
    }

    @usableFromInline package var life: Life
    @usableFromInline package var turn: Turn

    @inlinable
    package init(_ life: Life, _ turn: Turn) {
        self.life = life
        self.turn = turn
    }

    /// The pairs that occur. `Next`'s work may be under way (`true`) only where no reducer runs and no past is replayed.
    package static let possible: [Standing: Bool] = [
        Standing(.new, .idle): false,
        // Before its first event a system only greets; a stop may come from there.
        Standing(.new, .welcoming): false,
        Standing(.live, .idle): true,
        Standing(.live, .draining): true,
        Standing(.live, .reducing): false,
        Standing(.live, .welcoming): true,
        // A replay is one long turn.
        Standing(.replaying, .draining): false,
        Standing(.replaying, .reducing): false,
        Standing(.stopped, .idle): false,
        // Stopped from inside a turn: that still ends as it began, then the work's last step comes.
        Standing(.stopped, .draining): true,
        Standing(.stopped, .reducing): false,
        Standing(.stopped, .welcoming): true,
    ]
}
