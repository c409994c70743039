public import LoopFlux

/// Records every action of a dispatcher for a test, and swallows those that the test mutes.
///
/// ```swift
/// let recorder = ActionRecorder(muting: { $0 is Payment })       // nobody pays in a test
/// dispatcher.add(recorder.middleware)
/// dispatcher.dispatch(Checkout())
/// #expect(recorder.actions(of: Payment.self).count == 1)
/// ```
/// Added last, it is the first `DispatchMiddleware` to see an action and records it as it was dispatched, whatever the others make of it.
///
/// It lives where the dispatcher lives, and the dispatcher does not keep it alive. When it is released, all actions pass.
public final class ActionRecorder {
    /// The middleware to add. Added to several dispatchers, it records their actions in the order in which they come.
    public private(set) var middleware = DispatchMiddleware { _, _ in }

    /// Every action as it was dispatched, in order, muted ones included.
    public private(set) var actions: [any Action] = []

    /// Whether an action is muted from now on: recorded, and passed to nobody.
    public var isMuted: (any Action) -> Bool

    /// A recorder of nothing yet.
    ///
    /// - Parameter isMuted: which actions are muted; by default none.
    public init(muting isMuted: @escaping (any Action) -> Bool = { _ in false }) {
        self.isMuted = isMuted
        middleware = DispatchMiddleware { [weak self] action, chain in
            let isMuted = self?.isMuted(action) ?? false
            self?.actions.append(action)
            if !isMuted { chain.proceed(action) }
        }
    }

    /// The actions of this type for which the condition holds.
    public func actions<Recorded: Action>(of type: Recorded.Type, where isWanted: (Recorded) -> Bool = { _ in true }) -> [Recorded] {
        actions.compactMap { $0 as? Recorded }.filter(isWanted)
    }

    /// Forgets all actions so far. What is muted stays muted.
    public func removeAll() { actions = [] }
}
