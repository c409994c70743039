public import LoopCore
public import LoopFlux

/// Mini's `withStateChanges`: in LoopFlux `select`. (Mini shows the part at every change of the state, ours when the part has changed.)
extension Store {
    /// Shows a part of the state at once, and from then on each time that this part has changed.
    @discardableResult
    public func withStateChanges<Part: Equatable>(in part: KeyPath<State, Part>, _ show: @escaping (Part) -> Void) -> Subscription {
        select({ .some($0[keyPath: part]) }, show)
    }

    /// A part of the state as an asynchronous sequence: as it is now, and from then on each change of it.
    public func withStateChanges<Part: Equatable>(
        in part: KeyPath<State, Part>, _ buffering: StateBuffering = .latest
    ) -> States<Part> {
        select({ .some($0[keyPath: part]) }, buffering)
    }

    /// Shows a part of the state while a condition holds: when it first does, and from then on each time that the part has changed.
    @discardableResult
    public func withStateChanges<Part: Equatable>(
        in part: KeyPath<State, Part>, that condition: KeyPath<State, Bool>, _ show: @escaping (Part) -> Void
    ) -> Subscription {
        select({ $0[keyPath: condition] ? .some($0[keyPath: part]) : nil }, show)
    }

    /// A part of the state as an asynchronous sequence of its changes while a condition holds.
    public func withStateChanges<Part: Equatable>(
        in part: KeyPath<State, Part>, that condition: KeyPath<State, Bool>, _ buffering: StateBuffering = .latest
    ) -> States<Part> {
        select({ $0[keyPath: condition] ? .some($0[keyPath: part]) : nil }, buffering)
    }

    /// Shows a part of the state while a task is completed, as MiniTasks does.
    @discardableResult
    public func withStateChanges<Part: Equatable, Payload>(
        in part: KeyPath<State, Part>, that task: KeyPath<State, TypedTask<Payload>>, _ show: @escaping (Part) -> Void
    ) -> Subscription {
        withStateChanges(in: part, that: task.appending(path: \.isCompleted), show)
    }

    /// A part of the state as an asynchronous sequence of its changes while a task is completed.
    public func withStateChanges<Part: Equatable, Payload>(
        in part: KeyPath<State, Part>, that task: KeyPath<State, TypedTask<Payload>>, _ buffering: StateBuffering = .latest
    ) -> States<Part> {
        withStateChanges(in: part, that: task.appending(path: \.isCompleted), buffering)
    }
}
