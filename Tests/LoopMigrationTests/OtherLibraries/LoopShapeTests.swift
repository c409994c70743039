import LoopCore
import LoopMigration
import LoopTesting
import Testing

/// Loops as Loop and CombineFeedback have them: a reducer in place, and feedbacks that answer states with events.
@MainActor @Suite struct LoopShapeTests {
    /// CombineFeedback wraps its function in a value.
    private struct Reducer {
        var reduce: (inout Count, CountEvent) -> Void
    }

    private final class Loop {
        private(set) var state: Count
        private let reducer: Reducer
        private let feedbacks: [(Count) -> CountEvent?]
        private var queue: [CountEvent] = []
        private var isDraining = false

        init(initial: Count, reducer: Reducer, feedbacks: [(Count) -> CountEvent?] = []) {
            (state, self.reducer, self.feedbacks) = (initial, reducer, feedbacks)
            queue = feedbacks.compactMap { $0(initial) }
            drain()
        }

        func send(_ event: CountEvent) {
            queue.append(event)
            if !isDraining { drain() }
        }

        private func drain() {
            isDraining = true
            while !queue.isEmpty {
                reducer.reduce(&state, queue.removeFirst())
                queue += feedbacks.compactMap { $0(state) }
            }
            isDraining = false
        }
    }

    private typealias Recorder = StepRecorder<Count, CountEvent>
    private static let reducer = Reducer { $0.apply($1) }

    @Test func `a wrapped reducer does what it did, and events of feedbacks are seen too`() {
        let recorder = Recorder(needs: .previousState)
        let loop = Loop(
            initial: Count(), reducer: Reducer(reduce: recorder.middleware.wrapping(Self.reducer.reduce, initialState: Count())),
            feedbacks: [{ $0.number < 2 ? .up : nil }])
        loop.send(.down(by: 1))
        #expect(loop.state == Count(number: 2))
        #expect(recorder.events == [.up, .up, .down(by: 1), .up])
        #expect(recorder.counts == [0, 1, 2, 1, 2])
        #expect(recorder.previousCounts == [nil, 0, 1, 2, 1])
        #expect(recorder.phases.first == .initial)
        #expect(recorder.places == [0, 1, 2, 3, 4])
    }

    @Test func `a reducer is timed by the clock it is handed`() {
        let time = ManualClock()
        let recorder = Recorder(needs: .timing)
        let slow = Reducer {
            time.advance(by: .microseconds(4))
            $0.apply($1)
        }
        let loop = Loop(initial: Count(), reducer: Reducer(reduce: recorder.middleware.wrapping(slow.reduce, clock: time.clock)))
        loop.send(.up)
        #expect(recorder.steps.last?.timing?.reduce == 4_000)
        #expect(recorder.steps.last?.previousState == nil)
    }

    @Test func `a middleware that sends while it watches is seen after the step`() {
        weak var place: Loop?
        let recorder = Recorder()
        let answering = Middleware<Count, CountEvent> { if $0.state.number == 1 { place?.send(.down(by: 5)) } }
        let reduce = recorder.middleware.wrapping(answering.wrapping(Self.reducer.reduce))
        let loop = Loop(initial: Count(), reducer: Reducer(reduce: reduce))
        place = loop
        loop.send(.up)
        #expect(recorder.counts == [1, -4])
        #expect(loop.state == Count(number: -4))
    }

    @Test func `several middlewares wrap one another and see the same`() {
        let recorders = (0..<3).map { _ in Recorder() }
        let loop = Loop(
            initial: Count(), reducer: Reducer(reduce: recorders.reduce(Self.reducer.reduce) { $1.middleware.wrapping($0) }))
        loop.send(.up)
        loop.send(.nothing)
        #expect(recorders.allSatisfy { $0.counts == [1, 1] && $0.events == [.up, .nothing] })
    }

    @Test func `a loop that goes takes the middleware's handler with it`() {
        expectLetGo(steps: 1) { middleware in
            Loop(initial: Count(), reducer: Reducer(reduce: middleware.wrapping(Self.reducer.reduce))).send(.up)
        }
    }
}
