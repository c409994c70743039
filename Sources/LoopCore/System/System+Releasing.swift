/// Changes that release old values last: the deinit of an old value may call the system.
extension System {
    /// Sets ``lastEvent``.
    ///
    /// - Returns: the old one, to be released when the step is done: its deinit may add an observer or stop the system.
    @usableFromInline
    func remember(_ event: Event?) -> Event? {
        let left = lastEvent
        lastEvent = event
        return left
    }

    /// Sets the state outside of a reducer and shows it by `show`.
    ///
    /// The old state is released last: its deinit may add an observer, which gets the new state at once and must not get it twice.
    func change(to state: State, _ show: () -> Void) {
        let left = current
        current = state
        show()
        withExtendedLifetime(left) {}
    }
}
