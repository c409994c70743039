import LoopCore
import LoopFlux
import TestSupport
import Testing

@MainActor @Suite struct StoreStatesTests {
    let store = Store(0, dispatcher: Dispatcher())

    @Test func `states begin with the current one`() async {
        store.state = 1
        var iterator = store.states(.all).makeAsyncIterator()
        store.state = 2
        store.state = 2
        store.state = 3
        #expect(await iterator.next() == 1)
        #expect(await iterator.next() == 2)
        #expect(await iterator.next() == 3)
    }

    @Test func `a slow reader of the latest states skips what it missed`() async {
        var iterator = store.states.makeAsyncIterator()
        for state in 1...9 { store.state = state }
        #expect(await iterator.next() == 9)
    }

    @Test func `reading does not keep the store alive, and ends with it`() async {
        var store: Store<Int, Void>? = Store(0, dispatcher: Dispatcher())
        let gone = Weak(store)
        var iterator = store!.states(.all).makeAsyncIterator()
        store?.state = 1
        store = nil
        #expect(gone.object == nil)
        #expect(await iterator.next() == 0)
        #expect(await iterator.next() == 1)
        #expect(await iterator.next() == nil)
    }

    @Test func `a store that is gone has no states`() async {
        var store: Store<Int, Void>? = Store(0, dispatcher: Dispatcher())
        let states = store!.states
        store = nil
        var iterator = states.makeAsyncIterator()
        #expect(await iterator.next() == nil)
    }

    @Test func `a reader that goes leaves nothing behind`() async {
        do {
            var iterator = store.states.makeAsyncIterator()
            #expect(await iterator.next() == 0)
            #expect(store.observers.bindingCount == 1)
        }
        #expect(store.observers.bindingCount == 0)
    }

    @Test func `a waiting reader is woken by the next state`() async {
        let reader = Task { @MainActor [store] in
            var seen: [Int] = []
            for await state in store.states(.all) {
                seen.append(state)
                if state == 2 { break }
            }
            return seen
        }
        for _ in 0..<5 { await Task.yield() }
        store.state = 1
        for _ in 0..<5 { await Task.yield() }
        store.state = 2
        #expect(await reader.value == [0, 1, 2])
    }
}
