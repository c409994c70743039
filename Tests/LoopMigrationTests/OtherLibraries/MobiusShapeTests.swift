import LoopCore
import LoopMigration
import LoopTesting
import Testing

/// Loops as Mobius has them: an update function that returns the next model, or none, and effects that send events later.
@MainActor @Suite struct MobiusShapeTests {
    private struct Next {
        var model: Count?
        var effects: [CountEvent] = []
    }

    private final class Loop {
        private(set) var model: Count
        private let update: (Count, CountEvent) -> Next
        private var queue: [CountEvent] = []

        init(_ model: Count, update: @escaping (Count, CountEvent) -> Next) { (self.model, self.update) = (model, update) }

        /// Takes the event, then the events that its effects send.
        func dispatch(_ event: CountEvent) {
            queue.append(event)
            while !queue.isEmpty {
                let next = update(model, queue.removeFirst())
                model = next.model ?? model
                queue += next.effects
            }
        }
    }

    private static func update(_ model: Count, _ event: CountEvent) -> Next {
        if event == .nothing { return Next(effects: [.down(by: 2)]) }
        return Next(model: model.applying(event))
    }

    private typealias Recorder = StepRecorder<Count, CountEvent>

    @Test func `a wrapped update does what it did, and each event makes a step with both states`() {
        let recorder = Recorder(needs: .previousState)
        let loop = Loop(Count(number: 5), update: recorder.middleware.wrapping(Self.update, state: \.model, initialState: Count(number: 5)))
        loop.dispatch(.up)
        loop.dispatch(.down(by: 3))
        #expect(loop.model == Count(number: 3))
        #expect(recorder.events == [.up, .down(by: 3)])
        #expect(recorder.counts == [5, 6, 3])
        #expect(recorder.previousCounts == [nil, 5, 6])
        #expect(recorder.phases == [.initial, .settled, .settled])
        #expect(recorder.places == [0, 1, 2])
    }

    @Test func `an update that changes no model makes a step in the same state, and what its effects send comes after`() {
        let recorder = Recorder(needs: .previousState)
        let loop = Loop(Count(), update: recorder.middleware.wrapping(Self.update, state: \.model))
        loop.dispatch(.nothing)
        #expect(recorder.events == [.nothing, .down(by: 2)])
        #expect(recorder.counts == [0, -2])
        #expect(recorder.previousCounts == [0, 0])
        #expect(recorder.places == [1, 2])
    }

    @Test func `the effects come through untouched`() {
        let update = Recorder().middleware.wrapping(Self.update, state: \.model)
        #expect(update(Count(), .nothing).effects == [.down(by: 2)])
        #expect(update(Count(), .nothing).model == nil)
    }

    @Test func `an update is timed by the clock it is handed`() {
        let time = ManualClock(nanoseconds: 7_000)
        let recorder = Recorder(needs: .timing)
        let update = recorder.middleware.wrapping(
            { (model: Count, event: CountEvent) -> Next in
                time.advance(by: .microseconds(9))
                return Self.update(model, event)
            }, state: \.model, clock: time.clock)
        _ = update(Count(), .up)
        #expect(recorder.steps.last?.timing == StepTiming(startedAt: 7_000, queueWait: 0, reduce: 9_000, bindings: 0))
    }

    @Test func `several middlewares wrap one another and see the same`() {
        let recorders = (0..<3).map { _ in Recorder() }
        let update = recorders.reduce(Self.update) { $1.middleware.wrapping($0, state: \.model) }
        let loop = Loop(Count(), update: update)
        loop.dispatch(.up)
        loop.dispatch(.nothing)
        #expect(recorders.allSatisfy { $0.counts == [1, 1, -1] && $0.places == [1, 2, 3] })
    }

    @Test func `a loop that goes takes the middleware's handler with it`() {
        expectLetGo(steps: 1) { middleware in
            Loop(Count(), update: middleware.wrapping(Self.update, state: \.model)).dispatch(.up)
        }
    }
}
