import LoopCore
import LoopMigration
import LoopTesting
import Testing

private struct Page: Equatable, Sendable {
    var wanted: String?
    var product: String?
    var isLoading = false
    var ticks = 0
}

private enum Move: Equatable, Sendable {
    case open(String), loaded(String), leave, tick, refuse
}

private struct Broken: Error, Equatable {}

/// Tests that pass: what a test double lets through, and how it waits.
@MainActor @Suite struct TestSystemTests {
    private func reduce(_ page: inout Page, _ move: Move) {
        switch move {
        case .open(let id): page = Page(wanted: id)
        case .loaded(let product): page.product = product
        case .leave: page.wanted = nil
        case .tick: page.ticks += 1
        case .refuse: break
        }
    }

    private var load: Feedback<Page, Move> {
        .skippingRepeated(state: \.wanted) { id -> Move? in
            await Task.yield()
            return .loaded("product \(id)")
        }
    }

    @Test func `a test tells each event and what it changes`() async {
        let test = TestSystem(System(initialState: Page(), feedbacks: [load], reducer: reduce), onFailure: .testing)
        await test.send(.open("a")) { $0.wanted = "a" }
        await test.receive(.loaded("product a")) { $0.product = "product a" }
        await test.send(.refuse)
        await test.send(.leave) { $0.wanted = nil }
        await test.finish()
        #expect(test.system.state == Page(product: "product a"))
        #expect(test.system.isStopped)
    }

    @Test(arguments: [true, false]) func `effects of the initial state are received without sending`(_ starts: Bool) async {
        let test = TestSystem(System(initialState: Page(wanted: "a"), feedbacks: [load], reducer: reduce), onFailure: .testing)
        if starts { await test.start() }
        await test.receive(where: { if case .loaded = $0 { true } else { false } }) { $0.product = "product a" }
        await test.finish()
    }

    @Test func `events that an effect brings at once are received in their order`() async {
        let twice = Feedback<Page, Move>.react({ _ in .events([.tick, .loaded("a")]) }, when: { $0.wanted != nil && $0.ticks == 0 })
        let test = TestSystem(System(initialState: Page(), feedbacks: [twice], reducer: reduce), onFailure: .testing)
        await test.send(.open("a")) { $0.wanted = "a" }
        await test.receive(.tick) { $0.ticks = 1 }
        await test.receive(.loaded("a")) { $0.product = "a" }
        await test.finish()
    }

    @Test func `an event from another thread is waited for`() async {
        let elsewhere = Feedback<Page, Move>.skippingRepeated(state: \.wanted) { id -> Move? in
            .loaded(await Self.fetch(id))
        }
        let test = TestSystem(System(initialState: Page(), feedbacks: [elsewhere], reducer: reduce), onFailure: .testing)
        for id in ["a", "b", "c"] {
            await test.send(.open(id)) { $0 = Page(wanted: id) }
            await test.receive(.loaded("far \(id)")) { $0.product = "far \(id)" }
        }
        await test.finish()
    }

    @concurrent private static func fetch(_ id: String) async -> String {
        var sum = 0
        for number in 0..<200_000 { sum &+= number }
        return sum > 0 ? "far \(id)" : ""
    }

    @Test func `an event with a loading state makes two steps, and the second is received`() async {
        let test = TestSystem(
            System(
                initialState: Page(),
                next: { (page: Page, move: Move) -> Next<Page> in
                    guard case .open(let id) = move else { return .state(page) }
                    return .run { Page(product: id) }.stateWhenLoading(Page(isLoading: true))
                }), onFailure: .testing)
        await test.send(.open("a")) { $0.isLoading = true }
        await test.receive(.open("a")) { $0 = Page(product: "a") }
        await test.finish()
    }

    @Test func `an event that is sent while work runs is received when its turn has come`() async {
        let test = TestSystem(
            System(
                initialState: Page(),
                next: { (page: Page, move: Move) -> Next<Page> in
                    if move == .tick { return .state(Page(product: page.product, ticks: page.ticks + 1)) }
                    return .run { Page(product: "a", ticks: page.ticks) }
                }), onFailure: .testing)
        await test.send(.open("a"))
        test.system.send(.tick)
        await test.receive(.open("a")) { $0.product = "a" }
        await test.receive(.tick) { $0.ticks = 1 }
        await test.finish()
    }

    @Test func `failures of effects and of work are received as such`() async {
        let failing = Feedback<Page, Move>.react({ _ in .run { throw Broken() } }, when: { $0.wanted == "b" })
        let test = TestSystem(
            System(
                initialState: Page(), feedbacks: [failing],
                next: { (page: Page, move: Move) -> Next<Page> in
                    switch move {
                    case .open(let id): .state(Page(wanted: id))
                    case .refuse: Next.failure(Broken()).stateWhenLoading(Page(isLoading: true))
                    default: .run { throw CancellationError() }
                    }
                }), onFailure: .testing)
        await test.send(.open("b")) { $0.wanted = "b" }
        await test.receiveFailure(where: { $0 is Broken })
        await test.send(.refuse) { $0 = Page(isLoading: true) }
        // The state goes back to the one before the event, which starts the effect anew.
        await test.receiveFailure(where: { $0 is Broken }) { $0 = Page(wanted: "b") }
        await test.receiveFailure(where: { $0 is Broken })
        await test.send(.tick)
        await test.receiveFailure(where: { $0 is CancellationError })
        test.skipReceived()
        test.skipEffects()
        await test.finish()
    }

    @Test func `effects that sleep go on when their clock is moved`() async {
        let clock = ManualClock()
        let began = clock.now
        let ticks = Feedback<Page, Move>.lensing(state: { $0.wanted == nil ? nil : $0.ticks }) { _ -> Move? in
            try await clock.sleep(for: .seconds(30))
            return .tick
        }
        let test = TestSystem(System(initialState: Page(), feedbacks: [ticks], reducer: reduce), onFailure: .testing)
        await test.send(.open("a")) { $0.wanted = "a" }
        for number in 1...3 {
            await clock.whenSleeping()
            clock.advance(by: .seconds(30))
            await test.receive(.tick) { $0.ticks = number }
        }
        await test.send(.leave) { $0.wanted = nil }
        await test.finish()
        #expect(began.duration(to: clock.now) == .seconds(90))
    }

    @Test func `a delay that a received event begins has begun when the test goes on`() async {
        let clock = ManualClock()
        let test = TestSystem(
            System<Int, Int>(
                initialState: 0, clock: clock.clock,
                reducer: Reducer { state, event in
                    state = event
                    return event < 20 ? .event(event + 1).delayed(by: .seconds(1)) : .none
                }), onFailure: .testing)
        await test.send(1) { $0 = 1 }
        for number in 2...20 {
            clock.advance(by: .seconds(1))
            await test.receive(number) { $0 = number }
        }
        await test.finish()
    }

    @Test func `a delay that a failure begins has begun when the test goes on`() async {
        let clock = ManualClock()
        // The state goes back to the one before the event, which starts the delay anew.
        let later = Feedback<Page, Move>.onChange(of: { $0.isLoading ? nil : $0.wanted }) { _ in .event(.tick).delayed(by: .seconds(1)) }
        let test = TestSystem(
            System(
                initialState: Page(), clock: clock.clock, feedbacks: [later],
                next: { (page: Page, move: Move) -> Next<Page> in
                    switch move {
                    case .open(let id): .state(Page(wanted: id))
                    case .tick: .state(Page(wanted: page.wanted, ticks: page.ticks + 1))
                    default: Next.failure(Broken()).stateWhenLoading(Page(isLoading: true))
                    }
                }), onFailure: .testing)
        await test.send(.open("a")) { $0.wanted = "a" }
        await test.send(.refuse) { $0 = Page(isLoading: true) }
        await test.receiveFailure(where: { $0 is Broken }) { $0 = Page(wanted: "a") }
        clock.advance(by: .seconds(1))
        await test.receive(.tick) { $0.ticks = 1 }
        await test.finish()
    }

    @Test func `sources without an end are named at the finish`() async {
        let input = Feedback<Page, Move>.input
        let test = TestSystem(System(initialState: Page(), feedbacks: [input.feedback], reducer: reduce), onFailure: .testing)
        await test.start()
        input.send(.tick)
        await test.receive(.tick) { $0.ticks = 1 }
        await test.finish(leaving: 1)
    }

    @Test func `a system that the app made is tested from its present state on`() async {
        let system = System<Int, Int>(initialState: 0, reducer: { $0 += $1 })
        system.send(5)
        let test = TestSystem(system, onFailure: .testing)
        await test.send(2) { $0 = 7 }
        await test.finish()
    }

    @Test func `skipping passes over the events that have come`() async {
        let log = FailureLog()
        let chain = Feedback<Page, Move>.react({ _ in .event(.tick) }, when: { $0.wanted != nil && $0.ticks < 5 })
        let test = TestSystem(System(initialState: Page(), feedbacks: [chain], reducer: reduce), onFailure: log.recorder)
        await test.send(.open("a")) { $0.wanted = "a" }
        await test.receive(.tick) { $0.ticks = 1 }
        #expect(test.skipReceived() == 4)
        await test.send(.leave) { $0.wanted = nil }
        await test.finish()
        #expect(test.system.state.ticks == 5)
        #expect(log.messages.isEmpty)
    }
}
