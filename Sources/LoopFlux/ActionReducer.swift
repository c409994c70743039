/// What is done when an action of one type is told: Mini's `Reducer(of:on:)`, which goes by another name here because
/// `LoopCore.Reducer` is the one of a `System`.
///
/// It is in force from its making until it is disposed of, or until the dispatcher goes; it need not be kept.
/// ```swift
/// ActionReducer(of: CounterSet.self, on: dispatcher) { [weak store] in store?.state.counter = $0.counter }
/// ```
/// For a reducer of a ``Store`` take `Store.reducer(of:_:)`, which holds the store weakly by itself and ends with it.
public final class ActionReducer<Told: Action>: SubscriptionToken {
    private let subscription: Subscription

    /// - Parameters:
    ///   - type: the type of the actions.
    ///   - dispatcher: who tells them.
    ///   - priority: lower is called first; among equals, who subscribed first.
    ///   - reduce: called on the dispatcher's isolation. The dispatcher keeps it: hold stores weakly in it.
    @discardableResult
    public init(
        of type: Told.Type, on dispatcher: Dispatcher, priority: Int = Dispatcher.defaultPriority, _ reduce: @escaping (Told) -> Void
    ) {
        subscription = dispatcher.subscribe(to: type, priority: priority, reduce)
    }

    public var isDisposed: Bool { subscription.isDisposed }

    public func dispose() { subscription.dispose() }
}
