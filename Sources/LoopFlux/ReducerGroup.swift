/// Reducers that begin and end together.
///
/// ```swift
/// extension Store where State == Shop.State, Controller == Shop.Controller {
///     func reducers() -> ReducerGroup {
///         ReducerGroup(
///             reducer(of: Load.self) { state, action, controller in
///                 state.product = .pending()
///                 controller.load(action.sku)
///             },
///             reducer(of: Loaded.self) { state, action in state.product.resolve(action.promise.result) })
///     }
/// }
/// store.reducers().disposed(by: bag)
/// ```
/// Making the reducers puts them in force, so make a group once for each store. A group that is not kept stays in force.
public final class ReducerGroup: SubscriptionToken {
    private var reducers: [any SubscriptionToken]

    /// A group of what is listed.
    public convenience init(_ reducers: any SubscriptionToken...) { self.init(reducers) }

    /// A group of what is in the list.
    public init(_ reducers: [any SubscriptionToken]) { self.reducers = reducers }

    /// A group of what the closure makes, as Mini's version 1 writes it.
    public convenience init(_ make: () -> [any SubscriptionToken]) { self.init(make()) }

    /// Ends all of them.
    public func dispose() {
        let disposed = reducers
        reducers = []
        for reducer in disposed { reducer.dispose() }
    }
}
