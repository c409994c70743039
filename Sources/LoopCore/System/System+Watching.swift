extension System {
    /// Shows each state to `show`, the current one at once.
    ///
    /// Bindings are called in the order in which they were bound, before any middleware. The system keeps the closure: hold
    /// views weakly in it. To end a binding before the system goes, bind to ``scope`` or use ``bind(weakly:_:)``.
    @discardableResult
    public func bind(_ show: @escaping (State) -> Void) -> Self {
        addBinding(show)
        return self
    }

    /// Shows each state to an object as long as the object lives, the current one at once.
    ///
    /// The system does not keep the object alive. It notices that the object is gone at the next step, or when more bindings come.
    /// ```swift
    /// system.bind(weakly: screen) { screen, state in screen.title = state.title }
    /// ```
    /// The closure is kept as long as the system: let it use the object it is given and capture no other.
    @discardableResult
    public func bind<Owner: AnyObject>(weakly owner: Owner, _ show: @escaping (Owner, State) -> Void) -> Self {
        addBinding(weakly: owner, show)
        return self
    }

    /// Adds a binding, shows it the current state, and returns the token for ``remove(_:)``.
    @discardableResult
    package func addBinding(_ show: @escaping (State) -> Void) -> Binding<State> {
        checkNotReducing()
        let binding = Binding(show)
        observers.add(binding)
        greet { show(state) }
        return binding
    }

    /// Adds a binding that ends with an object, shows it the current state, and returns the token for ``remove(_:)``.
    @discardableResult
    package func addBinding<Owner: AnyObject>(weakly owner: Owner, _ show: @escaping (Owner, State) -> Void) -> Binding<State> {
        checkNotReducing()
        let binding = observers.addBinding(weakly: owner, show)
        greet { show(owner, state) }
        return binding
    }

    private func checkNotReducing() {
        precondition(
            standing.turn != .reducing,
            "A binding, a middleware or a reader of states was added inside the system's own reducer. Add it before, or from a binding.")
    }

    /// Shows a new observer the current state, then takes the events that it sent.
    func greet(_ show: () -> Void) {
        occupy(.greeting, show)
        if !queue.isEmpty, let actor = home.actor { runWaiting(on: actor) }
    }

    package func remove(_ binding: Binding<State>) { observers.remove(binding) }

    /// Attaches middleware, before the first event or at any time later. Each sees the current state at once, in a step of the
    /// phase `.initial` with the number of the last event, and every step from then on.
    ///
    /// Attached from inside a step, it sees that step's state as its initial step, once. Never attach from inside the system's reducer.
    @discardableResult
    public func attach(_ middleware: Middleware<State, Event>...) -> Self {
        checkNotReducing()
        for each in middleware {
            let attached = observers.attach(each)
            inboxCore?.stampTimes(observers.needs.contains(.timing))
            greet { attached.handle(Step(number: number, event: nil, phase: .initial, state: state, isReplay: isReplaying)) }
        }
        return self
    }

    /// Detaches a middleware, if it is attached. It is not called again, not even in the step that is under way.
    @discardableResult
    public func detach(_ middleware: Middleware<State, Event>) -> Self {
        observers.detach(middleware)
        if !observers.needs.contains(.effects) { _ = notes.lastEvent.take() }
        inboxCore?.stampTimes(observers.needs.contains(.timing))
        return self
    }
}
