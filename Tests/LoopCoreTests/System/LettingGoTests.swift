import LoopCore
import TestSupport
import Testing

/// An object that the system releases may run code in its `deinit`, and that code may call the system.
@MainActor @Suite struct LettingGoTests {
    /// An ``Ending`` for events of an inbox, which any thread may release.
    private nonisolated final class SendableEnding: Sendable {
        private let call: @Sendable () -> Void

        init(_ call: @escaping @Sendable () -> Void) { self.call = call }

        deinit { call() }
    }

    /// An event that may hold something.
    private nonisolated struct Event {
        var number = 1
        var held: Ending?
    }

    private final class Owner {}

    private func makeSystem() -> System<Int, Event> {
        System(initialState: 0, reducer: { (state: inout Int, event: Event) in state += event.number })
    }

    @Test func `the end of what a detached middleware held may detach and attach others`() {
        let system = makeSystem()
        var log: [String] = []
        let other = Middleware<Int, Event> { log.append("other \($0.state)") }
        let new = Middleware<Int, Event> { log.append("new \($0.state)") }
        func makeHolder() -> Middleware<Int, Event> {
            Middleware(makingHandler: { _ in
                let held = Ending { [unowned system] in system.detach(other).attach(new) }
                return { step in withExtendedLifetime(held) { log.append("holder \(step.state)") } }
            })
        }
        let holder = makeHolder()
        system.attach(holder, other)
        log = []
        system.detach(holder)
        #expect(log == ["new 0"])
        system.send(Event())
        #expect(log == ["new 0", "new 1"])
    }

    @Test func `the end of what the binding of a gone owner held may bind`() {
        let system = makeSystem()
        var log: [String] = []
        func bindToOwnerThatGoes() {
            let held = Ending { [unowned system] in system.bind { log.append("new \($0)") } }
            system.bind(weakly: Owner()) { _, _ in withExtendedLifetime(held) {} }
        }
        bindToOwnerThatGoes()
        system.bind { log.append("other \($0)") }
        log = []
        system.send(Event())
        #expect(system.observers.bindingCount == 2)
        system.send(Event())
        #expect(log.filter { $0.hasPrefix("other") } == ["other 1", "other 2"])
        #expect(log.last == "new 2")
    }

    @Test func `the end of what a waiting event held may send while the system is stopped`() {
        let system = makeSystem()
        system.bind { [unowned system] state in
            guard state == 1 else { return }
            for _ in 0..<3 { system.send(Event(held: Ending { [unowned system] in system.send(Event()) })) }
            #expect(system.stop() == 3)
        }
        system.send(Event())
        #expect(system.state == 1)
        #expect(system.isSettled)
    }

    @Test func `the end of what an event held may send while what was sent in a replay is dropped`() async {
        let system = makeSystem()
        #expect(system.beginReplay())
        system.bind { [unowned system] state in
            guard state == 1 else { return }
            for _ in 0..<3 { system.send(Event(held: Ending { [unowned system] in system.send(Event(number: 100)) })) }
        }
        await system.replay(Event(), ended: .settled(1))
        await system.replay(Event(), ended: .settled(2))
        system.endReplay()
        #expect(system.state == 2)
        #expect(system.isSettled)
    }

    @Test func `what is sent at the end of a replay is dropped, and nothing overtakes it`() async {
        let system = makeSystem()
        #expect(system.beginReplay())
        await system.replay(Event(), ended: .settled(1))
        system.send(Event(held: Ending { [unowned system] in system.send(Event(number: 100)) }))
        system.endReplay()
        #expect(system.isSettled)
        system.send(Event())
        #expect(system.state == 2)
    }

    @Test func `work is cancelled by a stop that lets go of a waiting event whose end binds`() async {
        let system = System<Int, Event>(
            initialState: 0,
            next: { (_: Int, _: Event) -> Next<Int> in .run { try await forever() } })
        var log: [String] = []
        system.attach(Middleware { log.append("\($0.phase) \($0.outcome.map { "\($0)" } ?? "-")") })
        system.send(Event())
        system.send(Event(held: Ending { [unowned system] in system.bind { log.append("new \($0)") } }))
        log = []
        #expect(system.stop() == 1)
        #expect(log == ["settled cancelled", "new 0"])
        #expect(!system.isWorking)
    }

    @Test func `work is cancelled by a stop that lets go of an event of the inbox whose end binds`() async {
        var wasCancelled: Bool?
        let system = System<Int, SendableEnding?>(
            initialState: 0,
            next: { (_: Int, _: SendableEnding?) -> Next<Int> in
                .run {
                    for _ in 0..<10 { await Task.yield() }
                    wasCancelled = Task.isCancelled
                    return 1
                }
            })
        system.send(nil)
        let boxed = UncheckedBox(system)
        system.inbox().send(SendableEnding { MainActor.assumeIsolated { _ = boxed.value.bind { _ in } } })
        #expect(system.stop() == 1)
        for _ in 0..<100 where wasCancelled == nil { await Task.yield() }
        #expect(wasCancelled == true)
    }

    @Test func `the end of an event that waits in the inbox may use the inbox while the system is stopped`() {
        let system = System<Int, SendableEnding?>(initialState: 0, reducer: { (state: inout Int, _) in state += 1 })
        let inbox = system.inbox()
        inbox.send(SendableEnding { inbox.send(nil) })
        #expect(system.stop() == 1)
        #expect(!inbox.send(nil))
    }

    @Test func `the end of the last event may detach the middleware that asked for effects`() {
        let system = makeSystem()
        var steps = 0
        let watcher = Middleware<Int, Event>(needs: .effects, { _ in steps += 1 })
        system.attach(watcher)
        system.send(Event(held: Ending { [unowned system] in system.detach(watcher) }))
        system.send(Event())
        #expect(steps == 3)
        #expect(system.state == 2)
    }

    @Test func `the end of the last event may stop the system after the step that it makes room for`() {
        let system = makeSystem()
        var dropped = -1
        system.attach(Middleware<Int, Event>(needs: .effects, { _ in }))
        system.bind { [unowned system] state in
            if state == 2 { for _ in 0..<3 { system.send(Event()) } }
        }
        system.send(Event(held: Ending { [unowned system] in dropped = system.stop() }))
        system.send(Event())
        #expect(dropped == 3)
        #expect(system.state == 2)
        #expect(system.eventNumber == 2)
    }

    @Test func `a binding that is added by the end of a loading state is shown the next state once`() async {
        struct State {
            var number = 0
            var held: Ending?
        }
        var shown: [Int] = []
        var bind: () -> Void = {}
        let system = System<State, Int>(
            initialState: State(),
            next: { (state: State, event: Int) -> Next<State> in
                Next.run { State(number: event) }.stateWhenLoading(State(number: -1, held: Ending { bind() }))
            })
        bind = { [unowned system] in system.bind { shown.append($0.number) } }
        system.send(7)
        await system.settled()
        #expect(shown == [7])
        system.send(8)
        await system.settled()
        #expect(shown.prefix(3) == [7, -1, 8])
    }

    @Test func `the end of what a part held may read the scope of the part`() throws {
        struct State {
            var number = 0
            var held: Ending?
        }
        var seen: [Int] = []
        var read: () -> Void = {}
        let system = System<State?, Event>(
            initialState: State(held: Ending { read() }),
            reducer: { (state: inout State?, event: Event) in state = State(number: event.number) })
        let part = system.scope.scope(ifLet: { (state: State?) in state }, event: { (event: Event) in event })
        let scope = try #require(part)
        read = { seen.append(scope.state.number) }
        system.send(Event(number: 7))
        #expect(scope.state.number == 7)
        #expect(seen == [7])
    }

    @Test func `the end of what a past state held may read the history`() {
        struct State {
            var number = 0
            var held: Ending?
        }
        var seen: [[Int]] = []
        var read: () -> Void = {}
        let system = System<State, Event>(
            initialState: State(), history: .last(2),
            reducer: { (state: inout State, event: Event) in
                state.number += 1
                state.held = event.held
            })
        read = { [unowned system] in seen.append(system.history.map(\.number)) }
        system.send(Event(held: Ending { read() }))
        system.send(Event())
        system.send(Event())
        system.send(Event())
        #expect(seen == [[2, 3]])
        #expect(system.history.map(\.number) == [3, 4])
    }
}
