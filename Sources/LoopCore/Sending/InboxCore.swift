import Basics
import Synchronization

/// A loop's inbox. Any thread puts `Sendable` events into it. The loop takes them on its isolation, where `Event` may be any type.
@usableFromInline
package final class InboxCore<Event>: Sendable {
    private struct Contents {
        var waiting: [QueuedEvent<Event>] = []
        var isWaking = false
        var isClosed = false
        var isTimed = false
    }

    private let contents = Lock(Contents())
    private let clock: StepClock
    /// Whether something waits. Changed only while the lock is held.
    private let flag = Atomic(false)
    private let way: WayHome

    /// - Parameter owner: lives on the actor and takes the waiting events. The inbox keeps neither alive.
    package init(clock: StepClock, owner: any InboxOwner, on actor: any Actor) {
        self.clock = clock
        way = WayHome(owner, on: actor)
    }

    /// Whether something waits, without the lock: a loop asks at every `send`. A thread always sees an event that it put in itself.
    @usableFromInline package var isRaised: Bool { flag.load(ordering: .relaxed) }

    /// - Returns: `false` if the inbox is closed, and the event was dropped.
    package func send(_ event: Event, origin: SendOrigin) -> Bool where Event: Sendable {
        let (accepted, mustWake) = contents.withLock { contents in
            if contents.isClosed { return (false, false) }
            contents.waiting.append(QueuedEvent(event: event, origin: origin, sentAt: contents.isTimed ? clock.nanoseconds : 0))
            flag.store(true, ordering: .relaxed)
            return (true, !exchange(&contents.isWaking, with: true))
        }
        if mustWake { way.wake() }
        return accepted
    }

    package var isEmpty: Bool { contents.withLock { $0.waiting.isEmpty } }

    /// Takes all waiting events, in order. The next send wakes the loop again.
    package func takeAll() -> [QueuedEvent<Event>] {
        contents.withLock { contents in
            contents.isWaking = false
            flag.store(false, ordering: .relaxed)
            return exchange(&contents.waiting, with: [])
        }
    }

    /// Sets whether each event carries the time of its send.
    package func stampTimes(_ isTimed: Bool) { contents.withLock { $0.isTimed = isTimed } }

    /// Drops the waiting events, accepts no more, and returns how many it dropped.
    @discardableResult
    package func close() -> Int {
        // Counted and released with the lock free: the deinit of an event may use the inbox.
        contents.withLock { $0.isClosed = true }
        return takeAll().count
    }
}

package protocol InboxOwner: AnyObject {
    /// Queues the inbox's events, and takes them unless something is under way.
    func takeFromInbox(isolation: isolated any Actor)
}

/// The way from any thread back to a loop on its actor. `@unchecked Sendable`: both references are set once, loading a weak one is atomic,
/// and the owner is used only after the hop to its own actor.
private final class WayHome: @unchecked Sendable {
    // Both weak: an inbox that outlives its loop must keep nothing alive.
    private weak var owner: (any InboxOwner)?
    private weak var actor: (any Actor)?

    init(_ owner: any InboxOwner, on actor: any Actor) { (self.owner, self.actor) = (owner, actor) }

    func wake() {
        guard let actor else { return }
        // Not the sender's priority: the events of others wait for this task, too.
        Task(priority: .high) { await arrive(on: actor) }
    }

    private func arrive(on isolation: isolated any Actor) async { owner?.takeFromInbox(isolation: isolation) }
}
