import LoopCore
import LoopMigration
import Testing

/// The forms of a reducer, history, cost and isolation.
@MainActor @Suite struct SystemFormsTests {
    nonisolated static func inPlace(_ state: inout Int, _ event: Int) { state += event }
    nonisolated static func returning(_ state: Int, _ event: Int) -> Int { state + event }
    nonisolated static func describing(_ state: Int, _ event: Int) -> Next<Int> { .state(state + event) }

    nonisolated static func effecting(_ state: inout Int, _ event: Int) -> Effect<Int> {
        state += event
        return .none
    }

    @Test func `the four forms of a reducer give the same states`() {
        let systems = [
            System(initialState: 0, reducer: Self.inPlace), System(initialState: 0, reducer: Self.effecting),
            System(initialState: 0, returning: Self.returning), System(initialState: 0, next: Self.describing),
        ]
        for system in systems {
            for event in 1...4 { system.send(event) }
            #expect(system.state == 10)
        }
    }

    @Test func `closures of each form are accepted without annotations`() {
        let a = System<Int, Int>(initialState: 0) { state, event in state += event }
        let b = System<Int, Int>(initialState: 0, returning: { state, event in state + event })
        let c = System<Int, Int>(initialState: 0) { state, event in
            if event > 0 { state += event }
            return event == 4 ? .event(1) : .none
        }
        let d = System<Int, Int>(initialState: 0, next: { state, event in .state(state + event) })
        for system in [a, b, c, d] { system.send(4) }
        #expect([a, b, c, d].map(\.state) == [4, 4, 5, 4])
    }

    @Test func `a closure that only calls a function which returns an effect keeps the effect`() {
        func adding(_ state: inout Int, _ event: Int) -> Effect<Int> {
            state += event
            return event == 4 ? .event(1) : .none
        }
        let a = System<Int, Int>(initialState: 0) { state, event in adding(&state, event) }
        let b = System(initialState: 0, reducer: Reducer<Int, Int> { adding(&$0, $1) })
        for system in [a, b] { system.send(4) }
        #expect([a, b].map(\.state) == [5, 5])
    }

    @Test func `pure calls the bindings with the initial state before it returns and skips nil ones`() {
        var shown: [String] = []
        let system = System<Int, Int>.pure(
            initialState: 5, reducer: Self.describing, uiBindings: [{ shown.append("a\($0)") }, nil, { shown.append("b\($0)") }])
        #expect(shown == ["a5", "b5"])
        system.send(1)
        #expect(shown == ["a5", "b5", "a6", "b6"])
    }

    @Test(arguments: [(HistoryLimit.off, [Int]()), (.last(1), [10]), (.last(3), [3, 6, 10]), (.last(9), [0, 1, 3, 6, 10])])
    func `history keeps the last states, oldest first`(limit: HistoryLimit, expected: [Int]) {
        let system = System(initialState: 0, history: limit, reducer: Self.inPlace)
        for event in 1...4 { system.send(event) }
        #expect(system.history == expected)
    }

    @Test func `history stays bounded over many steps`() {
        let system = System(initialState: 0, history: .last(10), reducer: Self.inPlace)
        for _ in 0..<10_000 { system.send(1) }
        #expect(system.history == Array(9_991...10_000))
    }

    /// The address of an array's elements tells whether it was copied.
    private func address(_ array: [Int]) -> UInt { array.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }

    @Test func `a middleware that does not ask for the previous state causes no copy of it`() {
        let system = System<[Int], Int>(
            initialState: Array(repeating: 0, count: 10_000), reducer: { (state: inout [Int], event: Int) in state[0] = event })
        system.attach(Middleware { _ in }, Middleware(needs: .timing) { _ in })
        // The first change may copy: the initial value is still the caller's.
        system.send(1)
        let before = address(system.state)
        for event in 2...20 { system.send(event) }
        #expect(address(system.state) == before)
    }

    @Test func `a middleware that asks for the previous state gets it, and only while it is attached`() {
        let system = System(initialState: 0, reducer: Self.inPlace)
        var previous: [Int?] = []
        let asking = Middleware<Int, Int>(needs: .previousState) { previous.append($0.previousState) }
        system.attach(asking)
        system.send(1)
        system.send(1)
        #expect(previous == [nil, 0, 1])
        system.detach(asking).attach(Middleware { previous.append($0.previousState) })
        system.send(1)
        #expect(previous == [nil, 0, 1, nil, nil])
    }

    @Test func `the clock is read only for those who ask for timing`() {
        nonisolated final class Reads { var count: UInt64 = 0 }
        let reads = Reads()
        let boxed = UncheckedBox(reads)
        let clock = StepClock {
            boxed.value.count += 1
            return boxed.value.count * 100
        }
        let system = System(initialState: 0, clock: clock, reducer: Self.inPlace)
        system.attach(Middleware { _ in })
        system.send(1)
        #expect(reads.count == 0)
        var timings: [StepTiming?] = []
        let timed = Middleware<Int, Int>(needs: .timing) { timings.append($0.timing) }
        system.attach(timed).bind { _ in }
        system.send(1)
        #expect(reads.count == 5)
        #expect(timings == [nil, StepTiming(startedAt: 200, queueWait: 100, reduce: 100, bindings: 100, shownAt: 400)])
        system.detach(timed)
        system.send(1)
        #expect(reads.count == 5)
    }

    @Test func `a state that is not Sendable lives on any actor`() async {
        final class Model { var total = 0 }
        actor Counter {
            lazy var system = System<Model, Int>(
                initialState: Model(),
                reducer: { (state: inout Model, event: Int) in state.total += event })
            func add(_ number: Int) -> Int {
                system.send(number)
                return system.state.total
            }
        }
        let counter = Counter()
        #expect(await counter.add(4) == 4)
        #expect(await counter.add(5) == 9)
    }

    @Test func `a system can be a stored property's default value, with middleware attached`() {
        @MainActor final class Screen {
            var shown = 0
            let system = System(initialState: 0, reducer: SystemFormsTests.inPlace).attach(Middleware { _ in })
        }
        let screen = Screen()
        screen.system.send(2)
        #expect(screen.system.state == 2)
    }

    @Test func `reading the state inside the reducer is stopped with a clear message`() async {
        await #expect(processExitsWith: .failure) {
            await MainActor.run {
                final class Box { var read: () -> Void = {} }
                let box = Box()
                let system = System<Int, Int>(
                    initialState: 0,
                    reducer: { (state: inout Int, event: Int) in
                        box.read()
                        state += event
                    })
                box.read = { _ = system.state }
                system.send(1)
            }
        }
    }

    @Test func `a call from another isolation than the first is stopped`() async {
        await #expect(processExitsWith: .failure) {
            actor Home {
                func make() -> UncheckedBox<System<Int, Int>> {
                    let system = System<Int, Int>(initialState: 0, returning: SystemFormsTests.returning)
                    system.start()
                    return UncheckedBox(system)
                }
                func send(to box: UncheckedBox<System<Int, Int>>) { box.value.send(1) }
            }
            let (home, stranger) = (Home(), Home())
            await stranger.send(to: home.make())
            _ = home
        }
    }
}
