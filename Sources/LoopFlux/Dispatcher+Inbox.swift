import LoopCore

extension Dispatcher {
    /// The handle for other threads. Every call returns one to the same inbox.
    public func inbox(isolation: isolated any Actor = #isolation) -> ActionInbox {
        enter(isolation)
        if let inboxCore { return ActionInbox(core: inboxCore) }
        let core = InboxCore<ActionParcel>(clock: clock, owner: self, on: isolation)
        core.stampTimes(timedStores > 0)
        inboxCore = core
        return ActionInbox(core: core)
    }
}

extension Dispatcher: InboxOwner {
    package func takeFromInbox(isolation: isolated any Actor) {
        takeWaiting()
        run()
    }
}
