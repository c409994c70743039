public import LoopCore

/// One observer's place at a ``Store``.
///
/// It stays in force until ``dispose()`` is called or the store goes, whether or not somebody keeps it. It does not keep the
/// store alive.
public final class Observation: SubscriptionToken {
    private var end: (() -> Void)?

    init(_ end: @escaping () -> Void) { self.end = end }

    public var isDisposed: Bool { end == nil }

    /// Ends the observation. The observer is not called again, not even for the state that is being told. A second call does nothing.
    public func dispose() { end.take()?() }
}

extension Store {
    /// An observer's function while it is in force.
    final class StateObserver {
        /// How many states were told before it came: it saw the last of them when it came.
        let since: Int
        /// `nil` once it ended, so that what it holds is let go at once.
        var show: ((State) -> Void)?

        init(since: Int, _ show: @escaping (State) -> Void) {
            self.since = since
            self.show = show
        }
    }

    /// How many observers are in force.
    public var observerCount: Int { observers.count }

    /// Shows each state to `show`, the current one at once.
    ///
    /// The store keeps the closure: hold views weakly in it.
    ///
    /// - Parameters:
    ///   - skippingCurrent: whether to begin with the next state and not with the current one.
    ///   - show: called on the dispatcher's isolation, in the order of observing.
    /// - Returns: the means to end it. It need not be kept.
    @discardableResult
    public func observe(skippingCurrent: Bool = false, _ show: @escaping (State) -> Void) -> Observation {
        let observer = StateObserver(since: stateCount, show)
        observers.append(observer)
        let observation = Observation { [weak self] in
            observer.show = nil
            self?.observers.removeAll { $0 === observer }
            self?.observations.removeAll { $0.isDisposed }
        }
        observations.append(observation)
        if !skippingCurrent { withoutNesting { show(state) } }
        return observation
    }

    /// The states as an asynchronous sequence, the current one first, that skips what a slow reader missed. It ends with the store.
    public var states: States<State> { states(.latest) }

    /// The states as an asynchronous sequence, the current one first. It ends with the store, and does not keep it alive.
    ///
    /// - Parameter buffering: what is kept for a reader that is slower than the store.
    public func states(_ buffering: StateBuffering) -> States<State> {
        sequence(buffering) { store, offer in store.observe(offer) }
    }

    /// A sequence of what an observation shows. Each iteration has an observation of its own.
    func sequence<Element>(
        _ buffering: StateBuffering, _ observe: @escaping (Store, @escaping (Element) -> Void) -> Observation
    ) -> States<Element> {
        States { [weak self] in
            let subscription = StateSubscription<Element>(buffering)
            guard let self else {
                subscription.finish()
                return subscription
            }
            let observation = observe(self) { [weak subscription] in subscription?.offer($0) }
            let end = Observation { [weak subscription] in subscription?.finish() }
            observations.append(end)
            subscription.onEnd = { [weak observation, weak end] in
                end?.dispose()
                observation?.dispose()
            }
            return subscription
        }
    }
}
