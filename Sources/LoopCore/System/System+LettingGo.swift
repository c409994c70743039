/// What a change lets go of may run code at its end, and that code may call the system: it is let go of after the change.
extension System {
    /// Sets ``lastEvent``.
    ///
    /// - Returns: the old one. It is let go of when the step is done, because its end may add a watcher or stop the system.
    @usableFromInline
    func remember(_ event: Event?) -> Event? {
        let left = lastEvent
        lastEvent = event
        return left
    }

    /// Sets the state outside of a reducer and shows it by `show`.
    ///
    /// The old state is let go of last: its end may add a watcher, who is shown the new state at once and must not be shown it a second time.
    func change(to state: State, _ show: () -> Void) {
        let left = current
        current = state
        show()
        withExtendedLifetime(left) {}
    }
}
