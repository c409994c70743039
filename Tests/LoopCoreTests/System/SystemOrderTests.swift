import LoopCore
import TestSupport
import Testing

/// Order, nesting, and what a late observer sees.
@MainActor @Suite struct SystemOrderTests {
    /// How many events a test sends in one chain or one step; more at night.
    private static let many = isNight ? 1_000_000 : 100_000

    private func append(_ state: inout [Int], _ event: Int) { state.append(event) }

    private func makeSystem() -> System<[Int], Int> { System(initialState: [], reducer: append) }

    @Test func `events are reduced in the order they were sent, numbered without holes`() {
        let system = makeSystem()
        var numbers: [Int] = []
        system.attach(Middleware { numbers.append($0.number) })
        for event in 1...100 { system.send(event) }
        #expect(system.state == Array(1...100))
        #expect(numbers == Array(0...100))
        #expect(system.eventNumber == 100)
    }

    @Test func `an event is reduced before send returns when nothing is under way`() {
        let system = makeSystem()
        system.send(7)
        #expect(system.state == [7])
    }

    @Test func `an event sent from a binding waits for the step and runs before the outer send returns`() {
        let system = makeSystem()
        var log: [String] = []
        system.bind { [unowned system] state in
            log.append("enter \(state)")
            if state == [1] {
                system.send(2)
                system.send(3)
            }
            log.append("exit \(state)")
        }
        system.attach(Middleware { log.append("middleware \($0.number)") })
        system.send(1)
        #expect(
            log == [
                "enter []", "exit []", "middleware 0", "enter [1]", "exit [1]", "middleware 1", "enter [1, 2]", "exit [1, 2]",
                "middleware 2", "enter [1, 2, 3]", "exit [1, 2, 3]", "middleware 3",
            ])
    }

    @Test func `an event sent from a middleware waits for the other middleware`() {
        let system = makeSystem()
        var log: [String] = []
        system.attach(
            Middleware { [unowned system] step in
                log.append("a\(step.number)")
                if step.number == 1 { system.send(2) }
            },
            Middleware { log.append("b\($0.number)") })
        system.send(1)
        #expect(log == ["a0", "b0", "a1", "b1", "a2", "b2"])
    }

    @Test func `an event sent from a reducer waits for the reducer to end`() {
        final class Box { var send: (Int) -> Void = { _ in } }
        let box = Box()
        let system = System<[Int], Int>(
            initialState: [],
            reducer: { (state: inout [Int], event: Int) in
                if event == 1 { box.send(2) }
                state.append(event)
            })
        box.send = { [unowned system] in system.send($0) }
        system.send(1)
        #expect(system.state == [1, 2])
    }

    @Test func `an event sent while a newcomer sees its first state is reduced after it returned, and before bind does`() {
        let system = makeSystem()
        var log: [String] = []
        system.bind { [unowned system] state in
            log.append("enter \(state)")
            if state.isEmpty { system.send(1) }
            log.append("exit \(state)")
        }
        log.append("bound")
        #expect(log == ["enter []", "exit []", "enter [1]", "exit [1]", "bound"])
    }

    @Test func `any number of events sent from inside one step needs no more stack, and they keep their order`() {
        var sum = 0
        let system = System<Int, Int>(initialState: 0, reducer: { (state: inout Int, event: Int) in state = event })
        var isOrdered = true
        system.bind { [unowned system] state in
            if state == 1 { for event in 2...Self.many { system.send(event) } }
            if state > 0 {
                isOrdered = isOrdered && state == sum + 1
                sum = state
            }
        }
        system.send(1)
        #expect(isOrdered)
        #expect(system.eventNumber == Self.many)
    }

    @Test func `a chain of any number of events, each sent by the step before, needs no more stack`() {
        let system = System<Int, Int>(initialState: 0, reducer: { (state: inout Int, event: Int) in state = event })
        system.bind { [unowned system] in if $0 > 0 && $0 < Self.many { system.send($0 + 1) } }
        system.send(1)
        #expect(system.state == Self.many)
    }

    @Test func `within a step the state is set, then bindings in order, then middleware`() {
        let system = makeSystem()
        var log: [String] = []
        system.attach(Middleware { [unowned system] in log.append("middleware \($0.state) \(system.state)") })
        system.bind { [unowned system] in log.append("first \($0) \(system.state)") }
        system.bind { [unowned system] in log.append("second \($0) \(system.state)") }
        log = []
        system.send(1)
        #expect(log == ["first [1] [1]", "second [1] [1]", "middleware [1] [1]"])
    }

    @Test func `the initial state reaches bindings and middleware when they are attached`() {
        let system = makeSystem()
        var bound: [[Int]] = []
        var steps: [Step<[Int], Int>] = []
        system.bind { bound.append($0) }.attach(Middleware { steps.append($0) })
        #expect(bound == [[]])
        #expect(steps.count == 1)
        #expect(steps[0].phase == .initial && steps[0].event == nil && steps[0].number == 0)
    }

    @Test func `who attaches later gets the current state once with the number of the last step`() {
        let system = makeSystem()
        system.send(1)
        system.send(2)
        var steps: [Step<[Int], Int>] = []
        system.attach(Middleware { steps.append($0) })
        #expect(steps.map(\.number) == [2])
        #expect(steps[0].phase == .initial && steps[0].state == [1, 2])
        system.send(3)
        #expect(steps.map(\.number) == [2, 3])
        #expect(steps[1].phase == .settled && steps[1].event == 3)
    }

    @Test func `who attaches from inside a step sees that step's state once`() {
        let system = makeSystem()
        var late: [Int] = []
        let newcomer = Middleware<[Int], Int> { late.append($0.number) }
        system.bind { [unowned system] in if $0 == [1] { system.attach(newcomer) } }
        system.send(1)
        system.send(2)
        #expect(late == [1, 2])
    }

    @Test func `a detached middleware is not called again, not even in the step under way`() {
        let system = makeSystem()
        var seen: [Int] = []
        let second = Middleware<[Int], Int> { seen.append($0.number) }
        system.attach(Middleware { [unowned system] in if $0.number == 2 { system.detach(second) } }, second)
        for event in 1...3 { system.send(event) }
        #expect(seen == [0, 1])
    }

    @Test func `detaching leaves the others, and what is not attached may be detached`() {
        let system = makeSystem()
        var seen: [String] = []
        let a = Middleware<[Int], Int> { seen.append("a\($0.number)") }
        let b = Middleware<[Int], Int> { seen.append("b\($0.number)") }
        system.attach(a, b).detach(a).detach(a)
        system.send(1)
        #expect(seen == ["a0", "b0", "b1"])
    }

    @Test func `a step tells where its event was sent`() throws {
        let system = makeSystem()
        var origins: [SendOrigin] = []
        system.attach(Middleware { if let origin = $0.origin { origins.append(origin) } })
        system.send(1)
        let line = UInt(#line - 1)
        let origin = try #require(origins.first)
        #expect(origin.line == line)
        #expect(origin.description == "LoopCoreTests/SystemOrderTests.swift:\(line)")
    }
}
