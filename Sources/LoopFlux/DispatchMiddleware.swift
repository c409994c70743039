/// Stands between `dispatch` and the handlers, and may change an action, swallow it, or put others in its place.
///
/// ```swift
/// let mute = DispatchMiddleware { action, chain in
///     if !(action is Tapped) { chain.proceed(action) }     // taps go no further
/// }
/// dispatcher.add(mute)
/// ```
/// Mini calls it `Middleware`; here that is `LoopCore.Middleware`, which watches steps and can change nothing. A watcher of a
/// ``Store`` is the latter, see `Store.attach(_:)`.
///
/// **Order.** As in Mini, the one added last is the first to see an action.
public struct DispatchMiddleware {
    /// Tells one middleware from another, for removing. Copies of a value are the same middleware.
    private final class Identity {}

    private let identity = Identity()
    let perform: (any Action, Chain) -> Void

    /// - Parameter perform: called for each action, on the dispatcher's isolation. It passes on to the chain what the handlers
    ///   are to be told; whatever it does not pass on is swallowed.
    public init(_ perform: @escaping (any Action, Chain) -> Void) { self.perform = perform }

    func isSame(as other: DispatchMiddleware) -> Bool { identity === other.identity }
}

/// What comes after a ``DispatchMiddleware``: the others, then the handlers.
///
/// It is of use until the middleware returns.
public struct Chain {
    let dispatcher: Dispatcher
    /// Those still to come, the next one last.
    let rest: ArraySlice<DispatchMiddleware>
    let number: Int

    /// Passes an action on. When this returns the handlers have been told, unless a later middleware swallowed it.
    ///
    /// - Returns: what became of it.
    @discardableResult
    public func proceed(_ action: any Action) -> DispatchOutcome {
        precondition(
            dispatcher.isTelling(number),
            "Chain.proceed was called after its middleware had returned. Dispatch the action anew.")
        return dispatcher.pass(action, through: rest, number: number)
    }
}

/// What became of an action.
public enum DispatchOutcome {
    /// The handlers were told this action, which a middleware may have put in the place of the one that was dispatched.
    case reduced(any Action)
    /// A middleware did not pass it on.
    case swallowed

    /// The action that was told; `nil` if it was swallowed.
    public var action: (any Action)? {
        if case .reduced(let action) = self { action } else { nil }
    }
}
