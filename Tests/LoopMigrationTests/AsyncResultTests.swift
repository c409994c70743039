import LoopCore
import LoopMigration
import TestSupport
import Testing

/// The reader of asynchronous results, beyond the laws that `ArchitectureKitBehaviour` tests.
@MainActor @Suite struct AsyncResultTests {
    struct Context: Equatable { var base = 10 }
    struct Broken: Error {}
    typealias Work<Value> = AsyncResult<Context, Value>

    private let context = Context()
    private var reads: Work<Int> {
        Work {
            await Task.yield()
            return $0.base
        }
    }

    @Test("an error can be answered, a cancellation cannot")
    func cancellation() async throws {
        #expect(try await Work<Int>.failure(Broken()).handleError { _ in .pure(1) }.run(in: context) == 1)
        await #expect(throws: CancellationError.self) {
            try await Work<Int>.failure(CancellationError()).handleError { _ in .pure(1) }.run(in: context)
        }
    }

    @Test("zip runs its parts at the same time")
    func zip() async throws {
        let gate = Gate()
        var entered = 0
        let gated = Work<Int> { context in
            entered += 1
            await gate.pass()
            return context.base
        }
        let running = Task { try await Work<(Int, Int, String)>.zip(gated, gated, .pure("a")).map { "\($0 + $1)\($2)" }.run(in: context) }
        let areBothRunning = await eventually { entered == 2 }
        gate.open()
        #expect(areBothRunning)
        #expect(try await running.value == "20a")
    }

    @Test("work serves as an effect and as what a reducer returns")
    func inALoop() async {
        let effect = Feedback<Int, Int>.while({ $0 == 1 }) { _ in .run { try await reads.run(in: context) } }
        let system = System<Int, Int>(initialState: 0, feedbacks: [effect], reducer: { $0 += $1 })
        system.send(1)
        await system.settled()
        #expect(system.state == 11)
        let reading = reads, inner = context
        let described = System<Int, Int>(
            initialState: 0,
            next: { (state: Int, event: Int) -> Next<Int> in .run { try await reading.map { state + event + $0 }.run(in: inner) } })
        described.send(1)
        await described.settled()
        #expect(described.state == 11)
    }
}
