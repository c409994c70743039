public import LoopFlux

/// Records every action of a dispatcher for a test, and swallows those that the test mutes.
///
/// ```swift
/// let recorder = ActionRecorder()
/// recorder.mute(Payment.self)                       // nobody pays in a test
/// dispatcher.add(recorder.middleware)
/// dispatcher.dispatch(Checkout())
/// #expect(recorder.actions(of: Payment.self).count == 1)
/// ```
/// Added last, it is the first `DispatchMiddleware` to see an action and records it as it was dispatched, whatever the others make of it;
/// ``delivered`` has what the handlers received.
///
/// It lives where the dispatcher lives, and the dispatcher does not keep it alive. When it has gone, all actions pass.
public final class ActionRecorder {
    /// One dispatched action.
    public struct Entry {
        public let action: any Action
        /// Whether this recorder swallowed it.
        public let isMuted: Bool
        /// The action that the handlers received; `nil` if this recorder or another middleware swallowed it.
        public internal(set) var delivered: (any Action)?
    }

    /// The middleware to add. Added to several dispatchers, it records their actions in the order in which they come.
    public private(set) var middleware = DispatchMiddleware { _, _ in }

    /// Every action, in order.
    public private(set) var entries: [Entry] = []

    /// Which actions are muted: the last rule that returns a value for an action decides.
    private var rules: [(any Action) -> Bool?]

    /// A recorder of nothing yet.
    ///
    /// - Parameter isMuted: which actions are muted; by default none.
    public init(muting isMuted: @escaping (any Action) -> Bool = { _ in false }) {
        rules = [isMuted]
        middleware = DispatchMiddleware { [weak self] action, chain in
            guard let self else {
                chain.proceed(action)
                return
            }
            self.record(action, chain)
        }
    }

    private func record(_ action: any Action, _ chain: Chain) {
        let isMuted = rules.lazy.reversed().compactMap { $0(action) }.first ?? false
        let index = entries.count
        entries.append(Entry(action: action, isMuted: isMuted, delivered: nil))
        if isMuted { return }
        let delivered = chain.proceed(action)
        // A handler may have called `removeAll`.
        if entries.indices.contains(index) { entries[index].delivered = delivered }
    }

    // MARK: Muting

    /// Mutes the actions of this type from now on; they are still recorded.
    public func mute<Muted: Action>(_ type: Muted.Type) { rules.append { $0 is Muted ? true : nil } }

    /// Mutes the actions of this type for which the condition holds, and lets its others pass.
    public func mute<Muted: Action>(_ type: Muted.Type, where isMuted: @escaping (Muted) -> Bool) {
        rules.append { ($0 as? Muted).map(isMuted) }
    }

    /// Lets the actions of this type pass again.
    public func unmute<Muted: Action>(_ type: Muted.Type) { rules.append { $0 is Muted ? false : nil } }

    /// Mutes all actions from now on.
    public func muteAll() { rules = [{ _ in true }] }

    /// Lets all actions pass again.
    public func unmuteAll() { rules = [{ _ in false }] }

    /// Forgets all actions so far. What is muted stays muted.
    public func removeAll() { entries = [] }
}
