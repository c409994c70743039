import LoopCore
import LoopMigration
import LoopTesting
import TestSupport
import Testing

extension PromisedArchitectureKitBehaviour {
    /// The faults of PromisedArchitectureKit 2.2, each with a test that it would fail itself.
    @MainActor @Suite struct Mends {
        enum Failure: Error, Equatable { case broken, late }

        private func states(of next: @escaping () -> Next<Int>) async -> [Int] {
            let system = System(initialState: 0, next: { (_: Int, _: Int) in next() })
            var states: [Int] = []
            system.bind { states.append($0) }
            system.send(1)
            await system.settled()
            return states
        }

        @Test func `the loading state survives map`() async {
            #expect(await states { .run { 5 }.stateWhenLoading(-1).map { $0 * 10 } } == [0, -10, 50])
        }

        @Test func `the loading state survives flatMap`() async {
            #expect(await states { .run { 5 }.stateWhenLoading(-1).flatMap { value in .run { value * 10 } } } == [0, -1, 50])
        }

        @Test func `the loading state survives zip`() async {
            let zipped = { Next.zip(.run { 5 }.stateWhenLoading(-1), .run { 6 }.stateWhenLoading(-2)).map { $0 + $1 } }
            #expect(await states(of: zipped) == [0, -3, 11])
        }

        @Test func `the loading state survives parallel`() async {
            let parallel = {
                Next<[Int]>.parallel([.run { 5 }.stateWhenLoading(-1), .run { 6 }.stateWhenLoading(-2)]).map { $0.reduce(0, +) }
            }
            #expect(await states(of: parallel) == [0, -3, 11])
        }

        /// In PromisedArchitectureKit a promise runs once, when it is made.
        @Test func `work that two branches use runs twice`() async {
            var runs = 0
            let work = Next<Int>.run {
                runs += 1
                return runs
            }
            #expect(await states { Next.zip(work, work).map { $0 * 10 + $1 } } == [0, 12])
            #expect(runs == 2)
        }

        @Test func `work whose seal is silent ends when it is cancelled`() async {
            var seals: [Resolver<Int>] = []
            let waiting = Task { try await Next<Int> { seals.append($0) }.value() }
            #expect(await eventually { seals.count == 1 })
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }

        @Test func `a seal takes its first answer, and what its closure throws is an answer`() async throws {
            let answered = Next<Int> { seal in
                seal.fulfill(1)
                seal.fulfill(2)
                seal.reject(Failure.late)
            }
            #expect(try await answered.value() == 1)
            let rejected = Next<Int> { seal in
                seal.reject(Failure.broken)
                seal.fulfill(1)
            }
            await #expect(throws: Failure.broken) { try await rejected.value() }
            await #expect(throws: Failure.late) { try await Next<Int> { _ in throw Failure.late }.value() }
            await #expect(throws: Failure.broken) { try await Next<Int>(error: Failure.broken).value() }
        }

        @Test func `the loading state survives what is done about errors`() async {
            #expect(
                await states {
                    Next<Int>.failure(Failure.broken).stateWhenLoading(-1).mapError { _ in Failure.late }.mapErrorRecover { _ in 7 }
                } == [0, -1, 7])
        }

        @Test func `work that fails without recovery does not stop the loop`() async {
            let recorder = StepRecorder<Int, Int>()
            let system = System(
                initialState: 0,
                next: { (state: Int, event: Int) -> Next<Int> in event < 0 ? .failure(Failure.broken) : .state(state + event) })
            system.attach(recorder.middleware)
            system.send(1)
            system.send(-1)
            system.send(10)
            await system.settled()
            #expect(recorder.states == [0, 1, 1, 11])
            #expect(recorder.errors.map { $0 as? Failure } == [.broken])
        }

        @Test func `zip and parallel run their parts side by side`() async throws {
            let first = Answer<Int>()
            let second = Answer<Int>()
            let third = Answer<Int>()
            for next in [
                Next.zip(.run { try await first() }, .run { try await second() }, .run { try await third() }).map { [$0, $1, $2] },
                Next<[Int]>.parallel([.run { try await first() }, .run { try await second() }, .run { try await third() }]),
            ] {
                let asked = third.asked
                let running = Task { try await next.value() }
                #expect(await eventually { third.asked == asked + 1 })
                // The answers come in reverse order: a zip that ran its parts one after the other would wait in vain.
                third.give(3)
                second.give(2)
                first.give(1)
                #expect(try await running.value == [1, 2, 3])
            }
        }

        @Test func `the first error of zip and of parallel cancels the others and is the one that is told`() async {
            let first = Answer<Int>()
            let second = Answer<Int>()
            let makers: [() -> Next<Int>] = [
                { Next.zip(.run { try await first() }, .run { try await second() }).map { $0 + $1 } },
                { Next<[Int]>.parallel([.run { try await first() }, .run { try await second() }]).map { $0.reduce(0, +) } },
            ]
            for (index, make) in makers.enumerated() {
                let recorder = StepRecorder<Int, Int>()
                let system = System(initialState: 0, next: { (_: Int, _: Int) in make() }).attach(recorder.middleware)
                system.send(1)
                #expect(await eventually { second.asked == index + 1 })
                second.fail(Failure.broken)
                await system.settled()
                #expect(first.cancelled == index + 1)
                #expect(recorder.errors.map { $0 as? Failure } == [.broken])
            }
        }

        @Test func `work runs only when the loop runs it, and work that is dropped never does`() async {
            var ran: [String] = []
            func work(_ name: String) -> Next<Int> {
                .run {
                    ran.append(name)
                    return 1
                }
            }
            let system = System(
                initialState: 0,
                next: { (_: Int, _: Int) -> Next<Int> in
                    _ = work("dropped").map { $0 + 1 }
                    _ = Next.zip(work("dropped"), work("dropped"))
                    return work("returned")
                })
            await giveWay()
            #expect(ran.isEmpty)
            system.send(1)
            await system.settled()
            #expect(ran == ["returned"])
        }

        @Test func `two callbacks are both called, after the bindings, from the initial state on`() async {
            let journal = Journal()
            let system = System<Int, Int>.pure(
                initialState: 0, reducer: { _, event in .run { event }.stateWhenLoading(-1) },
                uiBindings: [{ journal.note("draw \($0)") }])
            for name in ["first", "second"] { system.attach(Middleware { journal.note("\(name) \($0.state)") }) }
            system.send(7)
            await system.settled()
            #expect(
                journal.lines == [
                    "draw 0", "first 0", "second 0", "draw -1", "first -1", "second -1", "draw 7", "first 7", "second 7",
                ])
        }

        @Test func `a callback can be taken away, and the others stay`() {
            let journal = Journal()
            let first = Middleware<Int, Int> { journal.note("first \($0.state)") }
            let second = Middleware<Int, Int> { journal.note("second \($0.state)") }
            let system = System(initialState: 0, returning: { (state: Int, event: Int) in state + event }).attach(first, second)
            system.detach(first)
            system.send(1)
            #expect(journal.lines == ["first 0", "second 0", "second 1"])
        }

        @Test func `the history holds loading and settled states, and no more of them than it was told`() async {
            let system = System(
                initialState: 0, history: .last(3),
                next: { (_: Int, event: Int) -> Next<Int> in .run { event }.stateWhenLoading(-event) })
            for number in 1...50 { system.send(number) }
            await system.settled()
            #expect(system.history == [49, -50, 50])
        }
    }
}
