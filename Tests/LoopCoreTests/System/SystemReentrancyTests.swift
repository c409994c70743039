import LoopCore
import TestSupport
import Testing

/// The contract under odd calls: stopping, attaching and sending from every place that the loop calls.
@MainActor @Suite struct SystemReentrancyTests {
    /// Lets a reducer reach the system it belongs to.
    private final class Box { var call: () -> Void = {} }

    @Test func `work described by a reducer that stopped its system never runs, and its step ends as cancelled`() async {
        var ran = false
        let box = Box()
        let system = System<Int, Int>(
            initialState: 0,
            next: { (_: Int, _: Int) -> Next<Int> in
                box.call()
                return .run {
                    ran = true
                    return 1
                }.stateWhenLoading(-1)
            })
        var log: [String] = []
        system.attach(Middleware { log.append($0.summary) })
        box.call = { [unowned system] in system.stop() }
        system.send(1)
        for _ in 0..<10 { await Task.yield() }
        #expect(!ran)
        #expect(system.state == 0)
        #expect(log == ["0 initial 0 finished", "1 settled 0 cancelled"])
    }

    @Test func `stopping while the loading state is shown tells the end after the loading step, to everybody`() async {
        for stopsInBinding in [true, false] {
            let system = System<Int, Int>(
                initialState: 0, next: { (_: Int, _: Int) -> Next<Int> in .run { 1 }.stateWhenLoading(-1) })
            var log: [String] = []
            if stopsInBinding { system.bind { [unowned system] in if $0 == -1 { system.stop() } } }
            system.attach(
                Middleware { [unowned system] in
                    log.append("a enters \($0.summary)")
                    if $0.phase == .loading, !stopsInBinding { system.stop() }
                    log.append("a leaves")
                },
                Middleware { log.append("b " + $0.summary) })
            log = []
            system.send(1)
            #expect(
                log == [
                    "a enters 1 loading -1 -", "a leaves", "b 1 loading -1 -",
                    "a enters 1 settled -1 cancelled", "a leaves", "b 1 settled -1 cancelled",
                ])
        }
    }

    @Test func `stopping from a newcomer's first state tells the end of the work after the newcomer returned`() async {
        let system = System<Int, Int>(
            initialState: 0,
            next: { (_: Int, _: Int) -> Next<Int> in .run { try await forever() } })
        system.send(1)
        var log: [String] = []
        system.attach(
            Middleware { [unowned system] in
                log.append("enters \($0.summary)")
                if $0.phase == .initial { system.stop() }
                log.append("leaves")
            })
        #expect(log == ["enters 1 initial 0 finished", "leaves", "enters 1 settled 0 cancelled", "leaves"])
    }

    @Test func `the time of the work does not contain the showing of the loading state`() async {
        nonisolated final class Time { var now: UInt64 = 0 }
        let time = Time()
        let boxed = UncheckedBox(time)
        let system = System<Int, Int>(
            initialState: 0, clock: StepClock { boxed.value.now },
            next: { (_: Int, _: Int) -> Next<Int> in
                .run {
                    boxed.value.now += 7
                    return 1
                }.stateWhenLoading(-1)
            })
        system.bind { if $0 == -1 { boxed.value.now += 1_000 } }
        var effects: [UInt64] = []
        system.attach(Middleware(needs: .timing) { if let effect = $0.timing?.effect { effects.append(effect) } })
        system.send(1)
        await system.settled()
        #expect(effects == [7])
    }

    @Test func `who asks for the previous state while work runs finds it in the settled step`() async {
        let system = System<Int, Int>(
            initialState: 0, next: { (_: Int, _: Int) -> Next<Int> in .run { 1 }.stateWhenLoading(-1) })
        var previous: [Int?] = []
        system.send(1)
        system.attach(Middleware(needs: .previousState) { previous.append($0.previousState) })
        await system.settled()
        #expect(previous == [nil, -1])
    }

    @Test func `an inbox reads no clock while nobody asks for timing`() async {
        let ticks = Counter()
        let clock = StepClock { ticks.next() }
        let system = System<Int, Int>(initialState: 0, clock: clock) { (state: inout Int, event: Int) in state += event }
        let inbox = system.inbox()
        inbox.send(1)
        await system.settled()
        #expect(ticks.next() == 1)
        var waits: [UInt64?] = []
        let timed = Middleware<Int, Int>(needs: .timing) { waits.append($0.timing?.queueWait) }
        system.attach(timed)
        inbox.send(1)
        await system.settled()
        #expect(waits == [nil, 1])
        let before = ticks.next()
        system.detach(timed)
        inbox.send(1)
        await system.settled()
        #expect(ticks.next() == before + 1)
    }

    @Test func `an event sent to the system does not overtake what the same sender put into the inbox before`() async {
        let system = System<[Int], Int>(initialState: [], reducer: { (state: inout [Int], event: Int) in state.append(event) })
        let inbox = system.inbox()
        inbox.send(1)
        system.send(2)
        inbox.send(3)
        #expect(system.state == [1, 2])
        await system.settled()
        #expect(system.state == [1, 2, 3])
    }

    @Test func `waiting for a system to settle ends when the waiting task is cancelled`() async {
        let system = System<Int, Int>(
            initialState: 0,
            next: { (_: Int, _: Int) -> Next<Int> in .run { try await forever() } })
        system.send(1)
        let waiter = Task { @MainActor in await system.settled() }
        let other = Task { @MainActor in await system.settled() }
        for _ in 0..<5 { await Task.yield() }
        waiter.cancel()
        await waiter.value
        #expect(!system.isSettled)
        system.stop()
        await other.value
    }

    @Test func `two tasks that wait at copies of one iterator each get a state`() async {
        let system = System<Int, Int>(initialState: 0, reducer: { (state: inout Int, event: Int) in state += event })
        var first = system.states(.all).makeAsyncIterator()
        var second = first
        #expect(await first.next() == 0)
        let one = Task { @MainActor in await first.next() }
        let two = Task { @MainActor in await second.next() }
        for _ in 0..<10 { await Task.yield() }
        system.send(1)
        system.send(1)
        let seen = [await one.value, await two.value].compactMap { $0 }
        #expect(seen.sorted() == [1, 2])
    }
}
