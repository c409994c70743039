/// Reducers of a store that begin and end together.
///
/// ```swift
/// extension ReducerGroup where State == Shop.State, Controller == Shop.Controller {
///     static var shop: ReducerGroup {
///         ReducerGroup()
///             .reducer(of: Load.self) { state, action, controller in
///                 state.product = .pending()
///                 controller.load(action.sku)
///             }
///             .reducer(of: Loaded.self) { state, action in state.product.resolve(action.result) }
///     }
/// }
/// store.subscribe(.shop)
/// ```
/// A group describes reducers; ``Store/subscribe(_:)`` registers them.
public struct ReducerGroup<State: Equatable, Controller> {
    private var registrations: [(Store<State, Controller>) -> Subscription] = []

    /// An empty group.
    public init() {}

    /// The group with one more reducer, which changes the state in place when an action of this type is delivered.
    ///
    /// - Parameters:
    ///   - priority: lower is called first, among all handlers of the dispatcher.
    ///   - reduce: called on the dispatcher's isolation. The store's own state is the old one while it runs.
    public func reducer<Reduced: Action>(
        of type: Reduced.Type, priority: Int = 100, _ reduce: @escaping (inout State, Reduced) -> Void
    ) -> ReducerGroup {
        reducer(of: type, priority: priority) { state, action, _ in reduce(&state, action) }
    }

    /// The group with one more reducer, which also gives work to the controller. What the controller dispatches at once is delivered
    /// after the current action.
    public func reducer<Reduced: Action>(
        of type: Reduced.Type, priority: Int = 100, _ reduce: @escaping (inout State, Reduced, Controller) -> Void
    ) -> ReducerGroup {
        var group = self
        group.registrations.append { store in
            store.dispatcher.subscribe(to: type, priority: priority) { [weak store] action in
                guard let store else { return }
                store.reduce { state in reduce(&state, action, store.controller) }
            }
        }
        return group
    }

    func register(with store: Store<State, Controller>) -> [Subscription] { registrations.map { $0(store) } }
}
