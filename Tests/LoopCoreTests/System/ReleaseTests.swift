import LoopCore
import LoopMigration
import LoopTesting
import TestSupport
import Testing

/// Nothing leaks: a system that is released takes its work, and what its closures hold, with it.
@MainActor @Suite struct ReleaseTests {
    /// What may be under way when the owner lets go.
    enum Work: String, CaseIterable, Sendable { case next, loadingNext, run, sending, stream, attached, custom, input, scoped, merged }

    /// What a closure of the system holds; it goes when the closure does.
    final class Token {}

    /// Watches one system's work: when it began, when it was cancelled, and what came of it.
    final class Probe {
        let answer = Answer<Int>()
        let journal = Journal()
        private(set) var attached = 0
        private(set) var detached = 0
        /// Calls that bring a result late: that of the work, or of a callback that nobody told of the end.
        var late: [() -> Void] = []

        var isUnderWay: Bool { answer.asked + attached == 1 }
        var isCancelled: Bool { answer.cancelled + detached == 1 }

        func attach(_ outlet: EffectOutlet<Int>) -> () -> Void {
            attached += 1
            late.append { outlet.send(100) }
            return { self.detached += 1 }
        }

        /// Answers that come one at a time, without end.
        var answers: AsyncStream<Int> {
            AsyncStream { continuation in
                self.late.append { continuation.yield(100) }
                let stop = UncheckedBox { self.detached += 1 }
                // The test runs on the main actor alone, and so does the end of the stream.
                continuation.onTermination = { _ in stop.value() }
                self.attached += 1
            }
        }

        func feedback(_ work: Work) -> Feedback<Int, Int>? {
            switch work {
            case .next, .loadingNext: nil
            case .run: .onEachState({ _ in .run { try await self.answer() } })
            case .sending: .onEachState({ _ in .sending { outlet in outlet.send(try await self.answer()) } })
            case .stream: .always { .stream { self.answers } }
            case .attached: .always { .attached { self.attach($0) } }
            case .custom:
                .custom { inputs, outlet in
                    for await _ in inputs { outlet.send(try await self.answer()) }
                }
            case .input: Feedback<Int, Int>.combine(Feedback<Int, Int>.input.feedback, .always { .attached { self.attach($0) } })
            case .scoped: Feedback<Int, Int>.always { .attached { self.attach($0) } }.pullback(state: { $0 }, event: .whole)
            case .merged: .onEachState({ _ in .merge([.events([]), .run { try await self.answer() }]) })
            }
        }
    }

    private func system(_ work: Work, _ probe: Probe, _ token: Token) -> System<Int, Int> {
        let system = System<Int, Int>(
            initialState: 0, feedbacks: probe.feedback(work).map { [$0] } ?? [],
            next: { [token] (state: Int, event: Int) -> Next<Int> in
                _ = token
                if event > 0 { return .state(state + event) }
                let next = Next.run { try await probe.answer() }
                return work == .loadingNext ? next.stateWhenLoading(-1) : next
            })
        system.bind { [token] state in
            _ = token
            probe.journal.note("\(state)")
        }
        system.start()
        if probe.feedback(work) == nil { system.send(0) }
        return system
    }

    @Test(arguments: Work.allCases) func `a system with work under way goes with its owner, and its work is cancelled`(_ work: Work) async {
        let probe = Probe()
        var token: Token? = Token()
        let heldToken = Weak(token)
        var system: System<Int, Int>? = system(work, probe, token!)
        token = nil
        #expect(await eventually { probe.isUnderWay })
        await giveWay()
        let released = Weak(system)
        let shown = probe.journal.lines
        system = nil
        #expect(released.object == nil)
        #expect(heldToken.object == nil)
        #expect(await eventually { probe.isCancelled })
        probe.answer.give(100)
        for bring in probe.late { bring() }
        await giveWay()
        #expect(probe.journal.lines == shown)
    }

    @Test(arguments: Work.allCases) func `stop cancels the work, and late results are dropped`(_ work: Work) async {
        let probe = Probe()
        let system = system(work, probe, Token())
        #expect(await eventually { probe.isUnderWay })
        await giveWay()
        let shown = probe.journal.lines
        system.stop()
        #expect(await eventually { probe.isCancelled })
        probe.answer.give(100)
        for bring in probe.late { bring() }
        await giveWay()
        #expect(probe.journal.lines == shown)
        #expect(system.isStopped)
    }

    @Test func `work that does not heed its cancellation brings nothing and holds nothing but itself`() async {
        let journal = Journal()
        var gate: [CheckedContinuation<Void, Never>] = []
        var system: System<Int, Int>? = System<Int, Int>(
            initialState: 0,
            feedbacks: [
                .onEachState({ _ in
                    .run {
                        await withCheckedContinuation { gate.append($0) }
                        journal.note("ended")
                        return 1
                    }
                })
            ], reducer: { $0 += $1 })
        system?.bind { journal.note("\($0)") }.start()
        #expect(await eventually { gate.count == 1 })
        let released = Weak(system)
        system = nil
        #expect(released.object == nil)
        gate[0].resume()
        #expect(await eventually { journal.lines == ["0", "ended"] })
        await giveWay()
        #expect(journal.lines == ["0", "ended"])
    }

    @Test func `an action keeps its systems alive, and no system its action`() {
        var action: UserAction<Void, Int>? = UserAction(trigger: 1)
        var first: System<Int, Int>? = .pure(initialState: 0, reducer: { $0 + $1 }, userActions: [action!])
        var second: System<Int, Int>? = .pure(initialState: 0, reducer: { $0 + $1 }, userActions: [action!])
        let systems = (Weak(first), Weak(second))
        let released = Weak(action)
        first = nil
        #expect(systems.0.object != nil)
        action = nil
        #expect(released.object == nil)
        #expect(systems.0.object == nil)
        #expect(systems.1.object != nil)
        second?.send(1)
        #expect(second?.state == 1)
        second = nil
        #expect(systems.1.object == nil)
    }

    @Test func `a scope keeps its system, and what the system shows to it keeps nothing`() {
        var system: System<Int, Int>? = System<Int, Int>(initialState: 0, reducer: { $0 += $1 })
        var scope: Scope<String, Int>? = system?.scope(state: { "\($0)" }).scope(state: { $0 + "!" })
        let held = Weak(system)
        let binding = scope?.bind { _ in }
        system = nil
        #expect(held.object != nil)
        scope?.send(2)
        #expect(scope?.state == "2!")
        scope = nil
        #expect(held.object == nil)
        // The token outlives the system and does nothing then.
        binding?.remove()
    }

    @Test func `a binding that is removed lets go of what it held`() {
        let system = System<Int, Int>(initialState: 0, reducer: { $0 += $1 })
        var token: Token? = Token()
        let held = Weak(token)
        let binding = system.scope.bind { [token] _ in _ = token }
        token = nil
        #expect(held.object != nil)
        binding.remove()
        #expect(held.object == nil)
        system.send(1)
        #expect(system.state == 1)
    }

    @Test func `a binding whose token nobody keeps stays, and goes with the system`() {
        var system: System<Int, Int>? = System<Int, Int>(initialState: 0, reducer: { $0 += $1 })
        var shown: [Int] = []
        var token: Token? = Token()
        let held = Weak(token)
        system?.scope.bind { [token] in
            _ = token
            shown.append($0)
        }
        token = nil
        system?.send(1)
        #expect(shown == [0, 1])
        system = nil
        #expect(held.object == nil)
    }

    @Test func `middleware that is detached lets go of what its handler held`() {
        let system = System<Int, Int>(initialState: 0, reducer: { $0 += $1 })
        var token: Token? = Token()
        let held = Weak(token)
        var middleware: Middleware<Int, Int>? = Middleware { [token] _ in _ = token }
        token = nil
        system.attach(middleware!)
        system.detach(middleware!)
        #expect(held.object != nil)
        middleware = nil
        #expect(held.object == nil)
    }

    @Test func `a handler that was made for one attaching goes when it is detached, though the middleware stays`() {
        let system = System<Int, Int>(initialState: 0, reducer: { $0 += $1 })
        var made: [Weak<Token>] = []
        let middleware = Middleware<Int, Int>(makingHandler: { _ in
            let token = Token()
            made.append(Weak(token))
            return { _ in _ = token }
        })
        system.attach(middleware)
        #expect(made.count == 1 && made[0].object != nil)
        system.detach(middleware)
        #expect(made[0].object == nil)
        var other: System<Int, Int>? = System<Int, Int>(initialState: 0, reducer: { $0 += $1 }).attach(middleware)
        #expect(other?.state == 0 && made[1].object != nil)
        other = nil
        #expect(made[1].object == nil)
    }

    @Test func `an inbox and a reader of the states keep no system`() async {
        var system: System<Int, Int>? = System<Int, Int>(initialState: 0, reducer: { $0 += $1 })
        let inbox = system!.inbox()
        let states = system!.states
        var seen: [Int] = []
        let reader = Task {
            for await state in states { seen.append(state) }
        }
        #expect(await eventually { seen == [0] })
        let released = Weak(system)
        system = nil
        #expect(released.object == nil)
        #expect(!inbox.send(1))
        await reader.value
        #expect(seen == [0])
    }

    actor Owner {
        private var system: System<Int, Int>?
        private let asked: AsyncStream<Void>.Continuation

        init(_ asked: AsyncStream<Void>.Continuation) { self.asked = asked }

        func begin() {
            let asked = self.asked
            let system = System<Int, Int>(
                initialState: 0,
                feedbacks: [
                    .onEachState({ _ in
                        .run {
                            asked.yield()
                            return try await Answer<Int>()()
                        }
                    })
                ], reducer: { $0 += $1 })
            self.system = system
            system.start()
        }

        func end() { system?.stop() }
    }

    @Test(.notForever) func `an actor that stops its system goes when its owner lets go`() async {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        var owner: Owner? = Owner(ask)
        let released = Weak(owner)
        await owner?.begin()
        for await _ in asked { break }
        await owner?.end()
        owner = nil
        // Its last work ends on another thread, however long that takes.
        while released.object != nil { await Task.yield() }
        #expect(released.object == nil)
    }
}
