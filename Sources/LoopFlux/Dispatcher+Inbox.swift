import LoopCore

extension Dispatcher {
    /// The handle for other threads. Every call returns one to the same inbox.
    public func inbox(isolation: isolated any Actor = #isolation) -> ActionInbox {
        enter(isolation)
        if let inboxCore { return ActionInbox(core: inboxCore) }
        let way = WayHome(self, on: isolation)
        let core = InboxCore<ActionParcel>(clock: clock) { way.wake() }
        core.stampTimes(timedStores > 0)
        inboxCore = core
        return ActionInbox(core: core)
    }
}

/// The way from any thread back to a dispatcher on its actor.
///
/// `@unchecked Sendable`: both references are set once and weak, loading a weak reference is atomic, and the dispatcher is used
/// only after the hop to its own actor.
private final class WayHome: @unchecked Sendable {
    private weak var dispatcher: Dispatcher?
    private weak var actor: (any Actor)?

    init(_ dispatcher: Dispatcher, on actor: any Actor) {
        self.dispatcher = dispatcher
        self.actor = actor
    }

    func wake() {
        // Both weak: an inbox that outlives its dispatcher must keep nothing alive.
        guard let actor else { return }
        Task { await arrive(on: actor) }
    }

    private func arrive(on isolation: isolated any Actor) async {
        dispatcher?.takeWaiting()
        dispatcher?.run()
    }
}
