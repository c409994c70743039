import LoopCore
import LoopMigration
import LoopTesting
import TestSupport
import Testing

/// Loop (and ReactiveFeedback before it): the tests of its loop. Those of its edge triggered feedbacks have a file of their own.
@MainActor @Suite struct LoopBehaviour {
    private func texts(_ feedbacks: Feedback<String, String>...) -> System<String, String> {
        System(initialState: "initial", feedbacks: feedbacks, reducer: { $0 += $1 })
    }

    private func sum(_ feedbacks: Feedback<Int, Int>...) -> System<Int, Int> {
        System(initialState: 0, feedbacks: feedbacks, reducer: { $0 += $1 })
    }

    /// The first states, after which the system is stopped.
    private func states<State, Event>(_ count: Int, of system: System<State, Event>) async -> [State] {
        var states: [State] = []
        system.bind { [unowned system] in
            states.append($0)
            if states.count == count { system.stop() }
        }
        system.start()
        _ = await eventually { states.count >= count }
        return states
    }

    @Test func `a system shows the initial state first, whatever a feedback sends at once`() async {
        #expect(await states(1, of: texts(.middleware(state: { _ in .event("_a") }))) == ["initial"])
    }

    @Test func `one feedback answers each state`() async {
        #expect(
            await states(3, of: texts(.middleware(state: { _ in .event("_a") }))) == ["initial", "initial_a", "initial_a_a"])
    }

    @Test func `two immediate feedbacks with conditions take turns`() async {
        func append(_ end: String) -> Feedback<String, String> {
            .middleware(state: { $0.hasSuffix(end) ? .none : .event(end) })
        }
        #expect(
            await states(5, of: texts(append("_a"), append("_b"))) == [
                "initial", "initial_a", "initial_a_b", "initial_a_b_a", "initial_a_b_a_b",
            ])
    }

    @Test func `immediate and asynchronous effects follow each other`() async {
        let answer = Answer<String>()
        let system = texts(
            .middleware(state: { state in
                switch state {
                case "initial": .run { try await answer() }
                case "initial_a": .event("_b")
                case "initial_a_b": .event("_c")
                default: .none
                }
            }))
        var shown: [String] = []
        system.bind { shown.append($0) }.start()
        #expect(await eventually { answer.asked == 1 })
        #expect(shown == ["initial"])
        answer.give("_a")
        await system.settled()
        #expect(shown == ["initial", "initial_a", "initial_a_b", "initial_a_b_c"])
    }

    @Test func `a signal's event is reduced at once where its effect lives with the loop`() {
        let signal = Feedback<String, String>.input
        let system = texts(signal.feedback)
        system.start()
        #expect(system.state == "initial")
        signal.send("_a")
        #expect(system.state == "initial_a")
    }

    @Test func `an event from elsewhere is reduced when the loop's own place gets to it`() async {
        let system = texts()
        let inbox = system.inbox()
        inbox.send("_a")
        #expect(system.state == "initial")
        await system.settled()
        #expect(system.state == "initial_a")
    }

    @Test func `effects start within the step, once for each state`() {
        var starts: [String] = []
        let system = texts(
            .middleware(state: { state in
                starts.append(state)
                return starts.count < 3 ? .event("_a") : .none
            }))
        system.start()
        #expect(system.state == "initial_a_a")
        #expect(starts == ["initial", "initial_a", "initial_a_a"])
    }

    @Test func `a predicate stops an incrementing loop`() {
        var listeners: [EffectOutlet<Int>] = []
        let system = sum(
            .predicate({ $0 < 2 }) { _ in
                .attached { outlet in
                    listeners.append(outlet)
                    return { listeners = [] }
                }
            })
        var shown: [Int] = []
        system.bind { shown.append($0) }.start()
        for _ in 0..<7 { for listener in listeners { listener.send(1) } }
        #expect(shown == [0, 1, 2])
    }

    @Test func `a feedback that watches its own loop from inside its effect does not deadlock`() {
        weak var loop: System<Int, Int>?
        let system = sum(
            .skippingRepeated(state: { $0 == 1 }) { isOne in
                guard isOne, let loop else { return .none }
                var seen: Int?
                let binding = loop.scope.bind { if seen == nil { seen = $0 } }
                binding.remove()
                return seen.map { _ in .event(1_000) } ?? .none
            })
        loop = system
        var results: [Int] = []
        system.bind { results.append($0) }.start()
        #expect(results == [0])
        system.send(1)
        #expect(results == [0, 1, 1_001])
    }

    @Test func `an event that is sent while the first state is shown is reduced`() {
        let system = sum()
        var latest: Int?
        var hasSent = false
        system.bind { [unowned system] in
            latest = $0
            if hasSent { return }
            hasSent = true
            system.send(1_000)
        }
        #expect(latest == 1_000)
    }

    @Test func `a thousand events that are sent while the loop starts are all reduced, in order`() {
        var events: [Int] = []
        let burst = Feedback<Int, Int>.always { .events(1...1_000) }
        let system = System<Int, Int>(
            initialState: 0, feedbacks: [burst],
            reducer: {
                events.append($1)
                $0 += $1
            })
        system.start()
        #expect(system.state == 500_500)
        #expect(events == Array(1...1_000))
    }

    @Test func `events are reduced in the order in which they are sent`() {
        let input = Feedback<Int, Int>.input
        var events: [Int] = []
        let system = System<Int, Int>(
            initialState: 0, feedbacks: [input.feedback],
            reducer: {
                events.append($1)
                $0 += $1
            })
        var results: [Int] = []
        system.bind { results.append($0) }.start()
        for number in 1...3 { input.send(number) }
        #expect(results == [0, 1, 3, 6])
        #expect(events == [1, 2, 3])
    }

    @Test func `a feedback sees each state with the event that led to it`() async {
        let input = Feedback<Int, Int>.input
        let journal = Journal()
        let system = sum(
            input.feedback,
            .custom { inputs, _ in
                for await input in inputs { journal.note("\(input.state) \(input.event.map(String.init) ?? "nil")") }
            })
        system.start()
        for number in 1...3 { input.send(number) }
        #expect(await eventually { journal.lines.count == 4 })
        #expect(journal.lines == ["0 nil", "1 1", "3 2", "6 3"])
    }

    @Test func `sending from inside an effect and from inside a binding is safe`() {
        weak var loop: System<Int, Int>?
        let system = sum(
            .whenBecomesTrue({ $0 == 1 }) { _ in
                MainActor.assumeIsolated { loop?.send(2) }
                return .none
            })
        loop = system
        var shown: [Int] = []
        system.bind { [unowned system] in
            if $0 == 3 { system.send(3) }
            shown.append($0)
        }
        system.send(1)
        #expect(shown == [0, 1, 3, 6])
    }
}
