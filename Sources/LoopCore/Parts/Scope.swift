/// A system as seen by code that knows only one part of it: the part's state and the part's events.
///
/// ```swift
/// let cart = system.scope(state: \.cart, event: AppEvent.cart)
/// cart.send(.clear)                                        // the system gets .cart(.clear)
/// ```
/// A scope is a view into the system: there is one state, one order of events, one log. It keeps the system alive, and may be made anew.
public struct Scope<State, Event> {
    private let read: () -> State
    private let target: any EventTarget<Event>
    /// Binds the state. If an owner is given, the binding ends when the owner goes.
    private let bindState: (AnyObject?, @escaping (State) -> Void) -> StateBinding

    fileprivate init(_ system: System<State, Event>) {
        read = { system.state }
        target = system
        bindState = { owner, show in
            // Weak: whoever keeps the `StateBinding` must not keep the system.
            let binding = if let owner { system.addBinding(weakly: owner) { show($1) } } else { system.addBinding(show) }
            return StateBinding { [weak system] in system?.remove(binding) }
        }
    }

    private init<Whole, WholeEvent>(
        _ whole: Scope<Whole, WholeEvent>, state: @escaping (Whole) -> State, event: @escaping (Event) -> WholeEvent
    ) {
        read = { state(whole.read()) }
        target = MappedTarget(whole.target, event)
        bindState = { owner, show in whole.bindState(owner) { show(state($0)) } }
    }

    /// The part's state as of now.
    public var state: State { read() }

    /// Sends an event to the system: ``System/send(_:isolation:fileID:line:)``.
    public func send(_ event: Event, isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line) {
        target.accept(event, origin: SendOrigin(fileID: fileID, line: line), isolation: isolation)
    }

    /// Begins the system's feedbacks, as ``System/start(isolation:)`` does.
    package func start(isolation: isolated any Actor = #isolation) { target.enter(isolation) }

    /// Notes that the feedbacks begin when a view first looks. To release the system before that is then not reported as a mistake.
    package func startsLater() { target.startsLater() }

    /// Shows the part's state to `show`: the current one at once, then one at each step.
    ///
    /// - Parameter isSame: whether a state looks like the one shown before it, and is therefore not shown; `nil` shows all.
    /// - Returns: the binding, by which to end it. It need not be kept.
    @discardableResult
    public func bind(removingDuplicates isSame: ((State, State) -> Bool)? = nil, _ show: @escaping (State) -> Void) -> StateBinding {
        bindState(nil, Self.skipping(isSame, show))
    }

    /// Shows the part's state, as ``bind(removingDuplicates:_:)`` does, to an object while it lives: ``System/bind(weakly:_:)``.
    @discardableResult
    public func bind<Owner: AnyObject>(
        weakly owner: Owner, removingDuplicates isSame: ((State, State) -> Bool)? = nil, _ show: @escaping (Owner, State) -> Void
    ) -> StateBinding { bindState(owner, Self.skipping(isSame) { [weak owner] state in if let owner { show(owner, state) } }) }

    private static func skipping(_ isSame: ((State, State) -> Bool)?, _ show: @escaping (State) -> Void) -> (State) -> Void {
        guard let isSame else { return show }
        var last: State?
        return { state in
            if let last, isSame(last, state) { return }
            last = state
            show(state)
        }
    }

    /// A part of this part.
    public func scope<Part, PartEvent>(state: @escaping (State) -> Part, event: @escaping (PartEvent) -> Event) -> Scope<Part, PartEvent> {
        Scope<Part, PartEvent>(self, state: state, event: event)
    }

    /// A part of this part, with the same events.
    public func scope<Part>(state: @escaping (State) -> Part) -> Scope<Part, Event> { scope(state: state, event: { $0 }) }

    /// A part of this part that may be missing; `nil` if it is missing now.
    ///
    /// If the part goes missing later, the scope still shows its last state.
    package func scope<Part, PartEvent>(
        ifLet state: @escaping (State) -> Part?, event: @escaping (PartEvent) -> Event
    ) -> Scope<Part, PartEvent>? {
        guard var last = state(self.state) else { return nil }
        return scope(
            state: {
                let shown = state($0) ?? last
                // The state shown before is released after the change: its deinit may read this scope.
                _ = exchange(&last, with: shown)
                return shown
            }, event: event)
    }
}

/// One binding of a scope, to be ended.
///
/// It lasts until ``remove()`` is called, its owner is gone or the system is gone, whether or not somebody keeps this object.
public final class StateBinding {
    private var end: (() -> Void)?

    init(_ end: @escaping () -> Void) { self.end = end }

    /// Ends it: the function is not called again, not even in the step under way. A second call does nothing.
    public func remove() { end.take()?() }
}

extension System {
    /// A part of this system.
    public func scope<Part, PartEvent>(state: @escaping (State) -> Part, event: @escaping (PartEvent) -> Event) -> Scope<Part, PartEvent> {
        scope.scope(state: state, event: event)
    }

    /// A part of this system, with the same events.
    public func scope<Part>(state: @escaping (State) -> Part) -> Scope<Part, Event> { scope.scope(state: state) }

    /// The whole system, as a scope.
    public var scope: Scope<State, Event> { Scope(self) }
}
