extension System {
    /// Shows each state to an object as long as that lives, the current one at once.
    ///
    /// The system does not keep the object alive; that it went is noticed at the next step, or when others come.
    /// ```swift
    /// system.bind(weakly: self) { screen, state in screen.title = state.title }
    /// ```
    /// The closure is kept as long as the system: let it use the object it is given and capture no other.
    ///
    /// - Parameters:
    ///   - owner: a view, a screen, a presenter.
    ///   - show: gets the owner and the state.
    @discardableResult
    public func bind<Owner: AnyObject>(weakly owner: Owner, _ show: @escaping (Owner, State) -> Void) -> Self {
        addBinding(weakly: owner, show)
        return self
    }

    /// The same with a token for ``remove(_:)``.
    @discardableResult
    package func addBinding<Owner: AnyObject>(weakly owner: Owner, _ show: @escaping (Owner, State) -> Void) -> Binding<State> {
        precondition(!isReducing, "A binding was added inside the system's own reducer. Bind before sending, or from a binding.")
        let binding = observers.addBinding(weakly: owner, show)
        welcome { show(owner, state) }
        return binding
    }
}
