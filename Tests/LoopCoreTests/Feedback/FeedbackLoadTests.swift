import LoopCore
import LoopMigration
import TestSupport
import Testing

/// Many feedback events: no recursion, no queue that is searched.
@MainActor @Suite struct FeedbackLoadTests {
    @Test("a chain of very many feedback events needs no more stack than one")
    func longChain() {
        let events = isNight ? 200_000 : 60_000
        let system = System<Int, Int>(
            initialState: 0, feedbacks: [.react({ _ in .event(1) }, when: { $0 > 0 && $0 < events })], maxFeedbackEvents: 1_000_000,
            reducer: { $0 += $1 })
        system.send(1)
        #expect(system.state == events)
    }

    @Test("an effect that is replaced at each of very many waiting events keeps its place in the queue")
    func replacedBehindManyEvents() {
        let events = isNight ? 100_000 : 30_000
        var answers: [Int] = []
        let system = System<Int, Int>(
            initialState: 0, feedbacks: [.lensing(state: { $0 > 0 ? $0 : nil }) { .event(-$0) }],
            reducer: { state, event in
                if event < 0 { answers.append(event) }
                state = max(0, event)
            })
        system.bind { [weak system] state in
            if state == 1 { for event in 2...events { system?.send(event) } }
        }
        system.send(1)
        // Each answer waits behind all that was sent, and the next state's answer replaces it: only the last one comes.
        #expect(answers == [-events])
        #expect(system.eventNumber == events + 1)
    }

    @Test("very many effects side by side are all forgotten when they end")
    func manySideBySide() async {
        let effects = isNight ? 100_000 : 20_000
        let system = System<Int, Int>(
            initialState: 0,
            feedbacks: [
                .middleware(event: { event in
                    .run {
                        if event == 1 { await Task.yield() }
                        return event == 1 ? 0 : nil
                    }
                })
            ], reducer: { $0 += $1 })
        for _ in 1...effects { system.send(1) }
        await system.settled()
        #expect(system.state == effects)
        #expect(system.eventNumber == 2 * effects)
        #expect(system.runningEffects == 0)
    }

    @Test("what is left of a burst of 100,000 events is not walked through at each restart")
    func placesOfABurst() {
        let system = System<Int, Int>(
            initialState: 0,
            feedbacks: [.react({ $0 == 0 ? .events(repeatElement(1, count: 100_000)) : .events([1, 1]) }, when: { $0 < 5_000 })],
            maxFeedbackEvents: 100_000, reducer: { $0 += $1 })
        system.start()
        // The last restart is at 4,999. Its second event stays, because nothing replaces it at 5,000.
        #expect(system.state == 5_001)
    }

    @Test("states do not pile up for a custom feedback whose function has ended")
    func endedCustomFeedback() async {
        final class Token {}
        let system = System<Token, Int>(
            initialState: Token(), feedbacks: [.custom { inputs, _ in for await _ in inputs { break } }],
            returning: { _, _ in Token() })
        system.start()
        while system.runningEffects > 0 { await Task.yield() }
        system.send(1)
        let seen = Weak(system.state)
        system.send(2)
        #expect(seen.object == nil)
    }
}
