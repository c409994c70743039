import LoopCore
import LoopFlux
import LoopMigration
import TestSupport
import Testing

private struct Loaded: PayloadAction { let result: Result<Int, any Error> }
private struct Done: PayloadAction { let result: Result<Void, any Error> }
private struct KeyLoaded: KeyedPayloadAction {
    let result: Result<Int, any Error>
    let key: String
}

@MainActor @Suite struct DispatcherWorkTests {
    let dispatcher = Dispatcher()
    let log = Log<any Action>()

    init() {
        dispatcher.attach(Middleware { [log] step in if let action = step.event { log.note(action) } })
    }

    private func last<Seen: Action>(_ type: Seen.Type) -> Seen? { log.lines.last as? Seen }

    @Test func `the action carries the payload of the work, and the returned task ends after its delivery`() async throws {
        await dispatcher.dispatch(Loaded.self) { 1 }.value
        #expect(try last(Loaded.self)?.result.get() == 1)
        await dispatcher.dispatch(Done.self) {}.value
        #expect(throws: Never.self) { try last(Done.self)?.result.get() }
        await dispatcher.dispatch(KeyLoaded.self, key: "a") { 2 }.value
        #expect(try last(KeyLoaded.self)?.result.get() == 2)
        #expect(last(KeyLoaded.self)?.key == "a")
        #expect(log.lines.count == 3)
    }

    @Test func `the action carries the error of the work`() async {
        await dispatcher.dispatch(Loaded.self) { throw Fault.dummy }.value
        #expect(throws: Fault.dummy) { try last(Loaded.self)?.result.get() }
        await dispatcher.dispatch(KeyLoaded.self, key: "a") { throw Fault.dummy }.value
        #expect(throws: Fault.dummy) { try last(KeyLoaded.self)?.result.get() }
    }

    @Test func `a payload replaces the error if one is given`() async throws {
        await dispatcher.dispatch(Loaded.self, fillOnError: 9) { throw Fault.dummy }.value
        #expect(try last(Loaded.self)?.result.get() == 9)
        await dispatcher.dispatch(KeyLoaded.self, key: "a", fillOnError: 9) { throw Fault.dummy }.value
        #expect(try last(KeyLoaded.self)?.result.get() == 9)
        await dispatcher.dispatch(Loaded.self, fillOnError: 9) { 1 }.value
        #expect(try last(Loaded.self)?.result.get() == 1)
    }

    @Test func `cancelled work dispatches nothing`() async {
        let gate = Gate()
        let task = dispatcher.dispatch(Loaded.self, fillOnError: 3) {
            await gate.pass()
            try Task.checkCancellation()
            return 1
        }
        task.cancel()
        gate.open()
        await task.value
        #expect(log.lines.isEmpty)
    }

    @Test func `a cancellation that the work throws by itself is an error like any other`() async {
        await dispatcher.dispatch(Loaded.self) { throw CancellationError() }.value
        #expect(throws: CancellationError.self) { try last(Loaded.self)?.result.get() }
    }

    @Test func `works of one dispatcher run side by side, and their actions are delivered as they end`() async {
        let gate = Gate()
        let slow = dispatcher.dispatch(KeyLoaded.self, key: "slow") {
            await gate.pass()
            return 1
        }
        await dispatcher.dispatch(KeyLoaded.self, key: "fast") { 2 }.value
        gate.open()
        await slow.value
        #expect(log.lines.compactMap { ($0 as? KeyLoaded)?.key } == ["fast", "slow"])
    }

    @Test func `work does not keep the dispatcher alive, and its result is dropped with it`() async {
        let gate = Gate()
        var dispatcher: Dispatcher? = Dispatcher()
        let gone = Weak(dispatcher)
        let task = dispatcher!.dispatch(Loaded.self) {
            await gate.pass()
            return 1
        }
        await Task.yield()
        dispatcher = nil
        #expect(gone.object == nil)
        #expect(task.isCancelled)
        gate.open()
        await task.value
    }

    @Test func `the action says where the work was started`() async {
        let lines = Log<UInt>()
        dispatcher.attach(Middleware { lines.note($0.origin?.line ?? 0) })
        await dispatcher.dispatch(Loaded.self, line: 11) { 1 }.value
        #expect(lines.lines == [0, 11])
    }

    @Test func `works on any actor`() async {
        actor Owner {
            let dispatcher = Dispatcher()
            func run() async -> [Int] {
                let values = Log<Int>()
                dispatcher.subscribe(to: Loaded.self) { values.note((try? $0.result.get()) ?? -1) }
                await dispatcher.dispatch(Loaded.self) { [unowned self] in
                    await Task.yield()
                    return double(4)
                }.value
                return values.lines
            }
            func double(_ number: Int) -> Int { number * 2 }
        }
        #expect(await Owner().run() == [8])
    }
}
