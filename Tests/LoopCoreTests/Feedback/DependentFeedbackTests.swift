import LoopCore
import Testing

/// The flavours of a feedback that is given something to work with.
@MainActor @Suite struct DependentFeedbackTests {
    private typealias Dependent = DependentFeedback<Int, Int, String>

    /// Each flavour starts at the state or event 1 and notes what it was given.
    private static func flavours(_ note: @escaping (String, Int) -> Void) -> [(String, Dependent)] {
        func work(_ value: Int, _ name: String) async throws -> Int? {
            note(name, value)
            return nil
        }
        let one: (Int) -> Int? = { $0 == 1 ? 1 : nil }
        return [
            ("react", .react(work, when: { $0 == 1 })),
            ("onEachState", .onEachState { $0 == 1 ? try await work($0, $1) : nil }),
            ("compacting(state:)", .compacting(state: one, effect: work)),
            ("compacting(events:)", .compacting(events: one, effect: work)),
            ("skippingRepeated", .skippingRepeated(state: one, effect: work)),
            ("firstValueAfterNil", .firstValueAfterNil(one, effect: work)),
            ("predicate", .predicate({ $0 == 1 }, effect: work)),
            ("onEachEvent", .onEachEvent { _, event, name in event == 1 ? try await work(event, name) : nil }),
        ]
    }

    @Test func `each flavour starts its effect with the dependency as the last argument`() async {
        var notes: [String] = []
        for (name, flavour) in Self.flavours({ notes.append("\($0) \($1)") }) {
            notes = []
            let system = System<Int, Int>(initialState: 0, dependency: "services", feedbacks: [flavour], reducer: Reducer { $0 = $1 })
                .start()
            system.send(1)
            await system.settled()
            #expect(notes == ["services 1"], "\(name)")
        }
    }

    private enum Screen { case closed, open(Int) }

    @Test func `it is pulled back by a case of the whole, with its own part of the dependency`() {
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
