import LoopCore
import LoopFlux
import TestSupport
import Testing

private struct State: Equatable {
    var count = 0
    var name: String?
    var isOpen = false
}

@MainActor @Suite struct StoreSelectTests {
    private let store = Store(State(), dispatcher: Dispatcher())
    let log = Log<String>()

    @Test func `a part is shown at once, and then only when it has changed`() {
        store.select(\.count) { [log] in log.note("\($0)") }
        store.state.name = "mug"
        store.state.count = 1
        store.state.name = "cup"
        store.state.count = 2
        store.state.count = 1
        #expect(log.lines == ["0", "1", "2", "1"])
    }

    @Test func `an optional part is shown when it is there and differs from the last`() {
        store.select(\.name) { [log] in log.note($0) }
        store.state.name = "mug"
        store.state.count = 1
        store.state.name = nil
        store.state.name = "mug"
        store.state.name = "cup"
        #expect(log.lines == ["mug", "cup"])
    }

    @Test func `a part is shown while a condition holds`() {
        store.select({ $0.isOpen ? $0.count : nil }) { [log] in log.note("\($0)") }
        store.state.count = 1
        store.state.isOpen = true
        store.state.count = 2
        store.state.isOpen = false
        store.state.count = 3
        #expect(log.lines == ["1", "2"])
    }

    @Test func `each observation remembers for itself what it showed last`() {
        store.select(\.count) { [log] in log.note("a\($0)") }
        store.state.count = 1
        store.select(\.count) { [log] in log.note("b\($0)") }
        store.state.count = 2
        #expect(log.lines == ["a0", "a1", "b1", "a2", "b2"])
    }

    @Test func `a cancelled observation of a part shows nothing more`() {
        let observation = store.select(\.count) { [log] in log.note("\($0)") }
        observation.cancel()
        store.state.count = 1
        #expect(log.lines == ["0"])
        #expect(store.observers.bindingCount == 0)
    }

    @Test func `parts come as sequences, too`() async {
        var counts = store.select(\.count, .all).makeAsyncIterator()
        var names = store.select(\.name, .all).makeAsyncIterator()
        store.state.name = "mug"
        store.state.count = 1
        #expect(await counts.next() == 0)
        #expect(await counts.next() == 1)
        #expect(await names.next() == "mug")
    }

    @Test func `a sequence of a part that comes and goes has only the values that are there`() async {
        var even = store.select({ $0.count.isMultiple(of: 2) ? $0.count : nil }, .all).makeAsyncIterator()
        for count in 1...4 { store.state.count = count }
        #expect(await even.next() == 0)
        #expect(await even.next() == 2)
        #expect(await even.next() == 4)
    }
}
