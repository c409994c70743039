import LoopCore

/// How a view store reaches its system, or the part of the system that it shows. Keeps the system alive.
struct StoreSource<State, Event> {
    let read: () -> State
    let send: @MainActor (Event, SendOrigin) -> Void
    /// Shows the states to an object as long as that lives, the current one at once.
    let bind: (AnyObject, @escaping (State) -> Void) -> Void

    /// A part of it. However deep, each is one call away from the system.
    @MainActor
    func scope<Part, PartEvent>(
        state part: @escaping (State) -> Part, event: @escaping (PartEvent) -> Event
    ) -> StoreSource<Part, PartEvent> {
        StoreSource<Part, PartEvent>(
            read: { [read] in part(read()) },
            send: { [send] in send(event($0), $1) },
            bind: { [bind] owner, show in bind(owner) { show(part($0)) } })
    }
}

extension StoreSource {
    @MainActor
    init(_ system: System<State, Event>) {
        system.start(isolation: MainActor.shared)
        self.init(
            read: { system.state },
            send: { system.send($0, isolation: MainActor.shared, fileID: $1.fileID, line: $1.line) },
            bind: { owner, show in _ = system.addBinding(weakly: owner) { show($1) } })
    }
}
