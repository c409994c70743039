import Basics

/// A handle through which any thread sends events to a system.
///
/// Events of one sender are reduced in the order it sent them, also where it sends to the system itself in between. The handle does not keep the system alive.
/// ```swift
/// let inbox = system.inbox()
/// socket.onMessage { inbox.send(.received($0)) }
/// ```
public struct EventInbox<Event: Sendable>: Sendable {
    private let core: InboxCore<Event>

    init(core: InboxCore<Event>) { self.core = core }

    /// Puts an event into the system's inbox and returns; the system takes it on its own isolation.
    ///
    /// - Returns: `false` if the system is stopped or gone, and the event was dropped.
    @discardableResult
    public func send(_ event: Event, fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
        core.send(event, origin: SendOrigin(fileID: fileID, line: line))
    }
}

/// What a system needs of its inbox, without knowing that its events are `Sendable`.
package protocol InboxSource<Event> {
    associatedtype Event
    var isEmpty: Bool { get }
    /// All that waits, in order; whoever sends next wakes the system again.
    func takeAll() -> [QueuedEvent<Event>]
    /// Whether each event is to carry the time of its send.
    func stampTimes(_ isTimed: Bool)
    /// Accepts nothing more, and says how many events it dropped.
    func close() -> Int
}

/// The shared part of a system's inbox: what waits, and how to wake the system.
package final class InboxCore<Event: Sendable>: InboxSource, Sendable {
    private struct Contents {
        var waiting: [QueuedEvent<Event>] = []
        var isWaking = false
        var isClosed = false
        var isTimed = false
    }

    private let contents = Lock(Contents())
    private let clock: StepClock
    /// Only set while the lock is held.
    package let signal = InboxSignal()
    private let wake: @Sendable () -> Void

    /// - Parameter wake: makes the system take what waits, soon and on its isolation. Called once until it did.
    package init(clock: StepClock, wake: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.wake = wake
    }

    package func send(_ event: Event, origin: SendOrigin) -> Bool {
        let (accepted, mustWake) = contents.withLock { contents in
            if contents.isClosed { return (false, false) }
            contents.waiting.append(QueuedEvent(event: event, origin: origin, sentAt: contents.isTimed ? clock.nanoseconds : 0))
            signal.set(true)
            defer { contents.isWaking = true }
            return (true, !contents.isWaking)
        }
        if mustWake { wake() }
        return accepted
    }

    package var isEmpty: Bool { contents.withLock { $0.waiting.isEmpty } }

    package func takeAll() -> [QueuedEvent<Event>] {
        contents.withLock { contents in
            contents.isWaking = false
            signal.set(false)
            defer { contents.waiting = [] }
            return contents.waiting
        }
    }

    package func stampTimes(_ isTimed: Bool) { contents.withLock { $0.isTimed = isTimed } }

    package func close() -> Int {
        contents.withLock { contents in
            contents.isClosed = true
            signal.set(false)
            defer { contents.waiting = [] }
            return contents.waiting.count
        }
    }
}

/// The way from any thread back to a system on its actor.
///
/// `@unchecked Sendable`: both references are set once and weak, loading a weak reference is atomic, and the system is used
/// only after the hop to its own actor.
private final class WayHome<State, Event>: @unchecked Sendable {
    private weak var system: System<State, Event>?
    private weak var actor: (any Actor)?

    init(_ system: System<State, Event>, on actor: any Actor) {
        self.system = system
        self.actor = actor
    }

    func wake() {
        // Both weak: an inbox that outlives its system must keep nothing alive.
        guard let actor else { return }
        Task { await arrive(on: actor) }
    }

    private func arrive(on isolation: isolated any Actor) async {
        system?.takeFromInbox(isolation: isolation)
    }
}

extension System where Event: Sendable {
    /// The handle for other threads. Every call returns one to the same inbox.
    public func inbox(isolation: isolated any Actor = #isolation) -> EventInbox<Event> {
        enter(isolation)
        if let core = inboxSource as? InboxCore<Event> { return EventInbox(core: core) }
        let way = WayHome(self, on: isolation)
        let core = InboxCore<Event>(clock: clock) { way.wake() }
        if isStopped { _ = core.close() }
        core.stampTimes(needs.contains(.timing))
        inboxSource = core
        inboxSignal = core.signal
        return EventInbox(core: core)
    }
}

extension System {
    /// Moves what the inbox holds behind what waits already, and runs it unless something is under way.
    @usableFromInline
    func takeFromInbox(isolation: isolated any Actor) {
        guard !isStopped, let inboxSource else { return }
        for queued in inboxSource.takeAll() { queue.append(queued) }
        if isDraining || running != nil { return }
        isDraining = true
        drain(isolation: isolation)
    }
}
