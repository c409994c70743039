import LoopCore
import LoopMigration
import Testing

/// A clock that goes on by one at each reading. Only used on the main actor.
private final class Ticks: @unchecked Sendable {
    private var count: UInt64 = 0

    func next() -> UInt64 {
        count += 1
        return count
    }
}

/// Middleware on loops of another make, each driven by a minimal loop of that shape.
@MainActor @Suite struct MiddlewareCallbackTests {
    private final class Seen { var steps: [Step<Int, String>] = [] }

    private func recorder(_ needs: MiddlewareNeeds = []) -> (Middleware<Int, String>, Seen) {
        let seen = Seen()
        return (Middleware(needs: needs) { seen.steps.append($0) }, seen)
    }

    /// A system with the hook that PromisedArchitectureKit and ArchitectureKit have.
    private final class LoopCallbackSystem {
        private var callback: ((Int, [Int]) -> Void)?
        private var past: [Int] = []
        func addLoopCallback(_ callback: @escaping (Int, [Int]) -> Void) { self.callback = callback }
        func move(to state: Int) {
            past.append(state)
            callback?(state, past)
        }
    }

    @Test func `a loop callback with history makes steps`() {
        let (middleware, seen) = recorder()
        let system = LoopCallbackSystem()
        system.addLoopCallback(middleware.loopCallback())
        system.move(to: 4)
        system.move(to: 5)
        #expect(seen.steps.map(\.state) == [4, 5])
        #expect(seen.steps.map(\.number) == [1, 2])
        #expect(seen.steps.allSatisfy { $0.event == nil && $0.phase == .settled })
    }

    @Test func `a callback that is given the initial state tells it at once`() {
        let (middleware, seen) = recorder()
        let tell = middleware.stateCallback(initialState: 0)
        tell(1)
        #expect(seen.steps.map(\.phase) == [.initial, .settled])
        #expect(seen.steps.map(\.number) == [0, 1])
    }

    @Test func `previous states are kept for a callback that only tells states, if asked for`() {
        let (middleware, seen) = recorder(.previousState)
        let tell = middleware.stateCallback(initialState: 0)
        tell(1)
        tell(2)
        #expect(seen.steps.map(\.previousState) == [nil, 0, 1])
        let (idle, unseen) = recorder()
        idle.stateCallback()(1)
        #expect(unseen.steps.map(\.previousState) == [nil])
    }

    @Test func `an observer of event and both states makes whole steps`() {
        let (middleware, seen) = recorder(.previousState)
        let observe = middleware.observer()
        observe("up", 0, 1)
        observe("down", 1, 0)
        #expect(seen.steps.map(\.event) == ["up", "down"])
        #expect(seen.steps.map(\.previousState) == [0, 1])
        #expect(seen.steps.map(\.state) == [1, 0])
    }

    @Test func `a wrapped reducer does what it did and is timed if asked for`() {
        let (middleware, seen) = recorder(.timing)
        let ticks = Ticks()
        let reduce = middleware.wrapping(
            { (state: Int, event: String) in state + event.count }, clock: StepClock { ticks.next() * 10 })
        #expect(reduce(1, "abc") == 4)
        #expect(seen.steps.map(\.event) == ["abc"])
        #expect(seen.steps[0].timing?.reduce == 10)
    }

    @Test func `a wrapped in-place reducer does what it did, and keeps the state before only if asked`() {
        let (asking, seen) = recorder(.previousState)
        let (idle, unseen) = recorder()
        var state = 1
        asking.wrapping { (state: inout Int, event: String) in state += event.count }(&state, "ab")
        idle.wrapping { (state: inout Int, event: String) in state += event.count }(&state, "ab")
        #expect(state == 5)
        #expect(seen.steps[0].previousState == 1)
        #expect(unseen.steps[0].previousState == nil)
    }

    @Test func `a wrapped in-place reducer copies no large state for an idle middleware`() {
        let middleware = Middleware<[Int], Int> { _ in }
        let reduce = middleware.wrapping { (state: inout [Int], event: Int) in state[0] = event }
        var state = Array(repeating: 0, count: 10_000)
        func address() -> UInt { state.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
        let before = address()
        for event in 0..<20 { reduce(&state, event) }
        #expect(address() == before)
    }

    @Test func `an event is told before its work, under the number of its step, whatever the reducer's kind`() {
        var told: [String] = []
        let middleware = Middleware<Int, String>(needs: .effects) { _ in
            .init(
                step: { told.append("step \($0.number)") },
                taken: { number, event, _, _ in told.append("\(event) \(number)") })
        }
        func work(_ state: Int, _ event: String) -> Int {
            told.append("work")
            return state + event.count
        }
        var state = 0
        _ = middleware.wrapping(work)(0, "pure")
        middleware.wrapping { (state: inout Int, event: String) in state = work(state, event) }(&state, "inPlace")
        _ = middleware.wrapping(eventFirst: { event, state in work(state ?? 0, event) })("first", 0)
        middleware.chained()({ _ in }, { state })({ state = work(state, $0) })("chained")
        _ = middleware.wrapping(work, loading: { _ in nil }) { $1(.success($0)) }(0, "later")
        let kinds = ["pure", "inPlace", "first", "chained", "later"]
        #expect(told == kinds.flatMap { ["\($0) 1", "work", "step 1"] })
    }

    @Test func `of works that overlap, each event is told when it begins, and its step when it ends`() {
        var told: [String] = []
        var settling: [(Result<Int, any Error>) -> Void] = []
        let middleware = Middleware<Int, String>(needs: .effects) { _ in
            .init(
                step: { told.append("step \($0.number) \($0.state)") },
                taken: { number, event, _, _ in told.append("\(event) \(number)") })
        }
        let reduce = middleware.wrapping({ (state: Int, _: String) in state }, loading: { _ in nil }) { settling.append($1) }
        _ = (reduce(0, "slow"), reduce(0, "quick"))
        settling[1](.success(2))
        settling[0](.success(1))
        #expect(told == ["slow 1", "quick 2", "step 2 2", "step 1 1"])
    }

    @Test func `each callback numbers its own steps`() {
        let (middleware, seen) = recorder()
        let (one, two) = (middleware.stateCallback(), middleware.stateCallback())
        one(1)
        two(2)
        one(3)
        #expect(seen.steps.map(\.number) == [1, 1, 2])
    }
}
