import LoopCore
import LoopFlux
import Testing

private struct Loaded: CompletableAction {
    typealias Payload = Int
    let promise: Promise<Int>
}
private struct Done: EmptyAction { let promise: Promise<Void> }
private struct KeyLoaded: KeyedCompletableAction {
    typealias Payload = Int
    typealias Key = String
    let promise: [String: Promise<Int>]
}
private struct TaskLoaded: CompletableTaskAction {
    typealias Payload = Int
    let task: AnyTask
    let payload: Int?
}
private struct KeyTaskLoaded: KeyedCompletableTaskAction {
    typealias Payload = Int
    typealias Key = String
    let task: AnyTask
    let payload: Int?
    let key: String
}

@MainActor @Suite struct DispatcherWorkTests {
    let time = ManualClock()
    let dispatcher: Dispatcher
    let log = Log<any Action>()

    init() {
        dispatcher = Dispatcher(clock: time.clock)
        dispatcher.register(Service { [log] in log.note($0.action) })
    }

    private func last<Told: Action>(_ type: Told.Type) -> Told? { log.lines.last as? Told }

    @Test func `the payload of the work is told, and the returned task ends after that`() async {
        await dispatcher.dispatch(Loaded.self) { 1 }.value
        #expect(last(Loaded.self)?.promise == .value(1))
        await dispatcher.dispatch(Done.self) {}.value
        #expect(last(Done.self)?.promise == .empty())
        await dispatcher.dispatch(KeyLoaded.self, key: "a") { 2 }.value
        #expect(last(KeyLoaded.self)?.promise == ["a": .value(2)])
        #expect(log.lines.count == 3)
    }

    @Test func `the error of the work is told`() async {
        await dispatcher.dispatch(Loaded.self) { throw Fault.dummy }.value
        #expect(last(Loaded.self)?.promise == .error(Fault.dummy))
        await dispatcher.dispatch(KeyTaskLoaded.self, key: "a") { throw Fault.dummy }.value
        #expect(last(KeyTaskLoaded.self)?.task == .failure(Fault.dummy))
        #expect(last(KeyTaskLoaded.self)?.payload == nil)
    }

    @Test func `a payload takes the place of the error where one is given`() async {
        await dispatcher.dispatch(Loaded.self, fillOnError: 9) { throw Fault.dummy }.value
        #expect(last(Loaded.self)?.promise == .value(9))
        await dispatcher.dispatch(KeyTaskLoaded.self, key: "a", fillOnError: 9) { throw Fault.dummy }.value
        #expect(last(KeyTaskLoaded.self)?.task.isSuccessful == true)
        #expect(last(KeyTaskLoaded.self)?.payload == 9)
        await dispatcher.dispatch(Loaded.self, fillOnError: 9) { 1 }.value
        #expect(last(Loaded.self)?.promise == .value(1))
    }

    @Test func `a success counts as recent for as long as is said`() async {
        await dispatcher.dispatch(TaskLoaded.self, expiration: .short) { 1 }.value
        await dispatcher.dispatch(KeyTaskLoaded.self, key: "a", expiration: .custom(.seconds(2))) { 1 }.value
        await dispatcher.dispatch(TaskLoaded.self) { 1 }.value
        let tasks = [
            (log.lines[0] as? TaskLoaded)?.task, (log.lines[1] as? KeyTaskLoaded)?.task, (log.lines[2] as? TaskLoaded)?.task,
        ]
        #expect(tasks.map { $0?.isRecentlySucceeded } == [true, true, false])
        time.advance(by: .seconds(2))
        #expect(tasks.map { $0?.isRecentlySucceeded } == [true, false, false])
        time.advance(by: .seconds(58))
        #expect(tasks.map { $0?.isRecentlySucceeded } == [false, false, false])
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

    @Test func `work that throws a cancellation of its own is told like any error`() async {
        await dispatcher.dispatch(Loaded.self) { throw CancellationError() }.value
        #expect(last(Loaded.self)?.promise.error is CancellationError)
    }

    @Test func `works of one dispatcher run side by side, and are told as they end`() async {
        let gate = Gate()
        let slow = dispatcher.dispatch(KeyLoaded.self, key: "slow") {
            await gate.pass()
            return 1
        }
        await dispatcher.dispatch(KeyLoaded.self, key: "fast") { 2 }.value
        gate.open()
        await slow.value
        #expect(log.lines.compactMap { ($0 as? KeyLoaded)?.promise.keys.first } == ["fast", "slow"])
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
        gate.open()
        await task.value
    }

    @Test func `the action says where the work was started`() async {
        let lines = Log<UInt>()
        dispatcher.register(Service { lines.note($0.origin.line) })
        await dispatcher.dispatch(Loaded.self, line: 11) { 1 }.value
        #expect(lines.lines == [11])
    }

    @Test func `works on any actor`() async {
        actor Owner {
            let dispatcher = Dispatcher()
            func run() async -> [Int] {
                let values = Log<Int>()
                dispatcher.subscribe(to: Loaded.self) { values.note($0.promise.value ?? -1) }
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
