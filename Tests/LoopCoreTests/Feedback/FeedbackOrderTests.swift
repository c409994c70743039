import LoopCore
import LoopMigration
import LoopTesting
import TestSupport
import Testing

/// In which order feedbacks see states, start effects and deliver events.
@MainActor @Suite struct FeedbackOrderTests {
    private typealias Words = Feedback<String, String>

    /// The first states of a loop that appends each event to its state; the loop is stopped behind them.
    private func states(_ count: Int, of feedbacks: [Words]) -> [String] {
        var states: [String] = []
        let system = System<String, String>(initialState: "initial", feedbacks: feedbacks, reducer: { $0 += $1 })
        system.bind { [weak system] state in
            states.append(state)
            if states.count == count { system?.stop() }
        }
        system.start()
        return states
    }

    @Test("one immediate feedback answers each state")
    func oneFeedback() {
        #expect(states(4, of: [.onEachState({ _ in .event("_a") })]) == ["initial", "initial_a", "initial_a_a", "initial_a_a_a"])
    }

    @Test("two immediate feedbacks take turns for ever")
    func twoTakeTurns() {
        let both: [Words] = [.onEachState({ _ in .event("_a") }), .onEachState({ _ in .event("_b") })]
        #expect(
            states(7, of: both) == [
                "initial", "initial_a", "initial_a_b", "initial_a_b_a", "initial_a_b_a_b", "initial_a_b_a_b_a", "initial_a_b_a_b_a_b",
            ])
    }

    @Test("the events of a replaced effect are dropped even if it had ended")
    func staleEventsAreDropped() {
        func unless(_ suffix: String) -> Words {
            .onEachState({ state in state.hasSuffix(suffix) ? .none : .event(suffix) })
        }
        #expect(
            states(5, of: [unless("_a"), unless("_b")])
                == ["initial", "initial_a", "initial_a_b", "initial_a_b_a", "initial_a_b_a_b"])
    }

    @Test("work is first called after the step; replaced before that, it is never called")
    func replacedBeforeItsTurn() async {
        var called: [Int] = []
        let system = System<Int, Int>(
            initialState: 0,
            feedbacks: [
                .onEachState { state in
                    .run {
                        called.append(state)
                        return nil
                    }
                }
            ], reducer: { $0 += $1 })
        for _ in 1...100 { system.send(1) }
        #expect(called == [])
        await system.settled()
        #expect(called == [100])
    }

    @Test("in a step, feedbacks see the state after bindings and middleware, in the order in which they were given")
    func orderInAStep() {
        var seen: [String] = []
        func watch(_ name: String) -> Feedback<Int, Int> {
            Feedback {
                { state, event in
                    seen.append("\(name) \(state) \(event.map(String.init) ?? "-")")
                    return .keep
                }
            }
        }
        let system = System<Int, Int>(
            initialState: 0, feedbacks: [watch("one"), .combine(watch("two"), watch("three"))], reducer: { $0 += $1 })
        system.bind { seen.append("bound \($0)") }
        system.attach(Middleware { seen.append("step \($0.state)") })
        system.send(5)
        #expect(
            seen == [
                "bound 0", "step 0", "one 0 -", "two 0 -", "three 0 -", "bound 5", "step 5", "one 5 5", "two 5 5", "three 5 5",
            ])
    }

    @Test("feedbacks begin at the first isolated call, and what they bring at once comes before what that call sends")
    func beginAtFirstCall() {
        var seen: [String] = []
        let feedback = Words.firstValueAfterNil({ $0 }, effect: { _ in .events(["_1", "_2"]) })
        let system = System<String, String>(initialState: "initial", feedbacks: [feedback], reducer: { $0 += $1 })
        system.bind { seen.append($0) }
        #expect(seen == ["initial"])
        system.send("_sent")
        #expect(seen == ["initial", "initial_1", "initial_1_2", "initial_1_2_sent"])
    }

    @Test("every intermediate state is shown")
    func intermediateStatesAreShown() {
        var shown: [Int] = []
        let countDown = Feedback<Int, Int>.react({ _ in .event(-1) }, when: { $0 > 0 })
        let system = System<Int, Int>.pure(
            initialState: 0, reducer: { (state: inout Int, event: Int) in state += event }, uiBindings: [{ shown.append($0) }, nil],
            feedback: [countDown])
        system.send(3)
        #expect(shown == [0, 3, 2, 1, 0])
    }

    @Test("a feedback sees the loading state, the settled one, and what a failed event left, with the event only where it was reduced")
    func loadingAndFailing() async {
        struct Broken: Error {}
        var seen: [String] = []
        let watch = Feedback<Int, Int> {
            { state, event in
                seen.append("\(state) \(event.map(String.init) ?? "-")")
                return .keep
            }
        }
        let system = System<Int, Int>(
            initialState: 0, feedbacks: [watch],
            next: { (state: Int, event: Int) -> Next<Int> in
                .run { if event < 0 { throw Broken() } else { state + event } }.stateWhenLoading(100)
            })
        system.send(1)
        await system.settled()
        system.send(-1)
        await system.settled()
        #expect(seen == ["0 -", "100 -", "1 1", "100 -", "1 -"])
    }

    @Test("a send from inside an effect's beginning waits until the step has ended")
    func sendFromInsideAnEffect() {
        var states: [Int] = []
        let box = Weak<System<Int, Int>>.Box()
        let feedback = Feedback<Int, Int>.whenBecomesTrue({ $0 == 1 }) { _ in
            .attached { _ in
                box.object?.send(2)
                states.append(-1)
                return {}
            }
        }
        let system = System<Int, Int>(initialState: 0, feedbacks: [feedback], reducer: { $0 += $1 })
        box.object = system
        system.bind { [weak system] state in
            if state == 3 { system?.send(3) }
            states.append(state)
        }
        system.send(1)
        #expect(states == [0, 1, -1, 3, 6])
    }

    @Test("numbers have no holes, whether events were sent, came from feedbacks, or were removed")
    func numbersHaveNoHoles() {
        let recorder = StepRecorder<Int, Int>()
        let burst = Feedback<Int, Int>.lensing(state: { $0 < 40 ? $0 : nil }) { _ in .events([1, 1, 1]) }
        let system = System<Int, Int>(initialState: 0, feedbacks: [burst], reducer: { $0 += $1 })
        system.attach(recorder.middleware)
        system.send(10)
        system.send(20)
        #expect(recorder.numbers == Array(1...recorder.numbers.count))
        #expect(system.state >= 40)
    }
}
