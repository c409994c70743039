import LoopCore
import LoopMigration
import LoopTesting
import LoopTracing
import Testing
import TrackingEvents

private enum Event: Equatable { case load, deepLoad, leave, fail, wait, search, again }
private struct Secret: Error { let password = "1234" }
private enum Trouble: Error { case notFound(String) }

/// The spans of a system on a clock that only the test moves.
@MainActor @Suite struct TraceSpanTests {
    private let spans = SpanMemory()
    private let time = ManualClock(nanoseconds: 1_000)

    private func spending(_ nanoseconds: Int) { time.advance(by: .nanoseconds(nanoseconds)) }

    private func describing() -> System<Int, Event> {
        let time = time
        return System(
            name: "shop", initialState: 0, clock: time.clock,
            next: { (state: Int, event: Event) -> Next<Int> in
                time.advance(by: .nanoseconds(10))
                switch event {
                case .load:
                    return .run {
                        time.advance(by: .nanoseconds(500))
                        return state + 1
                    }.stateWhenLoading(-1)
                case .deepLoad:
                    return .run {
                        time.advance(by: .nanoseconds(100))
                        return 1
                    }.flatMap { n in
                        Next<Int>.run {
                            time.advance(by: .nanoseconds(200))
                            return n
                        }.stateWhenLoading(-2)
                    }
                case .fail: return .run { throw Trouble.notFound("card 4711") }
                case .wait:
                    return .run {
                        while !Task.isCancelled { await Task.yield() }
                        throw Secret()
                    }
                default: return .state(0)
                }
            })
    }

    private func watched(_ system: System<Int, Event>) -> System<Int, Event> {
        let time = time
        return system.bind { _ in time.advance(by: .nanoseconds(3)) }
            .attach(.trace(to: spans), Middleware { _ in time.advance(by: .nanoseconds(4)) })
    }

    @Test func `an event that is reduced at once is told with its parts one after another`() throws {
        let system = watched(describing())
        let began = time.nanoseconds
        system.send(.leave)
        #expect(
            spans.lines(from: began) == [
                "leave 1 [0, 17] lane 0", "  reduce [0, 10] lane 0", "  bindings [10, 13] lane 0", "  middleware [13, 17] lane 0",
            ])
        let event = try #require(spans.all.first)
        #expect(event.source.name == "shop" && event.event == "leave" && event.outcome.isFinished && event.parent == nil)
        #expect(event.origin?.fileID.description == "LoopTracingTests/TraceSpanTests.swift")
        #expect(Set(spans.all.map(\.id)).count == 4)
        #expect(spans.all.dropFirst().allSatisfy { $0.parent == event.id && $0.number == 1 && $0.event == "leave" })
    }

    @Test func `asynchronous work lies within its event, after the loading state`() async {
        let system = watched(describing())
        let began = time.nanoseconds
        system.send(.load)
        #expect(spans.all.isEmpty)
        await system.settled()
        #expect(
            spans.lines(from: began) == [
                "load 1 [0, 524] lane 0", "  reduce [0, 10] lane 0", "  bindings [10, 13] lane 0", "  middleware [13, 17] lane 0",
                "  effect [17, 517] lane 0", "  bindings [517, 520] lane 0", "  middleware [520, 524] lane 0",
            ])
    }

    @Test func `a loading state in the midst of work lies within the work`() async {
        let system = watched(describing())
        let began = time.nanoseconds
        system.send(.deepLoad)
        await system.settled()
        #expect(
            spans.lines(from: began) == [
                "deepLoad 1 [0, 324] lane 0", "  reduce [0, 10] lane 0", "  effect [10, 317] lane 0", "  bindings [110, 113] lane 0",
                "  middleware [113, 117] lane 0", "  bindings [317, 320] lane 0", "  middleware [320, 324] lane 0",
            ])
        expectNesting(spans.all)
    }

    @Test func `loading states of an event whose last step a filter leaves out are in no other event's spans`() async {
        let time = time
        let system = describing().bind { _ in time.advance(by: .nanoseconds(3)) }
            .attach(Middleware<Int, Event>.trace(to: spans).filter { $0.phase == .loading || $0.event == .leave })
        system.send(.load)
        await system.settled()
        system.send(.leave)
        #expect(spans.all.map(\.name) == ["leave", "reduce", "bindings"])
    }

    @Test func `what waited behind work says how long`() async {
        let system = watched(describing())
        system.send(.load)
        system.send(.leave)
        await system.settled()
        let leave = spans.all.first { $0.name == "leave" }
        #expect(leave?.queueWait == 507)
        expectNesting(spans.all)
    }

    @Test func `a failure is told by the error's kind and not by what it holds`() async {
        let system = watched(describing())
        system.send(.fail)
        await system.settled()
        #expect(spans.all.first?.outcome.errorName == "Trouble.notFound")
    }

    @Test func `work that a stop ended is cancelled, and so is its event`() {
        let system = watched(describing())
        system.send(.wait)
        spending(50)
        system.stop()
        #expect(spans.all.contains { $0.outcome.isCancelled })
        #expect(spans.all.first { $0.name == "effect" }?.duration == 50)
        #expect(spans.all.first { $0.name == "effect" }?.outcome.isCancelled == true)
        expectNesting(spans.all)
    }

    private func searching(_ gate: TraceGate) -> System<Int, Event> {
        let search = Feedback<Int, Event>.onEachEvent({ (_: Int, event: Event) -> Effect<Event> in
            guard event == .search || event == .again else { return .none }
            return .run {
                await gate.pass()
                return nil
            }
        })
        return watched(
            System(initialState: 0, clock: time.clock, feedbacks: [search.named("find")], reducer: { (_: inout Int, _: Event) in }))
    }

    @Test(arguments: [true, false])
    func `parts nest where every look at the clock takes time, with bindings and without`(hasBindings: Bool) async {
        let time = time
        let clock = StepClock {
            time.advance(by: .nanoseconds(7))
            return time.nanoseconds
        }
        let spans = spans
        let system = System<Int, Event>(
            name: "shop", initialState: 0, clock: clock,
            next: { (state: Int, event: Event) -> Next<Int> in
                switch event {
                case .load: .run { state + 1 }.stateWhenLoading(-1)
                case .search: .run { state + 1 }
                default: .state(0)
                }
            }
        ).attach(.trace(to: spans), Middleware { _ in })
        if hasBindings { system.bind { _ in } }
        for event in [Event.load, .leave, .search] {
            system.send(event)
            await system.settled()
        }
        #expect(spans.all.filter { $0.kind == .event }.map(\.name) == ["load", "leave", "search"])
        #expect(spans.all.filter { $0.kind == .phase(.effect) }.count == 2)
        expectNesting(spans.all)
    }

    @Test func `effects that overlap have lanes of their own, and lanes are used again`() async {
        let gate = TraceGate()
        let system = searching(gate)
        system.send(.search)
        spending(10)
        system.send(.again)
        spending(10)
        await gate.open(first: 2)
        await system.settled()
        system.send(.search)
        await gate.open(first: 1)
        await system.settled()
        // Effects that run together are told in the order in which they happen to end.
        let effects = spans.all.filter { $0.kind == .feedback }.sorted { $0.number < $1.number }
        #expect(effects.map(\.lane) == [1, 2, 1])
        #expect(effects.map(\.number) == [1, 2, 3])
        #expect(effects.map(\.event) == ["search", "again", "search"])
        #expect(effects.allSatisfy { $0.name == "find" && $0.outcome.isFinished })
        let events = spans.all.filter { $0.kind == .event }
        #expect(effects.map(\.parent) == events.map { $0.id })
        expectNesting(spans.all)
    }

    @Test func `an effect that runs when its system is let go is told as cancelled`() async {
        var system: System<Int, Event>? = searching(TraceGate())
        system?.send(.search)
        #expect(!spans.all.contains { $0.kind == .feedback })
        system = nil
        #expect(spans.all.filter { $0.kind == .feedback }.map(\.outcome.isCancelled) == [true])
    }

    @Test func `an effect that began before the trace came is not told`() async {
        let gate = TraceGate()
        let other = SpanMemory()
        let system = searching(gate)
        system.send(.search)
        system.attach(.trace(to: other))
        await gate.open(first: 1)
        await system.settled()
        #expect(other.all.isEmpty)
        #expect(spans.all.contains { $0.kind == .feedback })
    }

    @Test func `several sinks are told the same, and each attached system is a source of its own`() {
        let other = SpanMemory()
        let trace = Middleware<Int, Event>.trace(to: spans, other)
        describing().attach(trace).send(.leave)
        describing().attach(trace).send(.leave)
        #expect(spans.all.map(\.id) == other.all.map(\.id))
        #expect(Set(spans.all.map(\.source.id)).count == 2)
        #expect(spans.all.first?.source.name == "shop")
    }

    @Test func `ids in names are bounded`() {
        struct Named: NamedEvent { let eventName: String }
        let reduce = Middleware<Int, Named>.trace(to: spans).wrapping({ (n: Int, _: Named) in n + 1 }, clock: time.clock)
        for id in 0..<1_200 { _ = reduce(0, Named(eventName: "id-\(id)")) }
        #expect(spans.all.first?.name == "id-0")
        #expect(spans.all.last?.name == Measurements.otherEvents)
    }

    @Test func `a foreign reducer is told as an event, too`() {
        let time = time
        let reduce = Middleware<Int, Event>.trace(to: spans).wrapping(
            { (n: Int, _: Event) -> Int in
                time.advance(by: .nanoseconds(7))
                return n + 1
            }, clock: time.clock)
        _ = reduce(0, .leave)
        #expect(spans.lines(from: 1_000) == ["leave 1 [0, 7] lane 0", "  reduce [0, 7] lane 0"])
    }
}

@Suite struct TraceEpochTests {
    @Test(arguments: [(1_000, 1_000_000), (1_500, 1_000_500), (500, 999_500), (0, 999_000), (.max, .max)] as [(UInt64, UInt64)])
    func `times before and after the epoch are told by their distance`(time: UInt64, unix: UInt64) {
        let epoch = TraceEpoch(clock: StepClock { 1_000 }, wallClock: .init(milliseconds: { 1 }))
        #expect(epoch.unixNanoseconds(time) == unix)
    }

    @Test func `a time before 1970 and a wall clock beyond all bounds stay within them`() {
        #expect(TraceEpoch(clock: StepClock { 5_000_000 }, wallClock: .init(milliseconds: { 1 })).unixNanoseconds(0) == 0)
        #expect(TraceEpoch(clock: StepClock { 0 }, wallClock: .init(milliseconds: { -5 })).unixNanoseconds(7) == 7)
        #expect(TraceEpoch(clock: StepClock { 0 }, wallClock: .init(milliseconds: { .max })).unixNanoseconds(7) == .max)
    }
}
