/// A handle through which any thread sends events to a system.
///
/// Events of one sender are reduced in the order in which it sent them, whatever it sends directly. It does not keep the system alive.
/// ```swift
/// let inbox = system.inbox()
/// socket.onMessage { inbox.send(.received($0)) }
/// ```
public struct EventInbox<Event: Sendable>: Sendable {
    private let core: InboxCore<Event>

    package init(core: InboxCore<Event>) { self.core = core }

    /// Puts an event into the system's inbox and returns; the system takes it on its own isolation.
    ///
    /// - Returns: `false` if the system is stopped or gone, and the event was dropped.
    @discardableResult
    public func send(_ event: Event, fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
        core.send(event, origin: SendOrigin(fileID: fileID, line: line))
    }
}

extension System where Event: Sendable {
    /// The handle for other threads. Every call returns one to the same inbox.
    public func inbox(isolation: isolated any Actor = #isolation) -> EventInbox<Event> {
        enter(isolation)
        if let inboxCore { return EventInbox(core: inboxCore) }
        let core = InboxCore<Event>(clock: clock, owner: self, on: isolation)
        if isStopped { core.close() }
        core.stampTimes(observers.needs.contains(.timing))
        inboxCore = core
        return EventInbox(core: core)
    }
}

extension System: InboxOwner {
    /// Moves the inbox's events to the end of the queue, and takes them unless something is under way.
    @usableFromInline
    package func takeFromInbox(isolation: isolated any Actor) {
        guard standing.life == .live, let inboxCore else { return }
        for queued in inboxCore.takeAll() { queue.append(queued) }
        runWaiting(on: isolation)
    }
}
