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
}
