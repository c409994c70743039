import LoopCore
import LoopFlux
import TestSupport
import Testing

private struct Loaded: Action, Equatable { var id = 0 }
private struct Tapped: Action, Equatable {}

@MainActor @Suite struct DispatchMiddlewareTests {
    let dispatcher = Dispatcher()
    let log = Log<String>()

    init() {
        dispatcher.subscribe(to: Loaded.self) { [log] in log.note("loaded \($0.id)") }
        dispatcher.subscribe(to: Tapped.self) { [log] _ in log.note("tapped") }
    }

    private func passing(_ name: String) -> DispatchMiddleware {
        DispatchMiddleware { [log] action, chain in
            log.note("\(name) in")
            chain.proceed(action)
            log.note("\(name) out")
        }
    }

    @Test func `what a middleware passes on is told before it goes on`() {
        dispatcher.add(passing("a"))
        dispatcher.dispatch(Loaded(id: 1))
        #expect(log.lines == ["a in", "loaded 1", "a out"])
    }

    @Test func `the middleware added last is the first to see an action`() {
        dispatcher.add(passing("a"))
        dispatcher.add(passing("b"))
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["b in", "a in", "tapped", "a out", "b out"])
    }

    @Test func `what a middleware does not pass on is swallowed`() {
        dispatcher.add(DispatchMiddleware { action, chain in if action is Loaded { chain.proceed(action) } })
        dispatcher.dispatch(Tapped())
        dispatcher.dispatch(Loaded(id: 2))
        #expect(log.lines == ["loaded 2"])
    }

    @Test func `a middleware may put another action in the place of one, even of another type`() {
        dispatcher.add(
            DispatchMiddleware { action, chain in
                if let loaded = action as? Loaded { chain.proceed(Loaded(id: loaded.id * 10)) } else { chain.proceed(Loaded(id: 99)) }
            })
        dispatcher.dispatch(Loaded(id: 3))
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["loaded 30", "loaded 99"])
    }

    @Test func `a middleware may put several actions in the place of one`() {
        dispatcher.add(
            DispatchMiddleware { action, chain in
                chain.proceed(Loaded(id: 1))
                chain.proceed(action)
            })
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["loaded 1", "tapped"])
    }

    @Test func `proceeding says what became of the action`() {
        let outcomes = Log<(any Action)?>()
        dispatcher.add(
            DispatchMiddleware { action, chain in
                guard let loaded = action as? Loaded else { return }
                chain.proceed(Loaded(id: loaded.id + 1))
            })
        dispatcher.add(DispatchMiddleware { action, chain in outcomes.note(chain.proceed(action)) })
        dispatcher.dispatch(Loaded(id: 1))
        dispatcher.dispatch(Tapped())
        #expect(outcomes.lines.count == 2)
        #expect(outcomes.lines[0] as? Loaded == Loaded(id: 2))
        #expect(outcomes.lines[1] == nil)
    }

    @Test func `a removed middleware sees nothing more, and another is not taken for it`() {
        let first = passing("a")
        let second = passing("b")
        dispatcher.add(first)
        dispatcher.add(second)
        dispatcher.remove(first)
        dispatcher.remove(first)
        dispatcher.remove(passing("a"))
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["b in", "tapped", "b out"])
    }

    @Test func `a middleware removed while an action is on its way is still gone through`() {
        let first = passing("a")
        dispatcher.add(first)
        dispatcher.add(
            DispatchMiddleware { [dispatcher] action, chain in
                dispatcher.remove(first)
                chain.proceed(action)
            })
        dispatcher.dispatch(Tapped())
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["a in", "tapped", "a out", "tapped"])
    }

    @Test func `a middleware added by a handler sees the next action`() {
        dispatcher.subscribe(to: Loaded.self) { [self] loaded in
            if loaded.id == 1 { dispatcher.add(passing("late")) }
        }
        dispatcher.dispatch(Loaded(id: 1))
        dispatcher.dispatch(Loaded(id: 2))
        #expect(log.lines == ["loaded 1", "late in", "loaded 2", "late out"])
    }

    @Test func `what a middleware dispatches is told after the current action`() {
        dispatcher.add(
            DispatchMiddleware { [dispatcher, log] action, chain in
                if action is Tapped { dispatcher.dispatch(Loaded(id: 5)) }
                chain.proceed(action)
                log.note("passed")
            })
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["tapped", "passed", "loaded 5", "passed"])
    }

    @Test func `copies of a middleware are the same middleware`() {
        let first = passing("a")
        let copy = first
        dispatcher.add(first)
        dispatcher.remove(copy)
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["tapped"])
    }
}
