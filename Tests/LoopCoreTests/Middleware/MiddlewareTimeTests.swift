import LoopCore
import LoopTesting
import Testing

/// How long middleware takes, as told to the middleware that asks for it.
@MainActor @Suite struct MiddlewareTimeTests {
    let time = ManualClock()

    private func adding(_ nanoseconds: Int = 0) -> System<Int, Int> {
        System(initialState: 0, clock: time.clock, reducer: { (state: inout Int, event: Int) in state += event })
    }

    private func spending(_ nanoseconds: Int) -> Middleware<Int, Int> {
        let time = time
        return Middleware { _ in time.advance(by: .nanoseconds(nanoseconds)) }
    }

    @Test("a middleware that asks for the time is called after the others, wherever it was attached, and is told their total")
    func together() {
        let recorder = StepRecorder<Int, Int>(needs: [.timing, .middlewareTime])
        let system = adding().attach(spending(3), recorder.middleware, spending(4))
        system.send(1)
        #expect(recorder.steps.last?.timing?.middleware == 7)
        #expect(recorder.steps.last?.timing?.bindings == 0)
    }

    @Test("of combined middleware, too, one that asks for the time is called after the others, which keep their order")
    func combined() {
        var called: [String] = []
        func noting(_ name: String, needs: MiddlewareNeeds = []) -> Middleware<Int, Int> {
            Middleware(needs: needs) { step in if step.number == 1 { called.append(name) } }
        }
        adding().attach(.combined(noting("timed", needs: .middlewareTime), noting("one"), noting("two"))).send(1)
        #expect(called == ["one", "two", "timed"])
    }

    @Test("the time of the middleware begins where the time of the bindings ends")
    func bindings() {
        let time = time
        let recorder = StepRecorder<Int, Int>(needs: [.timing, .middlewareTime])
        let system = adding().bind { _ in time.advance(by: .nanoseconds(5)) }.attach(spending(3), recorder.middleware)
        let before = time.nanoseconds
        system.send(1)
        #expect(recorder.steps.last?.timing?.bindings == 5)
        #expect(recorder.steps.last?.timing?.middleware == 3)
        #expect(recorder.steps.last?.timing?.shownAt == before)
        #expect(time.nanoseconds == before + 8)
    }

    @Test("loading and settled steps have a time each")
    func loading() async {
        let time = time
        let recorder = StepRecorder<Int, Int>(needs: [.timing, .middlewareTime])
        let system = System<Int, Int>(
            initialState: 0, clock: time.clock,
            next: { (_: Int, event: Int) -> Next<Int> in
                .run {
                    time.advance(by: .nanoseconds(100))
                    return event
                }.stateWhenLoading(-1)
            })
        system.attach(spending(3), recorder.middleware)
        let before = time.nanoseconds
        system.send(1)
        await system.settled()
        #expect(recorder.steps.dropFirst().map { $0.timing?.middleware } == [3, 3])
        #expect(recorder.steps.dropFirst().map { $0.timing?.shownAt } == [before, before + 103])
    }

    @Test("when nobody asks, no time is told, and no clock is read for it", arguments: [MiddlewareNeeds.timing, .middlewareTime, []])
    func unasked(needs: MiddlewareNeeds) {
        let reads = Counter()
        let system = System<Int, Int>(initialState: 0, clock: StepClock { reads.next() }, reducer: { (n: inout Int, e: Int) in n += e })
        let recorder = StepRecorder<Int, Int>(needs: needs)
        system.attach(recorder.middleware)
        system.send(1)
        #expect(recorder.steps.last?.timing?.middleware == nil)
        #expect(reads.next() == (needs == .timing ? 4 : 1))
    }

    @Test("of two who ask, neither is in the other's time")
    func two() {
        let time = time
        let recorder = StepRecorder<Int, Int>(needs: [.timing, .middlewareTime])
        let slow = Middleware<Int, Int>(needs: [.timing, .middlewareTime]) { _ in time.advance(by: .nanoseconds(50)) }
        let system = adding().attach(slow, recorder.middleware, spending(2))
        system.send(1)
        #expect(recorder.steps.last?.timing?.middleware == 2)
    }

    @Test("a middleware that was detached within the step is not called, although it asked")
    func detached() {
        let recorder = StepRecorder<Int, Int>(needs: [.timing, .middlewareTime])
        let system = adding()
        system.attach(
            Middleware { [unowned system] step in if step.number == 1 { system.detach(recorder.middleware) } }, recorder.middleware)
        system.send(1)
        #expect(recorder.phases == [.initial])
    }
}
