import LoopCore
import Testing

/// The table of the pairs of life and turn in which a system may be found.
@MainActor @Suite struct StandingTests {
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
                reducer: { [weak self] (state: Int, event: Event) -> Next<Int> in
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

    @Test func `every pair of the table occurs, with and without work as it says, and no other does`() async {
        let witness = Witness()
        let gate = Gate()

        // A whole life.
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

        // A past.
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

        let expected = Standing.possible.mapValues { $0 ? Set([false, true]) : [false] }
        #expect(witness.seen == expected)
    }
}
