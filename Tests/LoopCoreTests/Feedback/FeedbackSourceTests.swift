import LoopCore
import LoopMigration
import LoopTesting
import Testing

/// Flavours that start once: inputs, streams, call-backs and complete freedom.
@MainActor @Suite struct FeedbackSourceTests {
    private func system(_ feedbacks: [Feedback<Int, Int>]) -> (System<Int, Int>, () -> [Int]) {
        var states: [Int] = []
        let system = System<Int, Int>(initialState: 0, feedbacks: feedbacks, reducer: { $0 += $1 })
        system.bind { states.append($0) }
        system.start()
        return (system, { states })
    }

    @Test("an input's event is reduced before its send returns")
    func inputIsSynchronous() {
        let input = Feedback<Int, Int>.input
        let (_system, states) = system([input.feedback])
        input.send(1)
        #expect(states() == [0, 1])
        input.send(2)
        #expect(states() == [0, 1, 3])
        _ = _system
    }

    @Test("after stop, an input moves nothing")
    func inputAfterStop() {
        let input = Feedback<Int, Int>.input
        let (system, states) = system([input.feedback])
        input.send(1)
        system.stop()
        input.send(2)
        #expect(states() == [0, 1])
    }

    @Test("one input reaches every system that has it, and forgets those that ended")
    func inputReachesSeveral() {
        let input = Feedback<Int, Int>.input
        let (one, _) = system([input.feedback])
        let (two, _) = system([input.feedback])
        input.send(4)
        two.stop()
        input.send(1)
        #expect(one.state == 5 && two.state == 4)
    }

    @Test("feedback events arrive with the state each led to")
    func customSeesAll() async {
        let input = Feedback<Int, Int>.input
        var seen: [String] = []
        let watch = Feedback<Int, Int>.custom { inputs, _ in
            for await each in inputs { seen.append("(\(each.state),\(each.event.map(String.init) ?? "nil"))") }
        }
        let (system, _) = system([input.feedback, watch])
        for event in 1...3 { input.send(event) }
        while seen.count < 4 { await Task.yield() }
        #expect(seen == ["(0,nil)", "(1,1)", "(3,2)", "(6,3)"])
        system.stop()
    }

    @Test("a custom feedback answers states in its own time and misses none")
    func customAnswers() async {
        let feedback = Feedback<Int, Int>.custom { inputs, outlet in
            for await each in inputs where each.event == 1 { outlet.send(100) }
        }
        let (system, _) = system([feedback])
        for _ in 1...5 { system.send(1) }
        while system.state < 505 { await Task.yield() }
        #expect(system.state == 505)
    }

    @Test("an error of a custom feedback is a step of its own, and the loop goes on")
    func customThrows() async {
        struct Broken: Error {}
        let recorder = StepRecorder<Int, Int>()
        let system = System<Int, Int>(initialState: 0, feedbacks: [.custom { _, _ in throw Broken() }], reducer: { $0 += $1 })
        system.attach(recorder.middleware)
        system.start()
        while recorder.errors.isEmpty { await Task.yield() }
        system.send(1)
        #expect(system.state == 1)
        #expect(recorder.phases == [.initial, .effectFailed, .settled])
        #expect(recorder.errors.first is Broken)
    }

    @Test("a source's elements become events, and its end keeps them")
    func source() async {
        let (stream, feed) = AsyncStream<String>.makeStream()
        let (system, _) = system([.source({ stream }, as: { Int($0) ?? 0 })])
        for text in ["1", "20", "300"] { feed.yield(text) }
        feed.finish()
        while system.state < 321 { await Task.yield() }
        #expect(system.eventNumber == 3)
    }

    @Test("a predicate below 2 on a loop that counts up gives 0, 1, 2 and stops")
    func predicateStops() {
        let input = Feedback<Int, Int>.input
        var outlets: [EffectOutlet<Int>] = []
        let gated = Feedback<Int, Int>.predicate({ $0 < 2 }) { _ in
            .attached { outlet in
                outlets = [outlet]
                return { outlets = [] }
            }
        }
        let (_system, states) = system([input.feedback, gated])
        for _ in 1...7 { for outlet in outlets { outlet.send(1) } }
        #expect(states() == [0, 1, 2])
        _ = _system
    }

    @Test("merged effects begin in their order, run side by side and end together")
    func merge() {
        var ends: [String] = []
        let (system, states) = system([
            .lensing(state: { $0 == 1 ? $0 : nil }) { _ in
                .merge([
                    .attached { outlet in
                        outlet.send(10)
                        return { ends.append("first") }
                    },
                    .attached { outlet in
                        outlet.send(20)
                        return { ends.append("second") }
                    },
                ])
            }
        ])
        system.send(1)
        // Leaving state 1 cancels the effect and removes its event that waits.
        #expect(states() == [0, 1, 11])
        #expect(ends == ["first", "second"])
    }

    @Test("a failing effect is told as a step of its own, without an event or a change, and the loop goes on")
    func failingEffect() async {
        struct Broken: Error, Equatable {}
        let recorder = StepRecorder<Int, Int>()
        let (system, _) = system([
            .middleware(event: { event in
                .run {
                    if event == 2 { await Task.yield() }
                    throw Broken()
                }
            })
        ])
        system.attach(recorder.middleware)
        system.send(1)
        await system.settled()
        system.send(2)
        system.send(3)
        await system.settled()
        #expect(recorder.errors.map { $0 is Broken } == [true, true, true])
        let failed = recorder.steps.filter { $0.phase == .effectFailed }
        #expect(failed.map(\.number) == [1, 3, 3])
        #expect(failed.allSatisfy { $0.event == nil })
        #expect(failed.map(\.state) == [1, 6, 6])
        #expect(recorder.numbers == [1, 2, 3])
    }

    @Test("settled waits for functions and not for streams")
    func settledWaitsForFunctions() async {
        let gate = Gate()
        let (system, _) = system([
            .always { .stream { AsyncStream<Int> { _ in } } },
            .lensing(state: { $0 == 1 ? $0 : nil }) { _ in
                .run {
                    await gate.pass()
                    return 5
                }
            },
        ])
        await system.settled()
        system.send(1)
        #expect(!system.isSettled)
        await gate.whenEntered(1)
        gate.open()
        await system.settled()
        #expect(system.state == 6)
    }

    @Test("a dependency reaches every feedback, and a part's comes out of the whole's")
    func dependency() {
        struct Services { var step = 7; var inner = 30 }
        let own = DependentFeedback<Int, Int, Services> { services in .lensing(state: { $0 == 1 ? $0 : nil }) { _ in .event(services.step) }
        }
        let part = DependentFeedback<Int, Int, Int> { number in .lensing(state: { $0 == 8 ? $0 : nil }) { _ in .event(number) } }
        let system = System<Int, Int>(
            initialState: 0, dependency: Services(),
            feedbacks: [.combine(own, part.pullback(state: \.self, event: .whole, dependency: \.inner))], reducer: Reducer { $0 += $1 })
        system.send(1)
        #expect(system.state == 38)
        let pure = System<Int, Int>.pure(
            initialState: 0, context: Services(step: 2), reducer: { (state: Int, event: Int) -> Int in state + event }, feedback: [own])
        pure.send(1)
        #expect(pure.state == 3)
    }
}
