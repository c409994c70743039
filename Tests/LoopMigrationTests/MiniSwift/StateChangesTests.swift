import LoopCore
import LoopFlux
import LoopMigration
import TestSupport
import Testing

private struct State: Equatable {
    var count = 0
    var name: String?
    var task: AnyTask = .idle()
}

@MainActor @Suite struct StateChangesTests {
    private let store = Store(State(), dispatcher: Dispatcher())
    let log = Log<String>()

    /// Mini shows the part at every change of the state.
    @Test func `a part is shown at once, and then only when it has changed`() {
        store.withStateChanges(in: \.count) { [log] in log.note("\($0)") }
        store.state.name = "mug"
        store.state.count = 1
        store.replayOnce()
        #expect(log.lines == ["0", "1"])
    }

    @Test func `an optional part is shown when it comes and when it goes`() {
        store.withStateChanges(in: \.name) { [log] in log.note($0 ?? "none") }
        store.state.count = 1
        store.state.name = "mug"
        store.state.name = nil
        #expect(log.lines == ["none", "mug", "none"])
    }

    @Test func `a part is shown while its task is completed`() {
        store.withStateChanges(in: \.count, that: \.task.isCompleted) { [log] in log.note("\($0)") }
        store.state.count = 1
        store.state.task = .running()
        store.state.count = 2
        #expect(log.lines.isEmpty)
        store.state.task = .success()
        store.state.count = 3
        store.state.name = "mug"
        store.state.task = .running()
        store.state.count = 4
        store.state.task = .failure(Fault.dummy)
        #expect(log.lines == ["2", "3", "4"])
    }

    @Test func `a part is shown while a condition holds`() {
        store.withStateChanges(in: \.name, that: \.task.isSuccessful) { [log] in log.note($0 ?? "none") }
        store.state.name = "mug"
        store.state.task = .failure(Fault.dummy)
        #expect(log.lines.isEmpty)
        store.state.task = .success()
        #expect(log.lines == ["mug"])
    }

    @Test func `replaying shows the state once more though it did not change, and makes no step`() {
        let numbers = Log<Int>()
        store.attach(Middleware { numbers.note($0.number) })
        store.observe { [log] in log.note("\($0.count)") }
        store.replayOnce()
        #expect(log.lines == ["0", "0"])
        #expect(numbers.lines == [0])
    }
}
