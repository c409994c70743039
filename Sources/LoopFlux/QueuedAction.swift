import LoopCore

/// An action on its way, with what records and steps will tell of it.
struct QueuedAction {
    let action: any Action
    let origin: SendOrigin
    /// On the dispatcher's clock; 0 where nobody asked for timing.
    let sentAt: UInt64
    /// Who waits for it, if anybody.
    let delivery: Delivery?
}

/// The action that is being told.
struct CurrentAction {
    let queued: QueuedAction
    /// What the handlers are told: the one that was dispatched, or what a middleware put in its place.
    var action: any Action
    /// How many were told in the place of the one that was dispatched.
    var serial = 0
}
