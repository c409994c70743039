public import LoopCore

/// Observing a part of the state.
extension Store {
    /// Shows a part of the state at once, and from then on each time that this part has changed.
    ///
    /// (Mini shows it at every change of the state, whether or not the part is concerned.)
    ///
    /// - Parameters:
    ///   - part: what to show, such as `\.counter`.
    ///   - show: called on the dispatcher's isolation. The store keeps it: hold views weakly in it.
    @discardableResult
    public func withStateChanges<Part: Equatable>(in part: KeyPath<State, Part>, _ show: @escaping (Part) -> Void) -> Observation {
        observeChanges({ $0[keyPath: part] }, show)
    }

    /// A part of the state as an asynchronous sequence: as it is now, and from then on each change of it.
    public func withStateChanges<Part: Equatable>(
        in part: KeyPath<State, Part>, _ buffering: StateBuffering = .latest
    ) -> States<Part> {
        sequence(buffering) { $0.withStateChanges(in: part, $1) }
    }

    /// Shows a part of the state while a condition holds: when it first does, and from then on each time that the part has changed.
    ///
    /// - Parameters:
    ///   - part: what to show.
    ///   - condition: for instance `\.productsTask.isCompleted`.
    ///   - show: called on the dispatcher's isolation.
    @discardableResult
    public func withStateChanges<Part: Equatable>(
        in part: KeyPath<State, Part>, that condition: KeyPath<State, Bool>, _ show: @escaping (Part) -> Void
    ) -> Observation {
        observeChanges({ $0[keyPath: condition] ? $0[keyPath: part] : nil }, show)
    }

    /// Shows a part of the state while a task stands completed, as MiniTasks does.
    @discardableResult
    public func withStateChanges<Part: Equatable, Payload>(
        in part: KeyPath<State, Part>, that task: KeyPath<State, TypedTask<Payload>>, _ show: @escaping (Part) -> Void
    ) -> Observation {
        withStateChanges(in: part, that: task.appending(path: \.isCompleted), show)
    }

    /// A part of the state as an asynchronous sequence of its changes while a condition holds.
    public func withStateChanges<Part: Equatable>(
        in part: KeyPath<State, Part>, that condition: KeyPath<State, Bool>, _ buffering: StateBuffering = .latest
    ) -> States<Part> {
        sequence(buffering) { $0.withStateChanges(in: part, that: condition, $1) }
    }

    /// A part of the state as an asynchronous sequence of its changes while a task stands completed.
    public func withStateChanges<Part: Equatable, Payload>(
        in part: KeyPath<State, Part>, that task: KeyPath<State, TypedTask<Payload>>, _ buffering: StateBuffering = .latest
    ) -> States<Part> {
        withStateChanges(in: part, that: task.appending(path: \.isCompleted), buffering)
    }

    /// Shows an optional part of the state whenever it is there and differs from the one shown last.
    @discardableResult
    public func select<Part: Equatable>(_ part: KeyPath<State, Part?>, _ show: @escaping (Part) -> Void) -> Observation {
        observeChanges({ $0[keyPath: part] }, show)
    }

    /// An optional part of the state as an asynchronous sequence, without the states in which it is not there.
    public func select<Part: Equatable>(_ part: KeyPath<State, Part?>, _ buffering: StateBuffering = .latest) -> States<Part> {
        sequence(buffering) { $0.select(part, $1) }
    }

    /// - Parameter part: `nil` where there is nothing to show.
    private func observeChanges<Part: Equatable>(_ part: @escaping (State) -> Part?, _ show: @escaping (Part) -> Void) -> Observation {
        var last: Part?
        return observe { state in
            guard let next = part(state), next != last else { return }
            last = next
            show(next)
        }
    }
}
