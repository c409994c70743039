public import LoopFlux

/// Reducers of a store that begin and end together. LoopCore's article "Moving from Mini-Swift" has an example.
///
/// A group describes reducers; `store.subscribe(_:)` registers them. Mini's own form, in force when it is made, is `Store.ReducerGroup`.
public struct ReducerGroup<State: Equatable, Controller> {
    fileprivate var registrations: [(Store<State, Controller>) -> Subscription] = []

    /// An empty group.
    public init() {}

    /// The group with one more reducer, which changes the state in place when an action of this type is delivered.
    public func reducer<Reduced: Action>(
        of type: Reduced.Type, priority: Int = 100, _ reduce: @escaping (inout State, Reduced) -> Void
    ) -> ReducerGroup { reducer(of: type, priority: priority) { state, action, _ in reduce(&state, action) } }

    /// The group with one more reducer, which also gives work to the controller.
    public func reducer<Reduced: Action>(
        of type: Reduced.Type, priority: Int = 100, _ reduce: @escaping (inout State, Reduced, Controller) -> Void
    ) -> ReducerGroup {
        var group = self
        group.registrations.append { $0.reducer(of: type, priority: priority, reduce) }
        return group
    }
}

extension Store {
    /// Registers the reducers of a group. They hold the store weakly and end with it.
    @discardableResult
    public func subscribe(_ group: LoopMigration.ReducerGroup<State, Controller>) -> Subscription {
        let registered = group.registrations.map { $0(self) }
        return Subscription { for each in registered { each.cancel() } }
    }
}
