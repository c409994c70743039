import LoopCore
import LoopTesting
import Testing

@MainActor @Suite struct StepQueryTests {
    private enum Move: Equatable { case load(String), add(Int), leave }

    private func recorded(needs: MiddlewareNeeds = [.previousState]) async -> StepRecorder<String, Move> {
        let recorder = StepRecorder<String, Move>(needs: needs)
        let system = System<String, Move>(
            initialState: "start",
            reducer: { (state: String, move: Move) -> Next<String> in
                switch move {
                case .load(let id): .run { id }.stateWhenLoading("loading")
                case .add(let number): .state(state + "\(number)")
                case .leave: .state("left")
                }
            }
        ).attach(recorder.middleware)
        for move in [Move.load("a"), .add(1), .load("b"), .add(2), .leave] { system.send(move) }
        await system.settled()
        return recorder
    }

    @Test func `steps are found by phase and by event`() async {
        let recorder = await recorded()
        #expect(recorder.steps(.initial).map(\.state) == ["start"])
        #expect(recorder.steps(.loading).map(\.number) == [1, 3])
        #expect(recorder.steps(ofEvent: 3).map(\.state) == ["loading", "b"])
        #expect(recorder.steps(ofEvent: 0).isEmpty)
        #expect(recorder.first { $0.phase == .loading }?.event == .load("a"))
        #expect(recorder.first { $0.state == "nowhere" } == nil)
    }

    @Test func `events are found by predicate and by case, with what they carry`() async {
        let recorder = await recorded()
        #expect(recorder.payloads(of: EnumCase(Move.load)) == ["a", "b"])
        #expect(recorder.payloads(of: EnumCase(Move.add)) == [1, 2])
        #expect(recorder.events { $0 == .leave || $0 == .add(2) } == [.add(2), .leave])
        #expect(recorder.states { if case .add = $0 { true } else { false } } == ["a1", "b2"])
    }

    @Test func `changes tell what each event did`() async {
        let changes = await recorded().changes
        #expect(changes.map(\.event) == [.load("a"), .add(1), .load("b"), .add(2), .leave])
        #expect(changes.map(\.before) == ["loading", "a", "loading", "b", "b2"])
        #expect(changes.map(\.after) == ["a", "a1", "b", "b2", "left"])
        #expect(await recorded(needs: []).changes.isEmpty)
    }
}
