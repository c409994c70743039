import LoopCore
import LoopMigration
import Testing

@MainActor @Suite struct DependentFeedbackTests {
    private typealias Dependent = DependentFeedback<Int, Int, String>

    private enum Screen { case closed, open(Int) }

    @Test func `a dependent feedback is pulled back by a case of the whole, with its own part of the dependency`() {
        var starts: [String] = []
        let local = Dependent { name in
            .onEachState { state in
                starts.append("\(name) \(state)")
                return .none
            }
        }
        let system = System<Screen, Int>(
            initialState: .closed, dependency: ["services"],
            feedbacks: [
                local.pullback(state: EnumCase(Screen.open), event: EnumCase<Int, Int>.whole, dependency: { (all: [String]) in all[0] })
            ],
            reducer: Reducer { (screen: inout Screen, event: Int) in screen = event == 0 ? .closed : .open(event) })
        system.start()
        system.send(2)
        system.send(0)
        system.send(3)
        #expect(starts == ["services 2", "services 3"])
    }
}
