import LoopCore
import TestSupport
import Testing

@MainActor @Suite struct StatesTests {
    private func makeSystem() -> System<Int, Int> {
        System(initialState: 0, reducer: { (state: inout Int, event: Int) in state += event })
    }

    @Test func `states begin with the current one and end with the system`() async {
        let system = makeSystem()
        system.send(1)
        let states = system.states(.all)
        var iterator = states.makeAsyncIterator()
        system.send(1)
        system.send(1)
        system.stop()
        var seen: [Int] = []
        while let state = await iterator.next() { seen.append(state) }
        #expect(seen == [1, 2, 3])
    }

    @Test func `a slow reader of the latest states skips what it missed`() async {
        let system = makeSystem()
        var iterator = system.states.makeAsyncIterator()
        for _ in 0..<100 { system.send(1) }
        #expect(await iterator.next() == 100)
        system.send(1)
        #expect(await iterator.next() == 101)
    }

    @Test func `a reader that waits is woken by the next state`() async {
        let system = makeSystem()
        let reader = Task { @MainActor in
            var seen: [Int] = []
            for await state in system.states(.all) {
                seen.append(state)
                if seen.count == 3 { break }
            }
            return seen
        }
        for _ in 0..<5 { await Task.yield() }
        system.send(5)
        for _ in 0..<5 { await Task.yield() }
        system.send(6)
        #expect(await reader.value == [0, 5, 11])
    }

    @Test func `a reader whose task is cancelled ends`() async {
        let system = makeSystem()
        let reader = Task { @MainActor in
            var count = 0
            for await _ in system.states { count += 1 }
            return count
        }
        for _ in 0..<5 { await Task.yield() }
        reader.cancel()
        #expect(await reader.value == 1)
    }

    /// At a quadratic cost this would take a minute.
    @Test func `many readers and waiting tasks that are cancelled leave at once and nothing behind`() async {
        let system = makeSystem()
        let gate = Gate()
        let busy = System<Int, Int>(
            initialState: 0,
            feedbacks: [
                .while({ $0 == 0 }) { _ in
                    .run {
                        await gate.pass()
                        return 1
                    }
                }
            ],
            reducer: { $0 += $1 })
        busy.start()
        let readers = (0..<10_000).map { _ in Task { @MainActor in for await _ in system.states {} } }
        let waiting = (0..<10_000).map { _ in Task { @MainActor in await busy.settled() } }
        for _ in 0..<5 { await Task.yield() }
        for task in readers + waiting { task.cancel() }
        for task in readers + waiting { await task.value }
        #expect(system.observers.bindingCount == 0 && busy.waiters.isEmpty)
        gate.open()
        await busy.settled()
        #expect(busy.state == 1)
    }

    @Test func `bindings that are removed are neither called nor counted, however many stay`() {
        let system = makeSystem()
        var shown = 0
        let bindings = (0..<100).map { _ in system.scope.bind { _ in shown += 1 } }
        for binding in bindings.dropFirst(70) { binding.remove() }
        shown = 0
        system.send(1)
        #expect(shown == 70 && system.observers.bindingCount == 70)
    }

    @Test func `reading states does not keep the system alive, and ends when it goes`() async {
        var system: System<Int, Int>? = makeSystem()
        var iterator = system!.states.makeAsyncIterator()
        #expect(await iterator.next() == 0)
        let gone = Weak(system)
        system = nil
        #expect(gone.object == nil)
        #expect(await iterator.next() == nil)
    }

    @Test func `each iteration has a buffer of its own`() async {
        let system = makeSystem()
        let states = system.states(.all)
        var one = states.makeAsyncIterator()
        system.send(1)
        var two = states.makeAsyncIterator()
        #expect(await one.next() == 0)
        #expect(await two.next() == 1)
        #expect(await one.next() == 1)
    }
}
