import LoopCore
import LoopMigration
import LoopTesting
import Testing

/// Stores as the Composable Architecture has them: a reducer that changes the state in place and returns effects.
@MainActor @Suite struct ComposableShapeTests {
    private struct Effect { var action: CountEvent? }

    private struct Feature {
        func reduce(into state: inout Count, action: CountEvent) -> Effect {
            state.apply(action)
            return Effect(action: action == .nothing ? .up : nil)
        }
    }

    private final class Store {
        private(set) var state: Count
        private let reduce: (inout Count, CountEvent) -> Effect

        init(initialState: Count, reducer: () -> (inout Count, CountEvent) -> Effect) {
            state = initialState
            reduce = reducer()
        }

        func send(_ action: CountEvent) {
            if let next = reduce(&state, action).action { send(next) }
        }
    }

    private typealias Recorder = StepRecorder<Count, CountEvent>

    @Test func `a wrapped reducer does what it did, and actions of effects are seen too`() {
        let recorder = Recorder(needs: .previousState)
        let store = Store(initialState: Count(number: 2)) {
            recorder.middleware.wrapping(returningEffects: Feature().reduce(into:action:), initialState: Count(number: 2))
        }
        store.send(.nothing)
        store.send(.down(by: 3))
        #expect(store.state == Count(number: 0))
        #expect(recorder.events == [.nothing, .up, .down(by: 3)])
        #expect(recorder.counts == [2, 2, 3, 0])
        #expect(recorder.previousCounts == [nil, 2, 2, 3])
        #expect(recorder.places == [0, 1, 2, 3])
        #expect(recorder.phases == [.initial, .settled, .settled, .settled])
    }

    @Test func `a reducer is timed by the clock it is handed, but only for a middleware that asks`() {
        let time = ManualClock()
        let (timed, plain) = (Recorder(needs: .timing), Recorder(needs: []))
        let slow = { (state: inout Count, action: CountEvent) -> Effect in
            time.advance(by: .milliseconds(1))
            return Feature().reduce(into: &state, action: action)
        }
        let reduce = timed.middleware.wrapping(
            returningEffects: plain.middleware.wrapping(returningEffects: slow, clock: time.clock), clock: time.clock)
        var state = Count()
        #expect(reduce(&state, .nothing).action == .up)
        #expect(timed.steps.last?.timing?.reduce == 1_000_000)
        #expect(plain.steps.last?.timing == nil)
        #expect(timed.steps.last?.previousState == nil)
    }

    @Test(arguments: [false, true])
    func `a large state is copied only for a middleware that asks for the previous one`(asks: Bool) {
        let middleware = Middleware<[Int], Int>(needs: asks ? .previousState : []) { _ in }
        let reduce = middleware.wrapping(returningEffects: { (state: inout [Int], event: Int) -> Effect in
            state[0] = event
            return Effect()
        })
        var state = Array(repeating: 0, count: 10_000)
        func address() -> UInt { state.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
        let before = address()
        _ = reduce(&state, 1)
        #expect((address() == before) == !asks)
    }

    @Test func `several middlewares wrap one another and see the same`() {
        let recorders = (0..<3).map { _ in Recorder() }
        let store = Store(initialState: Count()) {
            recorders.reduce(Feature().reduce(into:action:)) { $1.middleware.wrapping(returningEffects: $0) }
        }
        store.send(.up)
        store.send(.nothing)
        #expect(recorders.allSatisfy { $0.counts == [1, 1, 2] && $0.events == [.up, .nothing, .up] })
    }

    @Test func `a store that goes takes the middleware's handler with it`() {
        expectLetGo(steps: 1) { middleware in
            Store(initialState: Count()) { middleware.wrapping(returningEffects: Feature().reduce(into:action:)) }.send(.up)
        }
    }
}
