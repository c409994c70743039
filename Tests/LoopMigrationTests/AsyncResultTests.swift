import LoopCore
import LoopMigration
import TestSupport
import Testing

/// The reader of asynchronous results: its laws, its laziness, its errors.
@MainActor @Suite struct AsyncResultTests {
    struct Context: Equatable { var base = 10 }
    struct Broken: Error, Equatable { var name = "broken" }
    typealias Work<Value> = AsyncResult<Context, Value>

    private let context = Context()
    private var reads: Work<Int> {
        Work {
            await Task.yield()
            return $0.base
        }
    }

    @Test("map keeps identity and composition")
    func functor() async throws {
        #expect(try await reads.map { $0 }.run(in: context) == 10)
        let doubled = { (number: Int) in number * 2 }, shown = { (number: Int) in "\(number)" }
        #expect(try await reads.map(doubled).map(shown).run(in: context) == reads.map { shown(doubled($0)) }.run(in: context))
    }

    @Test("flatMap obeys the laws of a monad", arguments: [0, 1, 7])
    func monad(number: Int) async throws {
        func f(_ number: Int) -> Work<Int> { Work { $0.base + number } }
        func g(_ number: Int) -> Work<Int> { Work { $0.base * number } }
        #expect(try await Work.pure(number).flatMap(f).run(in: context) == f(number).run(in: context))
        #expect(try await reads.flatMap { .pure($0) }.run(in: context) == reads.run(in: context))
        #expect(
            try await reads.flatMap(f).flatMap(g).run(in: context) == reads.flatMap { f($0).flatMap(g) }.run(in: context))
    }

    @Test("work that is made of other work runs only when it is asked to, and each time anew")
    func lazy() async throws {
        var runs = 0
        let counted = Work<Int> { _ in
            runs += 1
            return runs
        }
        let all = counted.map { $0 + 1 }.flatMap { .pure($0) }.handleError { _ in .pure(0) }
        #expect(runs == 0)
        #expect(try await all.run(in: context) == 2)
        #expect(try await all.run(in: context) == 3)
    }

    @Test("an error stops what follows and can be answered, with the same context")
    func errors() async throws {
        var went = false
        let failing = Work<Int>.failure(Broken())
        await #expect(throws: Broken()) { try await failing.map { _ in went = true }.run(in: context) }
        #expect(!went)
        #expect(try await failing.handleError { _ in reads }.run(in: context) == 10)
        #expect(try await reads.handleError { _ in .pure(0) }.run(in: context) == 10)
        await #expect(throws: Broken(name: "other")) {
            try await failing.handleError { _ in .failure(Broken(name: "other")) }.run(in: context)
        }
        await #expect(throws: CancellationError.self) {
            try await Work<Int>.failure(CancellationError()).handleError { _ in .pure(1) }.run(in: context)
        }
    }

    @Test("zip runs its parts at the same time and gives all values, or the first error")
    func zip() async throws {
        let gate = Gate()
        var entered = 0
        let gated = Work<Int> { context in
            entered += 1
            await gate.pass()
            return context.base
        }
        let running = Task { try await Work<(Int, Int, String)>.zip(gated, gated, .pure("a")).map { "\($0 + $1)\($2)" }.run(in: context) }
        while entered < 2 { await Task.yield() }
        gate.open()
        #expect(try await running.value == "20a")
        await #expect(throws: Broken()) {
            _ = try await Work<(Int, Int)>.zip(reads, .failure(Broken())).run(in: context)
        }
    }

    @Test("a part of the context is enough for a part of the work")
    func pullback() async throws {
        struct Whole { var inner = Context(base: 3) }
        #expect(try await reads.pullback(\Whole.inner).run(in: Whole()) == 3)
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
