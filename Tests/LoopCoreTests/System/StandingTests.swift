import LoopCore
import Testing

/// The pairs of lifecycle and activity in which a system is found.
@MainActor @Suite struct StandingTests {
    /// For each pair, the values of `isWorking` that occur. The work of a `Next` waits while a reducer runs, and during a replay.
    private static let expected: [Standing: Set<Bool>] = [
        Standing(.new, .idle): [false], Standing(.new, .greeting): [false],
        Standing(.live, .idle): [false, true], Standing(.live, .draining): [false, true], Standing(.live, .reducing): [false],
        Standing(.live, .greeting): [false, true], Standing(.replaying, .draining): [false], Standing(.replaying, .reducing): [false],
        // A turn in which the system is stopped still ends as it began; the last step of the work comes after the turn.
        Standing(.stopped, .draining): [false, true], Standing(.stopped, .greeting): [false, true],
        Standing(.stopped, .idle): [false], Standing(.stopped, .reducing): [false],
    ]

    private enum Event { case plain, work, stop, stopInReducer }

    /// Looks at systems from inside and outside, and keeps what it finds.
    @MainActor private final class Witness {
        private(set) var seen: [Standing: Set<Bool>] = [:]
        weak var system: System<Int, Event>?

        func look() { if let system { seen[system.standing, default: []].insert(system.isWorking) } }

        /// A system over which it watches, with work that ends when the gate opens.
        func makeSystem(_ gate: Gate) -> System<Int, Event> {
            let system = System<Int, Event>(
                initialState: 0,
                next: { [weak self] (state: Int, event: Event) -> Next<Int> in
                    self?.look()
                    switch event {
                    case .plain: return .value(state + 1)
                    case .stop: return .value(-1)
                    case .stopInReducer:
                        self?.system?.stop()
                        self?.look()
                        return .value(state)
                    case .work:
                        return .run {
                            await gate.pass()
                            return state + 10
                        }.stateWhenLoading(state + 5)
                    }
                })
            self.system = system
            look()
            return system
        }
    }

    @Test func `of lifecycle and activity only these pairs occur, with work only where it may run`() async {
        let witness = Witness()
        let gate = Gate()

        // A whole life of a system.
        let system = witness.makeSystem(gate).bind { _ in witness.look() }
        system.start()
        witness.look()
        system.bind { _ in witness.look() }
        system.send(.plain)
        system.send(.work)
        witness.look()
        system.bind { _ in witness.look() }
        await gate.whenEntered(1)
        gate.open()
        await system.settled()
        system.stop()
        witness.look()
        system.bind { _ in witness.look() }

        // A system with a replayed past.
        let replaying = witness.makeSystem(gate).bind { _ in witness.look() }
        #expect(replaying.beginReplay())
        await replaying.replay(.plain, ended: .unknown)
        replaying.endReplay()
        witness.look()

        // Stops from inside: a step, a reducer, a loading state, a greeting.
        let inStep = witness.makeSystem(gate)
        inStep.bind { [weak inStep] in
            if $0 == -1 { inStep?.stop() }
            witness.look()
        }
        inStep.send(.stop)
        witness.makeSystem(gate).send(.stopInReducer)
        let inReducer = witness.makeSystem(gate)
        inReducer.send(.stopInReducer)
        let whileLoading = witness.makeSystem(gate)
        whileLoading.bind { [weak whileLoading] in
            if $0 == 5 { whileLoading?.stop() }
            witness.look()
        }
        whileLoading.send(.work)
        let greeting = witness.makeSystem(gate)
        greeting.send(.work)
        greeting.bind { [weak greeting] _ in
            greeting?.stop()
            witness.look()
        }

        #expect(witness.seen == Self.expected)
    }
}
