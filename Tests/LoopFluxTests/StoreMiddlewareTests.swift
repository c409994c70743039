import LoopCore
import LoopFlux
import LoopTesting
import TestSupport
import Testing

private struct Add: Action { let amount: Int }
private struct Other: Action {}

@MainActor @Suite struct StoreMiddlewareTests {
    typealias Steps = Log<Step<Int, any Action>>

    let time = ManualClock()
    let dispatcher: Dispatcher
    let store: Store<Int, Void>
    let steps = Steps()

    init() {
        dispatcher = Dispatcher(clock: time.clock)
        store = Store(0, dispatcher: dispatcher)
        store.reducer(of: Add.self) { [time] state, add in
            time.advance(by: .nanoseconds(7))
            state += add.amount
        }
    }

    private func recording(_ needs: MiddlewareNeeds = []) -> Middleware<Int, any Action> {
        Middleware(needs: needs) { [steps] in steps.note($0) }
    }

    private func told() -> [String] {
        steps.lines.map { "\($0.number) \($0.phase) \($0.state) \($0.event.map { EventName.name(of: $0) } ?? "-")" }
    }

    @Test func `a middleware sees the state when it is attached, and a step for each action of the store`() {
        store.attach(recording())
        dispatcher.dispatch(Add(amount: 1))
        dispatcher.dispatch(Other())
        dispatcher.dispatch(Add(amount: 2))
        #expect(told() == ["0 initial 0 -", "1 settled 1 Add", "2 settled 3 Add"])
        #expect(steps.lines[1].outcome?.isFinished == true)
    }

    @Test func `a middleware learns the names of stores and dispatchers`() {
        var names: [String] = []
        Store(name: "cart", 0, dispatcher: dispatcher).attach(
            Middleware(makingHandler: { loop in
                names.append(loop.name ?? "-")
                return { _ in }
            }))
        Dispatcher(name: "shop").attach(
            Middleware(makingHandler: { loop in
                names.append(loop.name ?? "-")
                return { _ in }
            }))
        #expect(names == ["cart", "shop"])
    }

    @Test func `an action that changes nothing makes a step, too`() {
        store.attach(recording())
        dispatcher.dispatch(Add(amount: 0))
        #expect(told() == ["0 initial 0 -", "1 settled 0 Add"])
    }

    @Test func `several reducers of the store make one step of one action`() {
        store.reducer(of: Add.self) { state, _ in state *= 10 }
        dispatcher.subscribe(to: Add.self) { [weak store] _ in store?.state += 1 }
        store.attach(recording())
        dispatcher.dispatch(Add(amount: 2))
        #expect(told() == ["0 initial 0 -", "1 settled 21 Add"])
    }

    @Test func `a state that an observer sets comes after the step of the state it saw`() {
        store.observe { [weak store] state in if state == 3 { store?.state = 4 } }
        store.observe { [weak store, dispatcher] state in
            if state == 4 && store?.state == 4 { dispatcher.dispatch(Add(amount: 1)) }
        }
        store.attach(recording([.previousState]))
        store.state = 3
        #expect(told() == ["0 initial 0 -", "1 settled 3 -", "2 settled 4 -", "3 settled 5 Add"])
        #expect(steps.lines.map(\.previousState) == [nil, 0, 3, 4])
    }

    @Test func `a state set outside any action makes a step without an event, if it differs`() {
        store.attach(recording([.previousState]))
        store.state = 5
        store.state = 5
        store.reset()
        #expect(told() == ["0 initial 0 -", "1 settled 5 -", "2 settled 0 -"])
        #expect(steps.lines.map(\.previousState) == [nil, 0, 5])
    }

    @Test func `steps are counted from the store's first action on, also while nobody watches`() {
        dispatcher.dispatch(Add(amount: 1))
        dispatcher.dispatch(Other())
        dispatcher.dispatch(Add(amount: 1))
        store.attach(recording())
        dispatcher.dispatch(Add(amount: 1))
        #expect(told() == ["2 initial 2 -", "3 settled 3 Add"])
    }

    @Test func `previous state and timing are there only if they are asked for`() {
        store.attach(recording())
        dispatcher.dispatch(Add(amount: 1))
        #expect(steps.lines[1].previousState == nil)
        #expect(steps.lines[1].timing == nil)
        store.attach(recording([.previousState]))
        dispatcher.dispatch(Add(amount: 1))
        #expect(steps.lines.last?.previousState == 1)
        #expect(steps.lines.last?.timing == nil)
    }

    @Test func `timing tells the wait, the reducers and the observers`() {
        store.attach(recording([.timing]))
        store.observe(skippingCurrent: true) { [time] _ in time.advance(by: .nanoseconds(3)) }
        dispatcher.subscribe(to: Other.self) { [dispatcher, time] _ in
            dispatcher.dispatch(Add(amount: 1))
            time.advance(by: .nanoseconds(100))
        }
        dispatcher.dispatch(Other())
        let timing = steps.lines.last?.timing
        #expect(timing?.startedAt == 1_000_000_100)
        #expect(timing?.queueWait == 100)
        #expect(timing?.reduce == 7)
        #expect(timing?.bindings == 3)
        #expect(timing?.effect == nil)
    }

    @Test func `an action from the inbox tells its wait, too`() async {
        store.attach(recording([.timing]))
        let inbox = dispatcher.inbox()
        inbox.send(Add(amount: 1))
        time.advance(by: .nanoseconds(50))
        #expect(await inbox.dispatch(Other()))
        #expect(steps.lines.last?.timing?.queueWait == 50)
    }

    @Test func `the clock is not read while nobody asks for timing`() async {
        let reads = ManualReads()
        let dispatcher = Dispatcher(clock: reads.clock)
        let store = Store(0, dispatcher: dispatcher)
        store.reducer(of: Add.self) { state, add in state += add.amount }
        let timed = Middleware<Int, any Action>(needs: [.timing]) { _ in }
        store.attach(recording()).attach(timed).detach(timed)
        store.observe { _ in }
        dispatcher.dispatch(Add(amount: 1))
        _ = await dispatcher.inbox().dispatch(Add(amount: 1))
        #expect(reads.count == 0)
        store.attach(timed)
        dispatcher.dispatch(Add(amount: 1))
        #expect(reads.count > 0)
    }

    @Test func `the clock is no longer read when a middleware that another one attached is detached`() {
        let reads = ManualReads()
        let dispatcher = Dispatcher(clock: reads.clock)
        let store = Store(0, dispatcher: dispatcher)
        store.reducer(of: Add.self) { state, add in state += add.amount }
        let timed = Middleware<Int, any Action>(needs: [.timing]) { _ in }
        store.attach(Middleware { [weak store] step in if step.phase == .initial { store?.attach(timed) } })
        dispatcher.dispatch(Add(amount: 1))
        let timedReads = reads.count
        #expect(timedReads > 0)
        store.detach(timed)
        dispatcher.dispatch(Add(amount: 1))
        #expect(reads.count == timedReads)
    }

    @Test func `waits are told, also after one middleware has detached another`() {
        let timed = Middleware<Int, any Action>(needs: [.timing]) { _ in }
        store.attach(timed, Middleware { [weak store] step in if step.phase == .initial { store?.detach(timed) } })
        store.attach(recording([.timing]))
        dispatcher.subscribe(to: Other.self) { [dispatcher, time] _ in
            dispatcher.dispatch(Add(amount: 1))
            time.advance(by: .nanoseconds(100))
        }
        dispatcher.dispatch(Other())
        #expect(steps.lines.last?.timing?.queueWait == 100)
    }

    @Test func `a detached middleware sees nothing more, not even the step that is under way`() {
        let second = recording()
        let first = Middleware<Int, any Action> { [weak store] step in if step.number == 1 { store?.detach(second) } }
        store.attach(first, second)
        dispatcher.dispatch(Add(amount: 1))
        store.detach(second)
        #expect(told() == ["0 initial 0 -"])
    }

    @Test func `a middleware attached from inside a step sees that step's state once`() {
        let late = recording()
        store.observe(skippingCurrent: true) { [weak store] state in if state == 1 { store?.attach(late) } }
        store.attach(Middleware { _ in })
        dispatcher.dispatch(Add(amount: 1))
        dispatcher.dispatch(Add(amount: 1))
        #expect(told() == ["1 initial 1 -", "2 settled 2 Add"])
    }

    @Test func `observers see the state before the middleware sees the step, and the dispatcher's own middleware comes last`() {
        let log = Log<String>()
        store.attach(Middleware { log.note("step \($0.state)") })
        store.observe { log.note("observer \($0)") }
        dispatcher.attach(Middleware { log.note("action \($0.number)") })
        dispatcher.dispatch(Add(amount: 1))
        #expect(log.lines == ["step 0", "observer 0", "action 0", "observer 1", "step 1", "action 1"])
    }

    @Test func `what a middleware dispatches is told after the current action`() {
        store.attach(Middleware { [dispatcher] step in if step.number == 1 { dispatcher.dispatch(Add(amount: 10)) } })
        store.attach(recording())
        dispatcher.dispatch(Add(amount: 1))
        #expect(told() == ["0 initial 0 -", "1 settled 1 Add", "2 settled 11 Add"])
    }

    @Test func `a state that a middleware sets in a step without an action makes the next step`() {
        store.attach(Middleware { [weak store] step in if step.state == 1 { store?.state = 2 } })
        store.attach(recording())
        store.state = 1
        #expect(told() == ["0 initial 0 -", "1 settled 1 -", "2 settled 2 -"])
    }

    @Test func `each store of a dispatcher counts its own steps`() {
        let other = Store(0, dispatcher: dispatcher)
        other.reducer(of: Other.self) { state, _ in state -= 1 }
        other.attach(recording())
        dispatcher.dispatch(Add(amount: 1))
        dispatcher.dispatch(Other())
        #expect(told() == ["0 initial 0 -", "1 settled -1 Other"])
    }

    @Test func `a step tells the action that was in fact reduced, and where it was dispatched`() {
        dispatcher.add(DispatchMiddleware { _, chain in chain.proceed(Add(amount: 5)) })
        store.attach(recording())
        dispatcher.dispatch(Other(), line: 12)
        #expect(told() == ["0 initial 0 -", "1 settled 5 Add"])
        #expect(steps.lines[1].origin?.line == 12)
    }

    @Test func `two actions in the place of one make two steps`() {
        dispatcher.add(
            DispatchMiddleware { _, chain in
                chain.proceed(Add(amount: 1))
                chain.proceed(Add(amount: 2))
            })
        store.attach(recording())
        dispatcher.dispatch(Other())
        #expect(told() == ["0 initial 0 -", "1 settled 1 Add", "2 settled 3 Add"])
    }
}

/// Makes a clock that counts how often it is read.
private final class ManualReads: @unchecked Sendable {
    // Only read on the main actor, where the test's dispatcher lives.
    private(set) var count = 0
    var clock: StepClock {
        StepClock {
            self.count += 1
            return UInt64(self.count)
        }
    }
}
