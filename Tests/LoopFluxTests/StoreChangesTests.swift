import LoopCore
import LoopFlux
import Testing

private struct State: Equatable {
    var count = 0
    var name: String?
    var task: AnyTask = .idle()
}

@MainActor @Suite struct StoreChangesTests {
    private let store = Store(State(), dispatcher: Dispatcher())
    let log = Log<String>()

    /// Mini tells the part at every change of the state.
    @Test func `a part is shown at once, and then only when it has changed`() {
        store.withStateChanges(in: \.count) { [log] in log.note("\($0)") }
        store.state.name = "mug"
        store.state.count = 1
        store.state.name = "cup"
        store.state.count = 2
        store.state.count = 1
        #expect(log.lines == ["0", "1", "2", "1"])
    }

    @Test func `an optional part is shown when it comes and when it goes`() {
        store.withStateChanges(in: \.name) { [log] in log.note($0 ?? "none") }
        store.state.count = 1
        store.state.name = "mug"
        store.state.name = nil
        #expect(log.lines == ["none", "mug", "none"])
    }

    @Test func `replaying shows no part again that did not change`() {
        store.withStateChanges(in: \.count) { [log] in log.note("\($0)") }
        store.replayOnce()
        #expect(log.lines == ["0"])
    }

    @Test func `a part is shown while its task stands completed`() {
        store.withStateChanges(in: \.count, that: \.task) { [log] in log.note("\($0)") }
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

    @Test func `select shows an optional part when it is there and differs from the last`() {
        store.select(\.name) { [log] in log.note($0) }
        store.state.name = "mug"
        store.state.count = 1
        store.state.name = nil
        store.state.name = "mug"
        store.state.name = "cup"
        #expect(log.lines == ["mug", "cup"])
    }

    @Test func `each observation remembers for itself what it showed last`() {
        store.withStateChanges(in: \.count) { [log] in log.note("a\($0)") }
        store.state.count = 1
        store.withStateChanges(in: \.count) { [log] in log.note("b\($0)") }
        store.state.count = 2
        #expect(log.lines == ["a0", "a1", "b1", "a2", "b2"])
    }

    @Test func `an observation of a part ends when it is disposed of`() {
        let observation = store.withStateChanges(in: \.count) { [log] in log.note("\($0)") }
        observation.dispose()
        store.state.count = 1
        #expect(log.lines == ["0"])
        #expect(store.observerCount == 0)
    }

    @Test func `changes come as sequences, too`() async {
        var counts = store.withStateChanges(in: \.count, .all).makeAsyncIterator()
        var names = store.select(\.name, .all).makeAsyncIterator()
        var completed = store.withStateChanges(in: \.count, that: \.task, .all).makeAsyncIterator()
        var successful = store.withStateChanges(in: \.name, that: \.task.isSuccessful, .all).makeAsyncIterator()
        store.state.name = "mug"
        store.state.count = 1
        store.state.task = .success()
        #expect(await counts.next() == 0)
        #expect(await counts.next() == 1)
        #expect(await names.next() == "mug")
        #expect(await completed.next() == 1)
        #expect(await successful.next() == "mug")
    }
}
