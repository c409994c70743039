import LoopCore
import LoopMigration
import Testing

@MainActor @Suite struct UserActionTests {
    enum Event: Equatable { case increment, rename(String) }
    struct State: Equatable { var count = 0, name = "" }

    static nonisolated func reduce(_ state: inout State, _ event: Event) {
        switch event {
        case .increment: state.count += 1
        case .rename(let name): state.name = name
        }
    }

    @Test("one action drives several systems, in the order in which they were connected")
    func severalSystems() {
        let increment = UserAction<Void, Event>(trigger: .increment)
        var order: [String] = []
        let systems = ["one", "two"].map { name in
            System.pure(
                initialState: State(), reducer: Self.reduce, uiBindings: [{ if $0.count > 0 { order.append(name) } }],
                userActions: [increment])
        }
        increment.execute()
        increment.execute()
        #expect(systems.map(\.state.count) == [2, 2])
        #expect(order == ["one", "two", "one", "two"])
    }

    @Test("a payload comes with the execution")
    func payload() {
        let rename = UserAction(trigger: Event.rename), increment = UserAction<Void, Event>(trigger: .increment)
        let system = System.pure(initialState: State(), reducer: Self.reduce, userActions: [rename, increment])
        rename.execute("a")
        increment.execute()
        rename.execute("b")
        #expect(system.state == State(count: 1, name: "b"))
    }

    @Test("one action drives systems with events of different types")
    func differentEvents() {
        let pick = UserAction<Int, String>(trigger: { "\($0)" })
        let texts = System<[String], String>(initialState: [], reducer: { $0.append($1) })
        let sums = System<Int, Int>(initialState: 0, reducer: { $0 += $1 })
        pick.connect(to: texts)
        pick.connect(to: sums, as: { $0 * 2 })
        pick.execute(21)
        #expect(texts.state == ["21"] && sums.state == 42)
    }

    @Test("the event of an action that is executed inside a step waits for the step to end")
    func reentrant() {
        let increment = UserAction<Void, Event>(trigger: .increment)
        var shown: [Int] = []
        _ = System.pure(
            initialState: State(), reducer: Self.reduce,
            uiBindings: [
                {
                    if $0.count == 1 { increment.execute() }
                    shown.append($0.count)
                }
            ], userActions: [increment])
        increment.execute()
        #expect(shown == [0, 1, 2])
    }
}
