import LoopCore
import LoopMigration
import LoopTesting
import Testing

/// Systems as ArchitectureKit has them: a plain reducer, feedbacks that are reduced before anything is shown, bindings, and a
/// loop callback that tells nothing.
@MainActor @Suite struct ArchitectureKitShapeTests {
    private struct Feedback {
        var event: CountEvent
        var when: (Count) -> Bool
    }

    private final class System {
        private var state: Count
        private let reducer: (Count, CountEvent) -> Count
        private let bindings: [(Count) -> Void]
        private let feedback: [Feedback]
        private var callback: (() -> Void)?

        init(
            initialState: Count, reducer: @escaping (Count, CountEvent) -> Count, uiBindings: [(Count) -> Void] = [],
            feedback: [Feedback] = []
        ) {
            (state, self.reducer, bindings, self.feedback) = (initialState, reducer, uiBindings, feedback)
        }

        func addLoopCallback(callback: @escaping () -> Void) { self.callback = callback }

        func act(_ event: CountEvent) {
            state = reducer(state, event)
            for _ in 0..<5 {
                for each in feedback where each.when(state) { state = reducer(state, each.event) }
            }
            for each in bindings { each(state) }
            callback?()
        }
    }

    private typealias Recorder = StepRecorder<Count, CountEvent>

    private static func reduce(_ state: Count, _ event: CountEvent) -> Count { state.applying(event) }
    private static let toThree = Feedback(event: .up) { $0.number < 3 }

    @Test func `a binding tells the states that are shown, and the first one from its argument`() {
        let recorder = Recorder(needs: .previousState)
        let system = System(
            initialState: Count(), reducer: Self.reduce, uiBindings: [recorder.middleware.stateCallback(initialState: Count())],
            feedback: [Self.toThree])
        system.act(.up)
        system.act(.down(by: 1))
        #expect(recorder.counts == [0, 3, 3])
        #expect(recorder.previousCounts == [nil, 0, 3])
        #expect(recorder.places == [0, 1, 2])
        #expect(recorder.events.isEmpty)
    }

    @Test func `a wrapped reducer tells the events, those of feedbacks and the states in between too`() {
        let recorder = Recorder(needs: .previousState)
        let system = System(
            initialState: Count(), reducer: recorder.middleware.wrapping(Self.reduce, initialState: Count()), feedback: [Self.toThree])
        system.act(.down(by: -1))
        #expect(recorder.events == [.down(by: -1), .up, .up])
        #expect(recorder.counts == [0, 1, 2, 3])
        #expect(recorder.previousCounts == [nil, 0, 1, 2])
        #expect(recorder.places == [0, 1, 2, 3])
    }

    @Test func `the loop callback that the system needs stays free for its owner`() {
        let recorder = Recorder()
        var rounds = 0
        let system = System(initialState: Count(), reducer: recorder.middleware.wrapping(Self.reduce))
        system.addLoopCallback { rounds += 1 }
        system.act(.up)
        #expect(rounds == 1)
        #expect(recorder.counts == [1])
    }

    @Test func `a wrapped reducer is timed by the clock it is handed`() {
        let time = ManualClock()
        let recorder = Recorder(needs: .timing)
        let slow = { (state: Count, event: CountEvent) -> Count in
            time.advance(by: .microseconds(6))
            return state.applying(event)
        }
        System(initialState: Count(), reducer: recorder.middleware.wrapping(slow, clock: time.clock)).act(.up)
        #expect(recorder.steps.last?.timing?.reduce == 6_000)
    }

    @Test func `several middlewares are several bindings`() {
        let recorders = (0..<3).map { _ in Recorder() }
        let system = System(
            initialState: Count(), reducer: Self.reduce, uiBindings: recorders.map { $0.middleware.stateCallback() })
        system.act(.up)
        #expect(recorders.allSatisfy { $0.counts == [1] && $0.places == [1] })
    }

    @Test func `a system that goes takes the middleware's handler with it`() {
        expectLetGo(steps: 2) { middleware in
            System(
                initialState: Count(), reducer: middleware.wrapping(Self.reduce), uiBindings: [middleware.stateCallback()]
            ).act(.up)
        }
    }
}
