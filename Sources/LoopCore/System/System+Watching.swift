extension System {
    /// Shows each state to `show`, the current one at once.
    ///
    /// Bindings are called in the order in which they were bound, before any middleware. The system keeps the closure: hold
    /// views weakly in it.
    @discardableResult
    public func bind(_ show: @escaping (State) -> Void) -> Self {
        addBinding(show)
        return self
    }

    /// The same with a token for ``remove(_:)``.
    @discardableResult
    package func addBinding(_ show: @escaping (State) -> Void) -> Binding<State> {
        precondition(!isReducing, "A binding was added inside the system's own reducer. Bind before sending, or from a binding.")
        let binding = Binding(show)
        observers.add(binding)
        welcome { show(state) }
        return binding
    }

    /// Shows a newcomer its first state. Like a step, this lets nothing nest: what the newcomer sends is taken afterwards.
    func welcome(_ show: () -> Void) {
        if isDraining {
            show()
            return
        }
        isDraining = true
        isWelcoming = true
        show()
        isWelcoming = false
        isDraining = false
        if isStopped { endStoppedWork() }
        afterWelcome.take()?()
    }

    @usableFromInline
    func drainAfterWelcome(isolation: isolated any Actor) {
        guard afterWelcome == nil else { return }
        afterWelcome = { [unowned self] in
            if running != nil { return }
            isDraining = true
            drain(isolation: isolation)
        }
    }

    /// How many bindings are called at each step.
    package var bindingCount: Int { observers.bindingCount }

    /// Takes a binding away. It is not called again, not even in the step that is under way.
    package func remove(_ binding: Binding<State>) { observers.remove(binding) }

    /// Attaches middleware, before the first event or at any time later. Each sees the current state at once, in a step of the
    /// phase `.initial` with the number of the last event, and every step from then on.
    ///
    /// Attached from inside a step, it sees that step's state in its initial step and not a second time. Attaching from inside
    /// the system's own reducer is a programming error.
    @discardableResult
    public func attach(_ middleware: Middleware<State, Event>...) -> Self { attach(middleware) }

    /// The same for middleware that comes as a list.
    @discardableResult
    public func attach(_ middleware: [Middleware<State, Event>]) -> Self {
        precondition(!isReducing, "Middleware was attached inside the system's own reducer. Attach before sending, or from a binding.")
        for each in middleware {
            let attached = observers.attach(each)
            inboxSource?.stampTimes(observers.needs.contains(.timing))
            welcome { attached.handle(Step(number: number, event: nil, phase: .initial, state: state, isReplay: isReplaying)) }
        }
        return self
    }

    /// Takes a middleware away. It is not called again, not even in the step that is under way. One that is not attached is no error.
    @discardableResult
    public func detach(_ middleware: Middleware<State, Event>) -> Self {
        observers.detach(middleware)
        if !observers.needs.contains(.effects) { lastEvent = nil }
        inboxSource?.stampTimes(observers.needs.contains(.timing))
        return self
    }
}
