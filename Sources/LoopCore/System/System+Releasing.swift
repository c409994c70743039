/// Changes that release old values last: the deinit of an old value may call the system.
extension System {
    /// Sets the state outside of a reducer and shows it by `show`. The old state is released last: its deinit may add an observer, which
    /// gets the new state at once and must not get it twice.
    func change(to state: State, _ show: () -> Void) {
        let left = current
        current = state
        show()
        withExtendedLifetime(left) {}
    }

    /// Adds the state to the history. A state that it pushes out is released last, because its deinit may read the history.
    @usableFromInline
    func remember() {
        pastStates.append(current)
        if pastStates.count > pastLimit { notes.hold(pastStates.popFirst()) }
    }
}
