import LoopCore
import LoopTesting
import LoopTracing
import TestSupport
import Testing

private enum Page: Equatable { case start, loaded(Int) }
private enum Move { case load(Int), fail, leave, wait }
private struct Broken: Error {}

@MainActor @Suite struct TraceTests {
    let time = ManualStepClock()
    let traces = Traces()

    private func page() -> System<Page, Move> {
        let time = time
        return System(
            initialState: .start,
            clock: time.clock,
            reducer: { (_: Page, move: Move) -> Next<Page> in
                time.advance(by: .nanoseconds(10))
                switch move {
                case .load(let id):
                    return .run {
                        time.advance(by: .microseconds(5))
                        return .loaded(id)
                    }.stateWhenLoading(.start)
                case .fail: return .run { throw Broken() }
                case .leave: return .state(.start)
                case .wait: return .run { try await forever() }
                }
            })
    }

    @Test func `measures the reducer and the bindings of each event by its name`() throws {
        let time = time
        let system = page().bind { _ in time.advance(by: .nanoseconds(3)) }.attach(.trace(to: traces))
        system.send(.leave)
        system.send(.leave)
        let leave = try #require(traces.event("leave"))
        #expect(leave.count == 2)
        #expect(leave[.reduce].total == 20)
        #expect(leave[.bindings].total == 6)
        #expect(leave[.queueWait].total == 0)
        #expect(leave[.effect].isEmpty)
        #expect(leave[.total].total == 26)
        #expect(traces.events.map(\.event) == ["leave"])
    }

    @Test func `an event with asynchronous work is measured once, when it has settled`() async throws {
        let system = page().attach(.trace(to: traces))
        system.send(.load(1))
        #expect(traces.events.isEmpty)
        await system.settled()
        let load = try #require(traces.event("load"))
        #expect(load.count == 1)
        #expect(load[.effect].max == 5_000)
        #expect(load[.total].max == 5_010)
    }

    @Test func `the wait behind another event is measured`() async throws {
        let system = page().attach(.trace(to: traces))
        system.send(.load(1))
        system.send(.leave)
        await system.settled()
        #expect(traces.event("leave")?[.queueWait].max == 5_000)
        #expect(traces.event("leave")?[.total].max == 5_010)
    }

    @Test func `a failed event is measured and counted as failed`() async {
        let system = page().attach(.trace(to: traces))
        system.send(.fail)
        await system.settled()
        #expect(traces.event("fail")?.count == 1)
        #expect(traces.event("fail")?.failed == 1)
        #expect(traces.event("fail")?[.total].count == 1)
    }

    @Test func `a cancelled event is counted and not measured`() {
        let system = page().attach(.trace(to: traces))
        system.send(.wait)
        system.stop()
        #expect(traces.event("wait")?.count == 1)
        #expect(traces.event("wait")?.cancelled == 1)
        #expect(traces.event("wait")?[.total].isEmpty == true)
    }

    @Test func `the initial state is no event`() {
        page().attach(.trace(to: traces))
        #expect(traces.events.isEmpty)
    }

    @Test func `systems with names are told apart in one collection`() {
        page().attach(.trace(to: traces, name: "left")).send(.leave)
        let right = page().attach(.trace(to: traces, name: "right"))
        right.send(.leave)
        right.send(.leave)
        #expect(traces.event("leave") == nil)
        #expect(traces.event("leave", system: "left")?.count == 1)
        #expect(traces.event("leave", system: "right")?.count == 2)
    }

    @Test func `systems without names are measured together`() {
        page().attach(.trace(to: traces)).send(.leave)
        page().attach(.trace(to: traces)).send(.leave)
        #expect(traces.event("leave")?.count == 2)
        #expect(traces.events.count == 1)
    }

    @Test func `one middleware value may watch several systems`() {
        let trace = Middleware<Page, Move>.trace(to: traces)
        page().attach(trace).send(.leave)
        page().attach(trace).send(.leave)
        #expect(traces.event("leave")?.count == 2)
    }

    @Test func `a reset forgets what was measured and measures on`() {
        let system = page().attach(.trace(to: traces))
        system.send(.leave)
        let before = traces.events
        traces.reset()
        #expect(traces.events.isEmpty)
        #expect(traces.event("leave") == nil)
        system.send(.leave)
        #expect(traces.event("leave")?.count == 1)
        #expect(before.first?.count == 1)
    }

    @Test func `asks for times and effects, and not for the previous state`() {
        #expect(Middleware<Page, Move>.trace(to: traces).needs == [.timing, .middlewareTime, .effects])
    }

    @Test func `other middleware is a phase of its own and part of the total`() {
        let time = time
        let system = page().attach(.trace(to: traces), Middleware { _ in time.advance(by: .nanoseconds(4)) })
        system.send(.leave)
        #expect(traces.event("leave")?[.middleware].max == 4)
        #expect(traces.event("leave")?[.total].max == 14)
    }

    @Test func `showing the loading state counts with showing the settled one`() async {
        let time = time
        let system = page().bind { _ in time.advance(by: .nanoseconds(3)) }.attach(
            Middleware { _ in time.advance(by: .nanoseconds(4)) }, .trace(to: traces))
        system.send(.load(1))
        await system.settled()
        #expect(traces.event("load")?[.bindings].max == 6)
        #expect(traces.event("load")?[.middleware].max == 8)
        system.send(.leave)
        #expect(traces.event("leave")?[.bindings].max == 3)
    }

    @Test func `effects of feedbacks are measured with the event that started them, cancelled ones are not`() async {
        let time = time
        let system = System<Page, Move>(
            initialState: .start, clock: time.clock,
            feedbacks: [
                .compacting(events: { (move: Move) -> Move? in move }) { (move: Move) async throws -> Move? in
                    if case .wait = move { try await forever() }
                    time.advance(by: .microseconds(7))
                    if case .fail = move { throw Broken() }
                    return nil
                },
                .custom { _, _ in time.advance(by: .microseconds(2)) },
            ],
            reducer: { (_: inout Page, _: Move) in })
        system.attach(.trace(to: traces))
        system.send(.leave)
        await system.settled()
        system.send(.fail)
        await system.settled()
        system.send(.wait)
        system.stop()
        #expect(traces.event("leave")?[.feedback].max == 7_000)
        #expect(traces.event("leave")?[.total].max == 0)
        #expect(traces.event("fail")?[.feedback].max == 7_000)
        #expect(traces.event("fail")?.failed == 0)
        #expect(traces.event("wait")?[.feedback].isEmpty == true)
        #expect(traces.event(Traces.initialState)?[.feedback].max == 2_000)
        #expect(traces.event(Traces.initialState)?.count == 0)
    }

    @Test func `measures a foreign reducer that it wraps`() {
        let time = time
        let reduce = Middleware<Int, Move>.trace(to: traces).wrapping(
            { (state: Int, _: Move) -> Int in
                time.advance(by: .nanoseconds(7))
                return state + 1
            }, clock: time.clock)
        #expect(reduce(1, .leave) == 2)
        #expect(traces.event("leave")?[.reduce].max == 7)
    }

    @Test func `a foreign callback without times is not counted`() {
        let observe = Middleware<Int, Move>.trace(to: traces).observer()
        observe(.leave, 0, 1)
        #expect(traces.events.isEmpty)
    }
}

@Suite struct TracesTests {
    private struct Named: NamedEvent { let eventName: String }

    private func send(_ names: [String], to traces: Traces, system: String? = nil) {
        let reduce = Middleware<Int, Named>.trace(to: traces, name: system).wrapping { (n: Int, _: Named) in n + 1 }
        for name in names { _ = reduce(0, Named(eventName: name)) }
    }

    @Test func `events that name themselves are told apart within one type`() {
        let traces = Traces()
        send(["a", "b", "a"], to: traces)
        #expect(traces.event("a")?.count == 2)
        #expect(traces.event("b")?.count == 1)
    }

    @Test func `memory is bounded: names beyond the limit count together, for each system`() {
        let traces = Traces(nameLimit: 3)
        send((0..<50).map { "id-\($0)" } + ["id-1"], to: traces, system: "left")
        send(["other"], to: traces, system: "right")
        #expect(traces.events.count == 5)
        #expect(traces.event("id-1", system: "left")?.count == 2)
        #expect(traces.event("id-49", system: "left") == nil)
        #expect(traces.event(Traces.otherEvents, system: "left")?.count == 47)
        #expect(traces.event(Traces.otherEvents, system: "right")?.count == 1)
    }

    @Test(arguments: [0, -1]) func `a limit of no names counts everything together`(limit: Int) {
        let traces = Traces(nameLimit: limit)
        send(["a", "b"], to: traces)
        #expect(traces.events.map(\.event) == [Traces.otherEvents])
        #expect(traces.events.first?.count == 2)
    }

    @Test func `thousands of names in one collection lose no event`() {
        let traces = Traces(nameLimit: 5_000)
        let names = (0..<3_000).map { "e\($0)" }
        send(names + names, to: traces)
        #expect(traces.events.count == 3_000)
        #expect(traces.events.allSatisfy { $0.count == 2 })
    }

    @Test func `several threads measure into one collection`() async {
        let traces = Traces()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask { send(Array(repeating: "same", count: 400) + ["own \(worker)"], to: traces) }
            }
        }
        #expect(traces.event("same")?.count == 3_200)
        #expect(traces.event("same")?[.total].count == 3_200)
        #expect(traces.events.count == 9)
    }
}
