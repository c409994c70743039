import LoopCore
import LoopFlux
import LoopLogging
import LoopTesting
import TestSupport
import Testing

private struct Loaded: Action, Equatable { var id = 0 }
private struct Tapped: Action, Equatable {}

/// Middleware of systems, attached to a dispatcher.
@MainActor @Suite struct DispatcherStepTests {
    let time = ManualClock()
    let dispatcher: Dispatcher
    let log = Log<String>()
    let steps = Log<Step<Void, any Action>>()

    init() {
        dispatcher = Dispatcher(clock: time.clock)
        dispatcher.subscribe(to: Loaded.self) { [log, time] in
            time.advance(by: .nanoseconds(7))
            log.note("loaded \($0.id)")
        }
    }

    private func noting(_ name: String = "step") -> Middleware<Void, any Action> {
        Middleware { [log] step in
            let action = step.event.map { "\($0)" } ?? "\(step.phase)"
            log.note("\(name) \(step.number) \(action)\(step.outcome?.isCancelled == true ? " swallowed" : "")")
        }
    }

    @Test func `sees each action after the handlers, in the order of attaching`() {
        dispatcher.attach(noting("a"), noting("b"))
        dispatcher.dispatch(Loaded(id: 1))
        #expect(log.lines == ["a 0 initial", "b 0 initial", "loaded 1", "a 1 Loaded(id: 1)", "b 1 Loaded(id: 1)"])
    }

    @Test func `sees actions that nobody subscribed to`() {
        dispatcher.attach(noting())
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["step 0 initial", "step 1 Tapped()"])
    }

    @Test func `sees the action that the handlers received, and where it was dispatched`() {
        dispatcher.attach(noting(), Middleware { [steps] in steps.note($0) })
        dispatcher.add(DispatchMiddleware { _, chain in chain.proceed(Loaded(id: 9)) })
        dispatcher.dispatch(Tapped(), line: 42)
        #expect(log.lines == ["step 0 initial", "loaded 9", "step 1 Loaded(id: 9)"])
        #expect(steps.lines[1].origin?.line == 42)
    }

    @Test func `sees that an action was swallowed`() {
        dispatcher.attach(noting())
        dispatcher.add(DispatchMiddleware { _, _ in })
        dispatcher.dispatch(Loaded(id: 1))
        #expect(log.lines == ["step 0 initial", "step 1 Loaded(id: 1) swallowed"])
    }

    @Test func `sees a step for each action that was delivered in the place of one, numbered without holes`() {
        dispatcher.attach(noting())
        dispatcher.add(
            DispatchMiddleware { _, chain in
                chain.proceed(Loaded(id: 1))
                chain.proceed(Loaded(id: 2))
            })
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["step 0 initial", "loaded 1", "loaded 2", "step 1 Loaded(id: 1)", "step 2 Loaded(id: 2)"])
    }

    /// As in Mini, whose services run after the whole chain.
    @Test func `sees an action after the code that follows a middleware's proceed`() {
        dispatcher.attach(noting())
        dispatcher.add(
            DispatchMiddleware { [log] action, chain in
                chain.proceed(action)
                log.note("after proceed")
            })
        dispatcher.dispatch(Loaded(id: 1))
        #expect(log.lines == ["step 0 initial", "loaded 1", "after proceed", "step 1 Loaded(id: 1)"])
    }

    @Test func `what it dispatches is delivered after the current action`() {
        dispatcher.attach(
            Middleware { [dispatcher] step in
                if step.event is Tapped { dispatcher.dispatch(Loaded(id: 4)) }
            }, noting())
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["step 0 initial", "step 1 Tapped()", "loaded 4", "step 2 Loaded(id: 4)"])
    }

    @Test func `what it dispatches at its initial step is delivered when all are attached`() {
        dispatcher.attach(
            Middleware { [dispatcher] step in
                if step.phase == .initial { dispatcher.dispatch(Tapped()) }
            }, noting())
        #expect(log.lines == ["step 0 initial", "step 1 Tapped()"])
    }

    @Test func `detached it sees nothing more, not even the step that is under way`() {
        let last = noting("last")
        dispatcher.attach(Middleware { [dispatcher] step in if step.number == 1 { dispatcher.detach(last) } }, last)
        dispatcher.dispatch(Tapped())
        dispatcher.detach(last)
        #expect(log.lines == ["last 0 initial"])
    }

    @Test func `the timing has the wait, the handlers, and the observers of the stores`() {
        let store = Store(0, dispatcher: dispatcher)
        store.reducer(of: Loaded.self) { state, loaded in state = loaded.id }
        store.observe(skippingCurrent: true) { [time] _ in time.advance(by: .nanoseconds(3)) }
        dispatcher.attach(Middleware(needs: [.timing, .middlewareTime]) { [steps] in steps.note($0) })
        dispatcher.subscribe(to: Tapped.self) { [dispatcher, time] _ in
            dispatcher.dispatch(Loaded(id: 1))
            time.advance(by: .nanoseconds(100))
        }
        dispatcher.dispatch(Tapped())
        let timing = steps.lines.last?.timing
        #expect(timing?.startedAt == 1_000_000_100)
        #expect(timing?.queueWait == 100)
        #expect(timing?.reduce == 7)
        #expect(timing?.bindings == 3)
        #expect(timing?.middleware == 0)
    }

    @Test func `a log prints every action, those that no store took included`() {
        let lines = Log<String>()
        dispatcher.attach(.log(to: .closure { lines.note($0) }))
        dispatcher.dispatch(Tapped(), fileID: "Shop/Cart.swift", line: 7)
        #expect(lines.lines.last?.contains("Tapped") == true)
        #expect(lines.lines.last?.contains("Shop/Cart.swift:7") == true)
    }
}
