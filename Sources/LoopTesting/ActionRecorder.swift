public import LoopFlux

/// Keeps every action of a dispatcher, for tests to look at, and keeps those back that a test wants to stop.
///
/// ```swift
/// let recorder = ActionRecorder()
/// recorder.mute(Payment.self)                       // nobody pays in a test
/// dispatcher.add(recorder.middleware)
/// dispatcher.dispatch(Checkout())
/// #expect(recorder.actions(of: Payment.self).count == 1)
/// ```
/// Added last, it is the first ``/LoopFlux/DispatchMiddleware`` to see an action and records it as it was dispatched, whatever the others make
/// of it; ``told`` has what the handlers got.
///
/// It lives where the dispatcher lives, and the dispatcher does not keep it alive. Once it has gone, all actions pass.
///
/// Mini's `TestMiddleware` stops every action; that is ``init(muting:)`` with `muting: { _ in true }`, or ``muteAll()``.
public final class ActionRecorder {
    /// One dispatched action.
    public struct Entry {
        public let action: any Action
        /// Whether this recorder kept it back.
        public let isMuted: Bool
        /// What the handlers were told in the end; `nil` if it was kept back here, or swallowed by another middleware.
        public internal(set) var told: (any Action)?
    }

    /// The middleware to add. Added to several dispatchers it records their actions as they come.
    public private(set) var middleware = DispatchMiddleware { _, _ in }

    /// Every action, in order.
    public private(set) var entries: [Entry] = []

    /// Which actions are kept back; the last rule that knows an action decides.
    private var rules: [(any Action) -> Bool?]

    /// A recorder of nothing yet.
    ///
    /// - Parameter isMuted: which actions no handler is to be told. None by default.
    public init(muting isMuted: @escaping (any Action) -> Bool = { _ in false }) {
        rules = [isMuted]
        middleware = DispatchMiddleware { [weak self] action, chain in
            guard let self else {
                chain.proceed(action)
                return
            }
            self.see(action, chain)
        }
    }

    private func see(_ action: any Action, _ chain: Chain) {
        let isMuted = rules.lazy.reversed().compactMap { $0(action) }.first ?? false
        let index = entries.count
        entries.append(Entry(action: action, isMuted: isMuted, told: nil))
        if isMuted { return }
        let told = chain.proceed(action).action
        // A handler may have made it forget.
        if entries.indices.contains(index) { entries[index].told = told }
    }

    // MARK: Muting

    /// Keeps back the actions of exactly this type from now on; they are recorded.
    public func mute<Muted: Action>(_ type: Muted.Type) { rules.append { $0 is Muted ? true : nil } }

    /// Keeps back the actions of exactly this type for which the condition holds, and lets its others pass.
    public func mute<Muted: Action>(_ type: Muted.Type, where isMuted: @escaping (Muted) -> Bool) {
        rules.append { ($0 as? Muted).map(isMuted) }
    }

    /// Lets the actions of exactly this type pass again.
    public func unmute<Told: Action>(_ type: Told.Type) { rules.append { $0 is Told ? false : nil } }

    /// Keeps back everything from now on.
    public func muteAll() { rules = [{ _ in true }] }

    /// Lets everything pass again.
    public func unmuteAll() { rules = [{ _ in false }] }

    /// Forgets all actions so far. What is muted stays muted.
    public func removeAll() { entries = [] }
}
