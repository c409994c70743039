import LoopCore
import LoopMigration
import LoopTesting
import LoopTracing
import TestSupport
import Testing

private enum Page: Equatable { case start, loaded(Int) }
private enum Move: Equatable { case load(Int), fail, leave, wait }
private struct Broken: Error {}

@MainActor @Suite struct MeasurementsTests {
    let time = ManualClock()
    let measurements = Measurements()

    private func page(_ name: String? = nil) -> System<Page, Move> {
        let time = time
        return System(
            name: name, initialState: .start,
            clock: time.clock,
            next: { (_: Page, move: Move) -> Next<Page> in
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
        let system = page().bind { _ in time.advance(by: .nanoseconds(3)) }.attach(.measure(into: measurements))
        system.send(.leave)
        system.send(.leave)
        let leave = try #require(measurements.event("leave"))
        #expect(leave.count == 2)
        #expect(leave[.reduce].total == 20)
        #expect(leave[.bindings].total == 6)
        #expect(leave[.queueWait].total == 0)
        #expect(leave[.effect].isEmpty)
        #expect(leave[.total].total == 26)
        #expect(measurements.events.map(\.event) == ["leave"])
    }

    @Test func `an event with asynchronous work is measured once, when it has settled`() async throws {
        let system = page().attach(.measure(into: measurements))
        system.send(.load(1))
        #expect(measurements.events.isEmpty)
        await system.settled()
        let load = try #require(measurements.event("load"))
        #expect(load.count == 1)
        #expect(load[.effect].max == 5_000)
        #expect(load[.total].max == 5_010)
    }

    @Test func `the wait behind another event is measured`() async throws {
        let system = page().attach(.measure(into: measurements))
        system.send(.load(1))
        system.send(.leave)
        await system.settled()
        #expect(measurements.event("leave")?[.queueWait].max == 5_000)
        #expect(measurements.event("leave")?[.total].max == 5_010)
    }

    @Test func `a failed event is measured and counted as failed`() async {
        let system = page().attach(.measure(into: measurements))
        system.send(.fail)
        await system.settled()
        #expect(measurements.event("fail")?.count == 1)
        #expect(measurements.event("fail")?.failed == 1)
        #expect(measurements.event("fail")?[.total].count == 1)
    }

    @Test func `a cancelled event is counted and not measured`() {
        let system = page().attach(.measure(into: measurements))
        system.send(.wait)
        system.stop()
        #expect(measurements.event("wait")?.count == 1)
        #expect(measurements.event("wait")?.cancelled == 1)
        #expect(measurements.event("wait")?[.total].isEmpty == true)
    }

    @Test func `the initial state is no event`() {
        page().attach(.measure(into: measurements))
        #expect(measurements.events.isEmpty)
    }

    @Test func `systems with names are told apart in one collection`() {
        page("left").attach(.measure(into: measurements)).send(.leave)
        let right = page("right").attach(.measure(into: measurements))
        right.send(.leave)
        right.send(.leave)
        #expect(measurements.event("leave") == nil)
        #expect(measurements.event("leave", system: "left")?.count == 1)
        #expect(measurements.event("leave", system: "right")?.count == 2)
    }

    @Test func `systems without names are measured together`() {
        page().attach(.measure(into: measurements)).send(.leave)
        page().attach(.measure(into: measurements)).send(.leave)
        #expect(measurements.event("leave")?.count == 2)
        #expect(measurements.events.count == 1)
    }

    @Test func `one middleware value may watch several systems`() {
        let trace = Middleware<Page, Move>.measure(into: measurements)
        page().attach(trace).send(.leave)
        page().attach(trace).send(.leave)
        #expect(measurements.event("leave")?.count == 2)
    }

    @Test func `a reset forgets what was measured and measures on`() {
        let system = page().attach(.measure(into: measurements))
        system.send(.leave)
        let before = measurements.events
        measurements.reset()
        #expect(measurements.events.isEmpty)
        #expect(measurements.event("leave") == nil)
        system.send(.leave)
        #expect(measurements.event("leave")?.count == 1)
        #expect(before.first?.count == 1)
    }

    @Test func `asks for times and effects, and not for the previous state`() {
        #expect(Middleware<Page, Move>.measure(into: measurements).needs == [.timing, .middlewareTime, .effects])
    }

    @Test func `other middleware is a phase of its own and part of the total`() {
        let time = time
        let system = page().attach(.measure(into: measurements), Middleware { _ in time.advance(by: .nanoseconds(4)) })
        system.send(.leave)
        #expect(measurements.event("leave")?[.middleware].max == 4)
        #expect(measurements.event("leave")?[.total].max == 14)
    }

    @Test func `showing the loading state counts with showing the settled one`() async {
        let time = time
        let system = page().bind { _ in time.advance(by: .nanoseconds(3)) }.attach(
            Middleware { _ in time.advance(by: .nanoseconds(4)) }, .measure(into: measurements))
        system.send(.load(1))
        await system.settled()
        #expect(measurements.event("load")?[.bindings].max == 6)
        #expect(measurements.event("load")?[.middleware].max == 8)
        system.send(.leave)
        #expect(measurements.event("leave")?[.bindings].max == 3)
    }

    @Test func `a loading state whose last step is filtered out counts with no other event`() async {
        let time = time
        let system = page().bind { _ in time.advance(by: .nanoseconds(3)) }.attach(
            .measure(into: measurements).filter { $0.phase == .loading || $0.event != .load(1) })
        system.send(.load(1))
        await system.settled()
        system.send(.leave)
        #expect(measurements.event("load") == nil)
        #expect(measurements.event("leave")?[.bindings].max == 3)
    }

    @Test func `effects of feedbacks are measured with the event that started them, cancelled ones are not`() async {
        let time = time
        let system = System<Page, Move>(
            initialState: .start, clock: time.clock,
            feedbacks: [
                .onEachEvent { _, move in
                    .run {
                        if case .wait = move { try await forever() }
                        time.advance(by: .microseconds(7))
                        if case .fail = move { throw Broken() }
                        return nil
                    }
                },
                .custom { _, _ in time.advance(by: .microseconds(2)) },
            ],
            reducer: { (_: inout Page, _: Move) in })
        system.attach(.measure(into: measurements)).start()
        await giveWay()
        system.send(.leave)
        await system.settled()
        system.send(.fail)
        await system.settled()
        system.send(.wait)
        system.stop()
        #expect(measurements.event("leave")?[.feedback].max == 7_000)
        #expect(measurements.event("leave")?[.total].max == 0)
        #expect(measurements.event("fail")?[.feedback].max == 7_000)
        #expect(measurements.event("fail")?.failed == 0)
        #expect(measurements.event("wait")?[.feedback].isEmpty == true)
        #expect(measurements.event(Measurements.initialState)?[.feedback].max == 2_000)
        #expect(measurements.event(Measurements.initialState)?.count == 0)
    }

    @Test func `measures a foreign reducer that it wraps`() {
        let time = time
        let reduce = Middleware<Int, Move>.measure(into: measurements).wrapping(
            { (state: Int, _: Move) -> Int in
                time.advance(by: .nanoseconds(7))
                return state + 1
            }, clock: time.clock)
        #expect(reduce(1, .leave) == 2)
        #expect(measurements.event("leave")?[.reduce].max == 7)
    }

    @Test func `a foreign callback without times is not counted`() {
        let observe = Middleware<Int, Move>.measure(into: measurements).observer()
        observe(.leave, 0, 1)
        #expect(measurements.events.isEmpty)
    }
}

@Suite struct TracesTests {
    private struct Named: NamedEvent { let eventName: String }

    private func send(_ names: [String], to measurements: Measurements, system: String? = nil) {
        let reduce = Middleware<Int, Named>.measure(into: measurements).wrapping({ (n: Int, _: Named) in n + 1 }, name: system)
        for name in names { _ = reduce(0, Named(eventName: name)) }
    }

    @Test func `events that name themselves are told apart within one type`() {
        let measurements = Measurements()
        send(["a", "b", "a"], to: measurements)
        #expect(measurements.event("a")?.count == 2)
        #expect(measurements.event("b")?.count == 1)
    }

    @Test func `memory is bounded: names beyond the limit count together, for each system`() {
        let measurements = Measurements(maxNames: 3)
        send((0..<50).map { "id-\($0)" } + ["id-1"], to: measurements, system: "left")
        send(["other"], to: measurements, system: "right")
        #expect(measurements.events.count == 5)
        #expect(measurements.event("id-1", system: "left")?.count == 2)
        #expect(measurements.event("id-49", system: "left") == nil)
        #expect(measurements.event(Measurements.otherEvents, system: "left")?.count == 47)
        #expect(measurements.event(Measurements.otherEvents, system: "right")?.count == 1)
    }

    @Test func `memory is bounded: systems beyond the limit count together, those that came before go on by themselves`() {
        let measurements = Measurements(maxNames: 3)
        send(["a", "b", "c"], to: measurements)
        for system in 0..<50 { send(["d"], to: measurements, system: "id-\(system)") }
        send(["e"], to: measurements, system: "id-1")
        #expect(measurements.events.count == 7)
        #expect(measurements.event(Measurements.otherEvents, system: "id-1")?.count == 2)
        #expect(measurements.event(Measurements.otherEvents, system: "id-49") == nil)
        #expect(measurements.event(Measurements.otherEvents)?.count == 47)
    }

    @Test(arguments: [0, -1]) func `a limit of no names counts everything together`(limit: Int) {
        let measurements = Measurements(maxNames: limit)
        send(["a", "b"], to: measurements)
        #expect(measurements.events.map(\.event) == [Measurements.otherEvents])
        #expect(measurements.events.first?.count == 2)
    }

    @Test func `thousands of names in one collection lose no event`() {
        let measurements = Measurements(maxNames: 5_000)
        let names = (0..<3_000).map { "e\($0)" }
        send(names + names, to: measurements)
        #expect(measurements.events.count == 3_000)
        #expect(measurements.events.allSatisfy { $0.count == 2 })
    }

    @Test func `several threads measure into one collection`() async {
        let measurements = Measurements()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask { send(Array(repeating: "same", count: 400) + ["own \(worker)"], to: measurements) }
            }
        }
        #expect(measurements.event("same")?.count == 3_200)
        #expect(measurements.event("same")?[.total].count == 3_200)
        #expect(measurements.events.count == 9)
    }
}
