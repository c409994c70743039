public import LoopCore

extension Store {
    /// Shows each state to `show`, the current one at once.
    ///
    /// The store keeps the closure: hold views weakly in it.
    ///
    /// - Parameters:
    ///   - skippingCurrent: whether to begin with the next state.
    ///   - show: called on the dispatcher's isolation, in the order of observing.
    @discardableResult
    public func observe(skippingCurrent: Bool = false, _ show: @escaping (State) -> Void) -> Subscription {
        let binding = Binding(show)
        observers.add(binding)
        if !skippingCurrent { greet { state, _ in show(state) } }
        return Subscription { [weak observers] in observers?.remove(binding) }
    }

    /// Shows a part of the state when it is there and differs from the one shown last.
    ///
    /// ```swift
    /// store.select(\.count) { label.text = "\($0)" }                       // each change
    /// store.select(\.product.value) { view.show($0) }                      // each product, and nothing while there is none
    /// store.select { $0.isOpen ? $0.items : nil } _: { list.show($0) }     // each change while it is open
    /// ```
    ///
    /// - Parameters:
    ///   - part: the part of a state; `nil` if there is nothing to show.
    ///   - show: called on the dispatcher's isolation, at once if the part is there.
    @discardableResult
    public func select<Part: Equatable>(_ part: @escaping (State) -> Part?, _ show: @escaping (Part) -> Void) -> Subscription {
        var last: Part?
        return observe { state in
            guard let next = part(state), next != last else { return }
            last = next
            show(next)
        }
    }

    /// The states as ``states(_:)`` gives them, without those that a slow reader missed.
    public var states: States<State> { states(.latest) }

    /// The states as an asynchronous sequence, the current one first. It does not keep the store alive, and ends with it or its dispatcher.
    public func states(_ buffering: StateBuffering) -> States<State> { sequence(buffering) { $0.observe($1) } }

    /// The values of a part of the state as an asynchronous sequence: each that is there and differs from the one before.
    public func select<Part: Equatable>(_ part: @escaping (State) -> Part?, _ buffering: StateBuffering = .latest) -> States<Part> {
        sequence(buffering) { $0.select(part, $1) }
    }

    /// A sequence of what an observation shows. Each iteration has an observation of its own.
    private func sequence<Element>(
        _ buffering: StateBuffering, _ observe: @escaping (Store, @escaping (Element) -> Void) -> Subscription
    ) -> States<Element> {
        States { [weak self] in
            let reader = StateSubscription<Element>(buffering)
            guard let self else {
                reader.finish()
                return reader
            }
            let subscription = observe(self) { [weak reader] in reader?.offer($0) }
            if dispatcher.isStopped { reader.finish() }
            let withdrawals = [observers.addEnd, dispatcher.observers.addEnd].map { $0({ [weak reader] in reader?.finish() }) }
            reader.onEnd = {
                for withdraw in withdrawals { withdraw() }
                subscription.cancel()
            }
            return reader
        }
    }
}
