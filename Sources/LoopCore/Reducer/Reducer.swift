/// How an event changes the state: a pure function in one of three forms, all run by the same loop.
///
/// A reducer reads nothing but its arguments and does nothing but return; whatever takes time is described by a ``Next``.
public struct Reducer<State, Event> {
    @usableFromInline
    enum Form {
        case inPlace((inout State, Event) -> Void)
        case returning((State, Event) -> State)
        case describing((State, Event) -> Next<State>)
    }

    @usableFromInline let form: Form

    /// Changes the state in place: the fastest form, and the one that never copies large states.
    @inlinable
    public init(_ reduce: @escaping (inout State, Event) -> Void) { form = .inPlace(reduce) }

    /// Returns the next state.
    @inlinable
    public init(_ reduce: @escaping (State, Event) -> State) { form = .returning(reduce) }

    /// Returns a description of the next state, which may take asynchronous work.
    @inlinable
    public init(_ reduce: @escaping (State, Event) -> Next<State>) { form = .describing(reduce) }

    /// What the event leads to, in any form. The state stays as it is.
    public func next(_ state: State, _ event: Event) -> Next<State> {
        var state = state
        return self(&state, event) ?? .value(state)
    }

    /// Changes the state in place, in any form that needs no work for it.
    ///
    /// - Returns: `nil` if the state is changed; what is still to be done if the reducer describes asynchronous work, and the state
    ///   is as it was.
    @inlinable
    @discardableResult
    public func callAsFunction(_ state: inout State, _ event: Event) -> Next<State>? {
        switch form {
        case .inPlace(let reduce): reduce(&state, event)
        case .returning(let reduce): state = reduce(state, event)
        case .describing(let reduce):
            let next = reduce(state, event)
            guard case .value(let value) = next.plan else { return next }
            state = value
        }
        return nil
    }

    /// Whether it may describe asynchronous work.
    var isDescribing: Bool { if case .describing = form { true } else { false } }
}
