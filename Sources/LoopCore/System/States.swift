/// What a ``States`` sequence keeps for a reader that is slower than the system.
public enum StateBuffering: Sendable, Equatable {
    /// Only the newest state: a slow reader skips states. The default.
    case latest
    /// Every state, however many.
    case all
}

/// The states of a system, one after another, beginning with the current one; it ends when the system is stopped or released.
///
/// It is no `AsyncStream`, because that cannot carry a state that is not `Sendable`. This sequence never leaves the system's isolation.
/// ```swift
/// for await state in system.states { render(state) }
/// ```
public struct States<State>: AsyncSequence {
    private let subscribe: () -> StateSubscription<State>

    package init(_ subscribe: @escaping () -> StateSubscription<State>) { self.subscribe = subscribe }

    public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscribe()) }

    public struct Iterator: AsyncIteratorProtocol {
        let subscription: StateSubscription<State>

        public mutating func next(isolation: isolated (any Actor)?) async -> State? { await subscription.next(isolation: isolation) }

        public mutating func next() async -> State? { await subscription.next(isolation: #isolation) }
    }
}

/// One reader's buffer. It lives where the system lives; only the wake-up crosses threads, for cancellation. Copies of an iterator share
/// it: where several tasks wait at copies, each state goes to one of them.
package final class StateSubscription<State> {
    private let buffering: StateBuffering
    private var waiting = EventQueue<State>()
    private var isFinished = false
    private var sleepers = Numbered<Sleeper>()
    package var onEnd: () -> Void = {}

    package init(_ buffering: StateBuffering) { self.buffering = buffering }

    deinit { onEnd() }

    package func offer(_ state: State) {
        if buffering == .latest { _ = waiting.removeAll() }
        waiting.append(state)
        wake()
    }

    package func finish() {
        isFinished = true
        wake()
    }

    private func wake() { for sleeper in sleepers.removeAll() { sleeper.wake() } }

    func next(isolation: isolated (any Actor)?) async -> State? {
        while true {
            if let state = waiting.popFirst() { return state }
            if isFinished || Task.isCancelled { return nil }
            let sleeper = Sleeper()
            let number = sleepers.add(sleeper)
            await sleeper.sleep(isolation: isolation)
            // Only a sleeper that was woken by cancellation is still in the list.
            sleepers.remove(number)
        }
    }
}

extension System {
    /// The states as an asynchronous sequence that skips what a slow reader missed.
    public var states: States<State> { states(.latest) }

    /// The states as an asynchronous sequence.
    ///
    /// Each iteration has its own buffer and does not keep the system alive.
    ///
    /// - Parameter buffering: what is kept for a reader that is slower than the system.
    public func states(_ buffering: StateBuffering) -> States<State> {
        States { [weak self] in
            let subscription = StateSubscription<State>(buffering)
            guard let self, !self.isStopped else {
                if let self { subscription.offer(self.state) }
                subscription.finish()
                return subscription
            }
            // Added first: to show the binding a state may lead to an event that stops the system.
            let withdrawEnd = self.observers.addEnd { [weak subscription] in subscription?.finish() }
            let binding = self.addBinding { [weak subscription] in subscription?.offer($0) }
            subscription.onEnd = { [weak self] in
                self?.remove(binding)
                withdrawEnd()
            }
            return subscription
        }
    }
}
