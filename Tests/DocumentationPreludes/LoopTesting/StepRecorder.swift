import Testing
enum Shop {
    enum State: Equatable { case start, loading, loaded(String) }
    enum Event { case load(String) }
    static func reduce(state: inout State, event: Event) {}
}
let system = System(initialState: Shop.State.start, reducer: Shop.reduce)
