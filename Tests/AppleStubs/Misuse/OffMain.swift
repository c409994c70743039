import LoopViews

// Stores live where views do.
nonisolated func send(to store: ViewStore<String, Int>) {
    store.send(1)  // refused: call to main actor-isolated instance method
}

nonisolated func read(_ store: ViewStore<String, Int>) -> String {
    store.state  // refused: main actor-isolated property 'state' can not be referenced from a nonisolated context
}
