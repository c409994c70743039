import LoopCore
import LoopTesting
import Testing

private enum Page: Equatable { case start, loading, loaded(String) }
private enum Move { case load(String), fail, leave }
private struct Broken: Error, Equatable {}

@MainActor @Suite struct StepRecorderTests {
    private func page() -> System<Page, Move> {
        System(
            initialState: .start,
            next: { (_: Page, move: Move) -> Next<Page> in
                switch move {
                case .load(let id): .run { .loaded(id) }.stateWhenLoading(.loading)
                case .fail: .run { throw Broken() }
                case .leave: .state(.start)
                }
            })
    }

    @Test func `tells states, events, numbers and phases of what happened`() async {
        let recorder = StepRecorder<Page, Move>()
        let system = page().attach(recorder.middleware)
        system.send(.load("a"))
        system.send(.leave)
        await system.settled()
        #expect(recorder.states == [.start, .loading, .loaded("a"), .start])
        #expect(recorder.phases == [.initial, .loading, .settled, .settled])
        #expect(recorder.numbers == [1, 2])
        #expect(recorder.events.count == 2)
        guard case .load("a") = recorder.events.first else {
            Issue.record("the first event was \(recorder.events)")
            return
        }
    }

    @Test func `tells the errors of failed steps`() async {
        let recorder = StepRecorder<Page, Move>()
        let system = page().attach(recorder.middleware)
        system.send(.fail)
        system.send(.leave)
        await system.settled()
        #expect(recorder.errors.count == 1)
        #expect(recorder.errors.first is Broken)
        #expect(recorder.states == [.start, .start, .start])
    }

    @Test func `steps hold previous state and timing unless told otherwise`() throws {
        let full = StepRecorder<Int, Int>()
        let lean = StepRecorder<Int, Int>(needs: [])
        System(initialState: 1, reducer: { (n: inout Int, by: Int) in n += by }).attach(full.middleware).send(2)
        System(initialState: 1, reducer: { (n: inout Int, by: Int) in n += by }).attach(lean.middleware).send(2)
        #expect(full.steps.last?.previousState == 1)
        #expect(full.steps.last?.timing != nil)
        #expect(lean.steps.last?.previousState == nil)
        #expect(lean.steps.last?.timing == nil)
        #expect(lean.middleware.needs == [])
    }

    @Test func `forgets on request and records on`() {
        let recorder = StepRecorder<Int, Int>()
        let system = System(initialState: 0, reducer: { (n: inout Int, by: Int) in n += by }).attach(recorder.middleware)
        system.send(1)
        recorder.removeAll()
        #expect(recorder.steps.isEmpty)
        #expect(recorder.steps.last == nil)
        system.send(2)
        #expect(recorder.states == [3])
    }

    @Test func `is detached like any middleware`() {
        let recorder = StepRecorder<Int, Int>()
        let system = System(initialState: 0, reducer: { (n: inout Int, by: Int) in n += by }).attach(recorder.middleware)
        system.send(1)
        system.detach(recorder.middleware)
        system.send(1)
        #expect(recorder.states == [0, 1])
    }

    @Test func `is not kept alive by the system it watches`() {
        let system = System(initialState: 0, reducer: { (n: inout Int, by: Int) in n += by })
        weak var gone: StepRecorder<Int, Int>?
        do {
            let recorder = StepRecorder<Int, Int>()
            gone = recorder
            system.attach(recorder.middleware)
            #expect(recorder.states == [0])
        }
        #expect(gone == nil)
        system.send(1)
        #expect(system.state == 1)
    }
}
