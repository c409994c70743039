public import LoopFlux

extension Store {
    public typealias Reducer = Subscription
    public typealias ReducerGroup = [Subscription]
    public typealias StoreController = Controller
    public var storeController: Controller { controller }
    public func subscribe(onNext show: @escaping (State) -> Void) -> Subscription { observe(show) }

    /// Shows the current state to all observers once more.
    public func replayOnce() { showAgain() }

    /// Dispatches an action and returns the store: `store.dispatch(Load()).withStateChanges(in: \.product) { … }`.
    @discardableResult
    public func dispatch(
        _ action: any Action, isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Self {
        dispatcher.dispatch(action, isolation: isolation, fileID: fileID, line: line)
        return self
    }

    /// Shows a part of the state at once, then each time that it has changed: in LoopFlux `select`. (Mini: at every change of the state.)
    @discardableResult
    public func withStateChanges<Part: Equatable>(in part: KeyPath<State, Part>, _ show: @escaping (Part) -> Void) -> Subscription {
        select({ .some($0[keyPath: part]) }, show)
    }

    /// Shows a part of the state while a condition holds: when it first holds, and from then on each time that the part has changed.
    ///
    /// - Parameter condition: what is true or false of the state, such as `\.loading.isCompleted` for a task.
    @discardableResult
    public func withStateChanges<Part: Equatable>(
        in part: KeyPath<State, Part>, that condition: KeyPath<State, Bool>, _ show: @escaping (Part) -> Void
    ) -> Subscription { select({ $0[keyPath: condition] ? .some($0[keyPath: part]) : nil }, show) }
}
