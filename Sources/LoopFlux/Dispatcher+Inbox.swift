public import LoopCore

extension Dispatcher {
    /// The handle for other threads. Every call returns one to the same inbox.
    public func inbox(isolation: isolated any Actor = #isolation) -> ActionInbox {
        enter(isolation)
        if let inboxCore { return ActionInbox(core: inboxCore) }
        let core = InboxCore<any Action & Sendable>(clock: clock, owner: self, on: isolation)
        if isStopped { _ = core.close() }
        inboxCore = core
        stampTimes()
        return ActionInbox(core: core)
    }

    /// Moves what the inbox holds behind what waits already.
    func takeWaiting() {
        guard let inboxCore else { return }
        for queued in inboxCore.takeAll() { append(queued.event, queued.origin, sentAt: queued.sentAt) }
    }
}

extension Dispatcher: InboxOwner {
    package func takeFromInbox(isolation: isolated any Actor) {
        takeWaiting()
        run()
    }
}
