import LoopCore
import LoopMigration
import TestSupport
import Testing

/// Asynchronous work, how it ends, stopping and settling.
@MainActor @Suite struct SystemEffectTests {
    enum Failure: Error { case broken }

    enum Event: Sendable, Equatable { case add(Int), work(Int), fail, cancel, hang }

    private func makeSystem(_ gate: Gate? = nil, loading: Int? = nil) -> System<Int, Event> {
        System(
            initialState: 0,
            next: { (state: Int, event: Event) -> Next<Int> in
                switch event {
                case .add(let number): return .state(state + number)
                case .work(let number):
                    let next = Next<Int>.run {
                        await gate?.pass()
                        return state + number
                    }
                    return loading.map { next.stateWhenLoading($0) } ?? next
                case .fail:
                    let next = Next<Int>.run { throw Failure.broken }
                    return loading.map { next.stateWhenLoading($0) } ?? next
                case .cancel: return Next<Int>.run { throw CancellationError() }.stateWhenLoading(-1)
                case .hang:
                    return Next<Int>.run { try await forever() }
                }
            })
    }

    @Test func `later events wait while work runs, in order`() async {
        let gate = Gate()
        let system = makeSystem(gate)
        system.send(.work(1))
        system.send(.add(10))
        system.send(.work(100))
        system.send(.add(1_000))
        await gate.whenEntered(1)
        #expect(system.state == 0 && system.eventNumber == 1)
        gate.open()
        await gate.whenEntered(2)
        #expect(system.state == 11)
        gate.open()
        await system.settled()
        #expect(system.state == 1_111)
    }

    @Test func `the loading state is shown, then the settled one, under one number`() async {
        let system = makeSystem(loading: -1)
        var log: [String] = []
        system.bind { log.append("bind \($0)") }
        system.attach(Middleware { log.append($0.summary) })
        system.send(.work(5))
        await system.settled()
        #expect(
            log == ["bind 0", "0 initial 0 finished", "bind -1", "1 loading -1 -", "bind 5", "1 settled 5 finished"])
    }

    @Test func `failing work without recovery gives the state back, and the loop goes on`() async {
        let system = makeSystem(loading: -1)
        var log: [String] = []
        system.attach(Middleware { log.append($0.summary) })
        system.send(.add(3))
        system.send(.fail)
        system.send(.add(4))
        await system.settled()
        #expect(
            log == [
                "0 initial 0 finished", "1 settled 3 finished", "2 loading -1 -", "2 settled 3 failed", "3 settled 7 finished",
            ])
    }

    @Test func `the error of failing work reaches middleware`() async {
        let system = makeSystem()
        var errors: [any Error] = []
        system.attach(Middleware { if let error = $0.outcome?.error { errors.append(error) } })
        system.send(.fail)
        await system.settled()
        #expect(errors.count == 1 && errors.first is Failure)
    }

    @Test func `work that is cancelled ends as cancelled, with the state of before`() async {
        let system = makeSystem()
        var log: [String] = []
        system.attach(Middleware { log.append($0.summary) })
        system.send(.cancel)
        system.send(.add(1))
        await system.settled()
        #expect(log == ["0 initial 0 finished", "1 loading -1 -", "1 settled 0 cancelled", "2 settled 1 finished"])
    }

    @Test func `an error can be recovered into a state, and the step has finished`() async {
        let system = System(
            initialState: "start",
            next: { (_: String, _: Int) -> Next<String> in
                .run { throw Failure.broken }.stateWhenLoading("loading").mapErrorRecover { "recovered from \($0)" }
            })
        var outcomes: [Bool] = []
        system.attach(Middleware { outcomes.append($0.outcome?.isFinished ?? false) })
        system.send(1)
        await system.settled()
        #expect(system.state == "recovered from broken")
        #expect(outcomes == [true, false, true])
    }

    @Test func `a loading state survives being given before the recovery and after it`() async {
        for next in [
            Next<Int>.run { 1 }.stateWhenLoading(-1).mapErrorRecover { _ in 2 },
            Next<Int>.run { 1 }.mapErrorRecover { _ in 2 }.stateWhenLoading(-1),
        ] {
            let system = System(initialState: 0, next: { (_: Int, _: Int) in next })
            var states: [Int] = []
            system.bind { states.append($0) }
            system.send(1)
            await system.settled()
            #expect(states == [0, -1, 1])
        }
    }

    @Test func `a Next that nobody runs does nothing`() async {
        var ran = 0
        func make() -> Next<Int> {
            .run {
                ran += 1
                return 1
            }
        }
        _ = make()
        let system = System(initialState: 0, next: { (_: Int, _: Int) in make() })
        await Task.yield()
        #expect(ran == 0)
        system.send(1)
        await system.settled()
        #expect(ran == 1)
    }

    @Test func `what a binding sends on the loading state waits for the work`() async {
        let system = makeSystem(loading: -1)
        var states: [Int] = []
        system.bind { [unowned system] state in
            states.append(state)
            if state == -1 { system.send(.add(100)) }
        }
        system.send(.work(5))
        await system.settled()
        #expect(states == [0, -1, 5, 105])
    }

    @Test func `the previous state of a settled step is the loading state it replaced`() async {
        let system = makeSystem(loading: -1)
        var previous: [Int?] = []
        system.attach(Middleware(needs: .previousState) { previous.append($0.previousState) })
        system.send(.work(5))
        await system.settled()
        #expect(previous == [nil, 0, -1])
    }

    @Test func `a settled step tells how long its work took`() async throws {
        let ticks = Counter()
        let clock = StepClock { ticks.next() }
        let system = System(
            initialState: 0, clock: clock,
            next: { (state: Int, event: Int) -> Next<Int> in .run { state + event }.stateWhenLoading(-1) })
        var timings: [StepTiming] = []
        system.attach(Middleware(needs: .timing) { if let timing = $0.timing { timings.append(timing) } })
        system.send(1)
        await system.settled()
        #expect(timings.map { $0.effect != nil } == [false, true])
        #expect(timings[0].reduce == timings[1].reduce)
        let effect = try #require(timings[1].effect)
        #expect(effect > 0)
    }

    @Test func `stop cancels work, drops what waits and returns its count, and nothing moves any more`() async {
        let system = makeSystem()
        var log: [String] = []
        var shown: [Int] = []
        system.attach(Middleware { log.append($0.summary) }).bind { shown.append($0) }
        system.send(.hang)
        system.send(.add(1))
        system.send(.add(2))
        #expect(system.stop() == 2)
        #expect(system.stop() == 0)
        system.send(.add(3))
        await system.settled()
        #expect(log == ["0 initial 0 finished", "1 settled 0 cancelled"])
        #expect(shown == [0])
        #expect(system.state == 0 && system.isStopped)
    }

    @Test func `a result that comes after stop is dropped`() async {
        let gate = Gate()
        let system = makeSystem(gate)
        system.send(.work(5))
        await gate.whenEntered(1)
        system.stop()
        gate.open()
        for _ in 0..<10 { await Task.yield() }
        #expect(system.state == 0)
    }

    @Test func `stopping from inside a step lets that step end and nothing after it`() async {
        let system = makeSystem()
        var log: [String] = []
        system.bind { [unowned system] state in
            if state == 1 {
                system.send(.add(10))
                #expect(system.stop() == 1)
            }
        }
        system.attach(Middleware { log.append($0.summary) })
        system.send(.add(1))
        #expect(log == ["0 initial 0 finished", "1 settled 1 finished"])
    }

    @Test func `stopping while the loading state is shown starts no work`() async {
        let gate = Gate()
        let system = makeSystem(gate, loading: -1)
        system.bind { [unowned system] in if $0 == -1 { system.stop() } }
        system.send(.work(1))
        for _ in 0..<10 { await Task.yield() }
        #expect(gate.entered == 0)
        #expect(system.state == -1)
    }

    @Test func `settled returns at once when nothing waits`() async {
        var hasOtherRun = false
        Task { hasOtherRun = true }
        await makeSystem().settled()
        #expect(!hasOtherRun, "it let go of the main actor")
    }

    @Test func `settled waits for everything that follows`() async {
        let system = makeSystem()
        system.bind { [unowned system] state in if state > 0 && state < 50 { system.send(.work(1)) } }
        system.send(.work(1))
        await system.settled()
        #expect(system.state == 50)
        #expect(system.isSettled)
    }

    @Test func `several can wait for one system to settle`() async {
        let gate = Gate()
        let system = makeSystem(gate)
        system.send(.work(1))
        var woken = 0
        let waiters = (0..<3).map { _ in
            Task { @MainActor in
                await system.settled()
                woken += 1
            }
        }
        await gate.whenEntered(1)
        #expect(woken == 0)
        gate.open()
        for waiter in waiters { await waiter.value }
        #expect(woken == 3)
    }

    @Test func `a view that is bound weakly is released, and so is the system that showed to it`() async {
        final class View {
            var shown: [Int] = []
            func render(_ state: Int) { shown.append(state) }
        }
        var view: View? = View()
        var system: System<Int, Event>? = makeSystem()
        system?.bind { [weak view] in view?.render($0) }
        system?.send(.add(1))
        #expect(view?.shown == [0, 1])
        let gone = Weak(view)
        view = nil
        #expect(gone.object == nil)
        system?.send(.add(1))
        let released = Weak(system)
        system = nil
        #expect(released.object == nil)
    }
}
