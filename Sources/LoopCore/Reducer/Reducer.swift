/// How an event changes the state: a function in one of four forms, all run by the same loop.
///
/// ```swift
/// let login = Reducer<Login.State, Login.Event> { state, event in
///     switch event {
///     case .submit:
///         state.isBusy = true
///         return .run { [name = state.name] in .answered(try await api.signIn(name)) }.id("sign in")
///     case .leave:
///         state.isBusy = false
///         return .cancel("sign in")
///     case .answered(let token):
///         state.token = token
///         return .none
///     }
/// }
/// ```
/// A reducer reads only its arguments and does nothing but change the state and return; what takes time is an ``Effect`` or a ``Next``.
public struct Reducer<State, Event> {
    @usableFromInline typealias Describing = (State, Event, EffectSink<Event>) -> Next<State>

    @usableFromInline
    enum Form {
        case inPlace((inout State, Event) -> Void)
        case effecting((inout State, Event) -> Effect<Event>)
        case describing(Describing)
    }

    /// Whether the part at a path, which is not empty, is there in a state; `true` for the path of an unknown part.
    typealias Presence = (State) -> (ArraySlice<PartID>) -> Bool

    @usableFromInline let form: Form
    /// Set by ``interrupts(_:)``.
    @usableFromInline var interrupting: ((Event) -> Bool)?
    /// One for each part that a reducer was put on.
    var presences: [Presence] = []

    @inlinable
    init(_ form: Form) { self.form = form }

    /// Changes the state in place: the fastest form, and the one that never copies large states.
    @inlinable
    public init(_ reduce: @escaping (inout State, Event) -> Void) { self.init(.inPlace(reduce)) }

    /// Changes the state in place and returns the effects to run; ``Effect/none`` costs next to nothing.
    ///
    /// The effects begin after the state has been shown to bindings and middleware, before those of feedbacks.
    @inlinable
    @_disfavoredOverload
    public init(_ reduce: @escaping (inout State, Event) -> Effect<Event>) { self.init(.effecting(reduce)) }

    /// Changes the state in place and returns an effect. A closure that only calls another function would also fit the form without
    /// effects, which would drop the effect; this form fits it better.
    @inlinable
    public init<Returned: ReturnedEffect<Event>>(_ reduce: @escaping (inout State, Event) -> Returned) {
        self.init(.effecting { reduce(&$0, $1).effect })
    }

    /// Returns the next state.
    @inlinable
    public init(returning reduce: @escaping (State, Event) -> State) { self.init(.inPlace { $0 = reduce($0, $1) }) }

    /// Returns a description of the next state, which may take asynchronous work.
    @inlinable
    public init(next reduce: @escaping (State, Event) -> Next<State>) { self.init(.describing { state, event, _ in reduce(state, event) }) }

    /// This reducer, with events that do not wait for the work of a ``Next``. Such an event ends the work: its step is cancelled and its
    /// state undone. The event is then taken at once, before events that wait.
    ///
    /// ```swift
    /// Reducer(next: Checkout.reduce).interrupts { $0 == .leave }
    /// ```
    public func interrupts(_ isInterrupting: @escaping (Event) -> Bool) -> Reducer {
        var reducer = self
        reducer.interrupting = interrupting.map { earlier in { earlier($0) || isInterrupting($0) } } ?? isInterrupting
        return reducer
    }

    /// What the event leads to, in any form. The state stays as it is, and effects are not begun.
    package func next(_ state: State, _ event: Event) -> Next<State> { next(state, event, EffectSink { _ in }) }

    func next(_ state: State, _ event: Event, _ effects: EffectSink<Event>) -> Next<State> {
        if case .describing(let describe) = form { return describe(state, event, effects) }
        var state = state
        effects.add(self.effect(&state, event))
        return .value(state)
    }

    /// Changes the state in place and returns the effects. Stops the program if the reducer is of the form that describes work.
    func effect(_ state: inout State, _ event: Event) -> Effect<Event> {
        switch form {
        case .inPlace(let reduce): reduce(&state, event)
        case .effecting(let reduce): return reduce(&state, event)
        case .describing: preconditionFailure("A reducer that describes work cannot change a state in place.")
        }
        return .none
    }

    /// Changes the state in place, unless the reducer describes asynchronous work for the event. Effects are not begun.
    ///
    /// - Returns: `nil` if the state is changed. If the reducer describes asynchronous work: what is still to be done; the state stays.
    @discardableResult
    public func callAsFunction(_ state: inout State, _ event: Event) -> Next<State>? {
        guard isDescribing else {
            _ = effect(&state, event)
            return nil
        }
        let next = next(state, event)
        return next.put(into: &state) ? nil : next
    }

    var isDescribing: Bool { if case .describing = form { true } else { false } }

    /// Whether the part at a path is there in a state. A part that no reducer was put on counts as there.
    func presence(in state: State) -> (_ path: ArraySlice<PartID>) -> Bool {
        let all = presences.map { $0(state) }
        return { path in path.isEmpty || all.allSatisfy { $0(path) } }
    }
}

/// ``Effect`` as the constraint of a type parameter. No other type needs to conform.
public protocol ReturnedEffect<Event> {
    associatedtype Event
    var effect: Effect<Event> { get }
}

extension Effect: ReturnedEffect { @inlinable public var effect: Effect { self } }
