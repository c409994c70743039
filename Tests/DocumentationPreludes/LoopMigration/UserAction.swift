enum Counter {
    struct State {}
    enum Event { case increment, rename(String) }
    static func reduce(state: State, event: Event) -> Next<State> { .state(state) }
}
