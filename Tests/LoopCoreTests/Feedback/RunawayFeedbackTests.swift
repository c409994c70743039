@testable import LoopCore
import LoopMigration
import LoopTesting
import Testing

/// Chains of feedback events that do not end.
@MainActor @Suite struct RunawayFeedbackTests {
    private func runaways(_ recorder: StepRecorder<Int, Int>) -> [RunawayFeedback] { recorder.errors.compactMap { $0 as? RunawayFeedback } }

    private func system(
        _ feedbacks: [Feedback<Int, Int>], limit: FeedbackLimit = .defaultLimit
    ) -> (System<Int, Int>, StepRecorder<Int, Int>) {
        let recorder = StepRecorder<Int, Int>()
        let system = System<Int, Int>(initialState: 0, feedbacks: feedbacks, maxFeedbackEvents: limit, reducer: { $0 += $1 })
        system.attach(recorder.middleware)
        return (system, recorder)
    }

    @Test("a chain without end is stopped after 1,000 events; the event that was one too many changes nothing and is told as failed")
    func stopsAtTheLimit() {
        let (system, recorder) = system([.react({ _ in .event(1) }, when: { $0 > 0 })])
        system.send(1)
        #expect(system.state == 1_001)
        #expect(recorder.numbers == Array(1...1_002))
        #expect(runaways(recorder) == [RunawayFeedback(limit: 1_000, dropped: 0)])
        #expect(recorder.steps.last?.state == 1_001 && recorder.steps.last?.event == 1)
        #expect(system.isSettled)
    }

    @Test("the system goes on afterwards, with a new count for each event from outside")
    func goesOn() {
        let (system, recorder) = system([.react({ _ in .event(1) }, when: { $0 > 0 })], limit: 10)
        system.send(1)
        system.send(100)
        #expect(system.state == 11 + 100 + 10)
        #expect(runaways(recorder).count == 2)
    }

    @Test("an asynchronous function that never suspends is no way round the limit")
    func functionsThatDoNotSuspendCount() async {
        let (system, recorder) = system([.react({ (_: Int) async -> Int? in 1 }, when: { $0 > 0 })], limit: 10)
        system.send(1)
        await system.settled()
        #expect(system.state == 11)
        #expect(runaways(recorder).count == 1)
    }

    @Test("several feedbacks share one count, and what they have queued is dropped together")
    func severalFeedbacks() {
        let each: Feedback<Int, Int> = .react({ _ in .event(1) }, when: { $0 > 0 })
        let (system, recorder) = system([each, each, each], limit: 10)
        system.send(1)
        #expect(system.state == 11)
        #expect(runaways(recorder) == [RunawayFeedback(limit: 10, dropped: 2)])
        #expect(system.isSettled)
    }

    @Test("exactly the limit is no runaway", arguments: [0, 1, 5, 1_000])
    func exactlyTheLimit(count: Int) {
        let (system, recorder) = system([.react({ _ in .event(1) }, when: { $0 > 0 && $0 <= count })], limit: .inARow(count))
        system.send(1)
        #expect(system.state == 1 + count)
        #expect(recorder.errors.isEmpty)
    }

    @Test("events that one effect sends side by side are no chain, however many")
    func manySideBySide() {
        let (system, recorder) = system([
            .always {
                .attached { outlet in
                    for _ in 1...5_000 { outlet.send(1) }
                    return {}
                }
            }, .onEachEvent { $1 == 2 ? .events(Array(repeating: 1, count: 5_000)) : .none },
        ])
        system.send(2)
        #expect(system.state == 10_002)
        #expect(recorder.errors.isEmpty)
    }

    @Test("events that follow from one are stopped at 1,000 times the limit, though no chain is long")
    func tooManyFollowers() {
        let (system, recorder) = system(
            [.onEachEvent { $1 == 2 ? .events(Array(repeating: 1, count: 3_001)) : .none }], limit: 3)
        system.send(2)
        #expect(system.state == 3_002)
        #expect(runaways(recorder).count == 1)
    }

    @Test("an event delivered after its effect suspended starts a new count")
    func suspendedStartsANewCount() async {
        let (system, recorder) = system(
            [
                .react(
                    { (_: Int) async -> Int? in
                        await Task.yield()
                        return 1
                    }, when: { $0 > 0 && $0 < 5_000 })
            ], limit: 3)
        system.send(1)
        await system.settled()
        #expect(system.state == 5_000)
        #expect(recorder.errors.isEmpty)
    }

    @Test("the state that work of a Next led to starts a new count exactly if the work suspended", arguments: [true, false])
    func suspendedWorkStartsANewCount(isSuspending: Bool) async {
        let recorder = StepRecorder<Int, Int>()
        let system = System<Int, Int>(
            initialState: 0, feedbacks: [.react({ _ in .event(1) }, when: { $0 > 0 && $0 < 100 })], maxFeedbackEvents: 3,
            next: { (state: Int, event: Int) -> Next<Int> in
                .run {
                    if isSuspending { await Task.yield() }
                    return state + event
                }
            })
        system.attach(recorder.middleware)
        system.send(1)
        await system.settled()
        #expect(system.state == (isSuspending ? 100 : 4))
        #expect(runaways(recorder).count == (isSuspending ? 0 : 1))
    }

    @Test("per outside event, suspended events count too")
    func perOutsideEvent() async {
        let (system, recorder) = system(
            [
                .react(
                    { (_: Int) async -> Int? in
                        await Task.yield()
                        return 1
                    }, when: { $0 > 0 })
            ], limit: .perOutsideEvent(5))
        system.send(1)
        await system.settled()
        #expect(system.state == 6)
        #expect(runaways(recorder) == [RunawayFeedback(limit: .perOutsideEvent(5), dropped: 0)])
        system.send(10)
        await system.settled()
        #expect(system.state == 21)
    }

    @Test("the error says what happened and what to do")
    func description() {
        #expect(
            RunawayFeedback(limit: 1_000, dropped: 2).description
                == "runaway feedback: 1000 events in a row came from feedbacks, and 3 more were dropped. Let a feedback start nothing for "
                + "the state that its own event leads to, or raise maxFeedbackEvents.")
        #expect(
            RunawayFeedback(limit: .perOutsideEvent(5), dropped: 0).description.contains(
                "5 events came from feedbacks for one event from outside"))
    }

    @Test("events from outside that wait among the chain's are not dropped with it")
    func outsideEventsStay() {
        let (system, recorder) = system([.react({ $0 < 1_000 ? .events([1, 1, 1]) : .none }, when: { $0 > 0 })], limit: 4)
        system.bind { [weak system] state in if state == 3 { system?.send(1_000_000) } }
        system.send(1)
        #expect(recorder.events.contains(1_000_000))
        #expect(system.state > 1_000_000)
    }
}
