import LoopCore
import LoopFlux
import TestSupport
import Testing

private struct Tapped: Action { var count = 0 }
private struct Loaded: PayloadAction { let result: Result<Int, any Error> }

@MainActor @Suite struct DispatcherEndingTests {
    let dispatcher = Dispatcher()
    let log = Log<String>()

    init() {
        dispatcher.subscribe(to: Tapped.self) { [log] in log.note("tapped \($0.count)") }
        dispatcher.subscribe(to: Loaded.self) { [log] _ in log.note("loaded") }
    }

    @Test func `settled returns at once if nothing is under way`() async {
        await dispatcher.settled()
        dispatcher.dispatch(Tapped())
        await dispatcher.settled()
        #expect(log.lines == ["tapped 0"])
    }

    @Test func `settled waits for the inbox and for work, and for the work that follows from it`() async {
        let gate = Gate()
        dispatcher.subscribe(to: Tapped.self) { [dispatcher] tapped in
            if tapped.count > 1 { return }
            dispatcher.dispatch(Loaded.self) {
                await gate.pass()
                return tapped.count
            }
        }
        dispatcher.subscribe(to: Loaded.self) { [dispatcher] loaded in
            if case .success(1) = loaded.result { dispatcher.inbox().send(Tapped(count: 2)) }
        }
        dispatcher.inbox().send(Tapped(count: 1))
        Task { @MainActor in gate.open() }
        await dispatcher.settled()
        #expect(log.lines == ["tapped 1", "loaded", "tapped 2"])
    }

    @Test func `settled returns when the waiting task is cancelled`() async {
        let gate = Gate()
        let work = dispatcher.dispatch(Loaded.self) {
            await gate.pass()
            return 1
        }
        let waiting = Task { @MainActor [dispatcher] in await dispatcher.settled() }
        await Task.yield()
        waiting.cancel()
        await waiting.value
        #expect(log.lines.isEmpty)
        gate.open()
        await work.value
        #expect(log.lines == ["loaded"])
    }

    @Test func `a stopped dispatcher drops what waits, and whatever comes later`() async {
        let inbox = dispatcher.inbox()
        dispatcher.subscribe(to: Tapped.self) { [dispatcher, log] tapped in
            if tapped.count != 1 { return }
            dispatcher.dispatch(Tapped(count: 2))
            inbox.send(Tapped(count: 3))
            log.note("dropped \(dispatcher.stop())")
            dispatcher.dispatch(Tapped(count: 4))
        }
        dispatcher.subscribe(to: Tapped.self, priority: 200) { [log] in log.note("last \($0.count)") }
        dispatcher.dispatch(Tapped(count: 1))
        dispatcher.dispatch(Tapped(count: 5))
        #expect(!inbox.send(Tapped(count: 6)))
        #expect(log.lines == ["tapped 1", "dropped 2", "last 1"])
        #expect(dispatcher.stop() == 0)
        await dispatcher.settled()
    }

    @Test func `stopping cancels work in flight, and wakes who waits for it`() async {
        let work = dispatcher.dispatch(Loaded.self) {
            try await forever()
        }
        let waiting = Task { @MainActor [dispatcher] in await dispatcher.settled() }
        await Task.yield()
        dispatcher.stop()
        await work.value
        await waiting.value
        #expect(log.lines.isEmpty)
    }

    @Test func `work started at a stopped dispatcher is cancelled at once`() async {
        dispatcher.stop()
        await dispatcher.dispatch(Loaded.self) { try await forever() }.value
        #expect(log.lines.isEmpty)
    }
}
