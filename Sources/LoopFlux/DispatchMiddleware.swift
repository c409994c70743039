/// Stands between `dispatch` and the handlers, and may change an action, swallow it, or replace it by others.
///
/// ```swift
/// let mute = DispatchMiddleware { action, chain in
///     if !(action is Tapped) { chain.proceed(action) }     // swallows taps
/// }
/// dispatcher.add(mute)
/// ```
/// The `Middleware` of LoopCore only observes: attach it to a ``Dispatcher`` or a ``Store``.
///
/// **Order.** The middleware added last sees an action first.
public struct DispatchMiddleware {
    final class ID {}

    /// Identifies the middleware for its removal. Copies of a value are the same middleware.
    let id = ID()
    let perform: (any Action, Chain) -> Void

    /// - Parameter perform: called for each action, on the dispatcher's isolation. What it does not pass to the chain is swallowed.
    public init(_ perform: @escaping (any Action, Chain) -> Void) { self.perform = perform }
}

/// What comes after a ``DispatchMiddleware``: the others, then the handlers. Use it before the middleware returns.
public struct Chain {
    let dispatcher: Dispatcher
    /// The remaining middleware, the next one last.
    let rest: ArraySlice<DispatchMiddleware>
    let turn: Int

    /// Passes an action on. When this returns the handlers have received it, unless a later middleware swallowed it.
    ///
    /// - Returns: the action that the handlers received, which a later middleware may have replaced; `nil` if it was swallowed.
    @discardableResult
    public func proceed(_ action: any Action) -> (any Action)? {
        precondition(dispatcher.isPassing(turn), "Chain.proceed was called after its middleware had returned. Dispatch the action anew.")
        return dispatcher.pass(action, through: rest, turn: turn)
    }
}
