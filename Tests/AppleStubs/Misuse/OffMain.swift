import LoopViews

// View stores are isolated to the main actor, as views are.
nonisolated func send(to store: ViewStore<String, Int>) {
    store.send(1)  // refused: call to main actor-isolated instance method
}

nonisolated func read(_ store: ViewStore<String, Int>) -> String {
    store.state  // refused: main actor-isolated property 'state' can not be referenced from a nonisolated context
}
