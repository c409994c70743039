public import LoopFlux

/// Mini's `withStateChanges`: in LoopFlux `select`. (Mini shows the part at every change of the state, ours when the part has changed.)
extension Store {
    /// Shows a part of the state at once, and from then on each time that this part has changed.
    @discardableResult
    public func withStateChanges<Part: Equatable>(in part: KeyPath<State, Part>, _ show: @escaping (Part) -> Void) -> Subscription {
        select({ .some($0[keyPath: part]) }, show)
    }

    /// Shows a part of the state while a condition holds: when it first does, and from then on each time that the part has changed.
    ///
    /// - Parameter condition: what is true or false of the state, such as `\.loading.isCompleted` for a task.
    @discardableResult
    public func withStateChanges<Part: Equatable>(
        in part: KeyPath<State, Part>, that condition: KeyPath<State, Bool>, _ show: @escaping (Part) -> Void
    ) -> Subscription {
        select({ $0[keyPath: condition] ? .some($0[keyPath: part]) : nil }, show)
    }
}
