import LoopCore
import LoopMigration
import LoopTesting
import TestSupport
import Testing

extension ArchitectureKitBehaviour {
    /// The faults of ArchitectureKit, each with a test that ArchitectureKit itself would fail.
    @MainActor @Suite struct Mends {
        enum Failure: Error, Equatable { case broken }

        @Test func `all events are reduced though no callback was given`() async {
            let system = System<Int, Int>.pure(initialState: 0, context: (), reducer: { $0 + $1 })
            for number in 1...100 { system.send(number) }
            await system.settled()
            #expect(system.state == 5_050)
        }

        @Test func `an action sends what it is given when it is executed`() {
            let rename = UserAction<String, String> { $0 }
            let system = System<String, String>.pure(initialState: "", reducer: { $0 + $1 }, userActions: [rename])
            rename.execute("a")
            rename.execute("b")
            #expect(system.state == "ab")
        }

        @Test func `the states between an event and the end of its feedbacks are rendered`() async {
            var shown: [Int] = []
            let system = System<Int, Int>.pure(
                initialState: 0, reducer: { $0 + $1 }, uiBindings: [{ shown.append($0) }],
                feedback: [.react({ _ in .event(1) }, when: { 0 < $0 && $0 < 4 })])
            system.send(1)
            await system.settled()
            #expect(shown == [0, 1, 2, 3, 4])
        }

        @Test func `at most five feedback events for each event from outside where AK's rule is asked for`() async {
            let recorder = StepRecorder<Int, Int>()
            let system = System<Int, Int>.pure(
                initialState: 0, reducer: { $0 + $1 }, feedback: [.react({ _ in .event(1) }, when: { $0 > 0 })],
                maxFeedbackEvents: .perOutsideEvent(5))
            system.attach(recorder.middleware)
            system.send(1)
            #expect(system.state == 6)
            system.send(1)
            #expect(system.state == 12)
            #expect(recorder.errors.count == 2 && recorder.errors.allSatisfy { $0 is RunawayFeedback })
        }

        /// ArchitectureKit asks all its feedbacks five times, so that its limit is five for each feedback.
        @Test func `five times as many where several feedbacks answer`() {
            let system = System<Int, Int>.pure(
                initialState: 0, reducer: { $0 + $1 },
                feedback: [.react({ _ in .event(1) }, when: { $0 > 0 }), .react({ _ in .event(1) }, when: { $0 > 0 })],
                maxFeedbackEvents: .perOutsideEvent(5 * 2))
            system.send(1)
            #expect(system.state == 11)
        }

        /// In ArchitectureKit the second feedback sees the state that the first one led to, and stays silent.
        @Test func `two feedbacks on one flag both answer`() async {
            let answers = { (name: String) in Feedback<[String], String>.react({ _ in .run { name } }, when: { $0 == ["load"] }) }
            let system = System<[String], String>.pure(
                initialState: [], reducer: { $0 + [$1] }, feedback: [answers("a"), answers("b")])
            system.send("load")
            await system.settled()
            #expect(system.state == ["load", "a", "b"])
        }

        @Test func `the rule counts effects that wait, too`() async {
            let system = System<Int, Int>.pure(
                initialState: 0, reducer: { $0 + $1 },
                feedback: [
                    .react(
                        { _ in
                            .run {
                                await Task.yield()
                                return 1
                            }
                        }, when: { $0 > 0 })
                ], maxFeedbackEvents: .perOutsideEvent(5))
            system.send(1)
            await system.settled()
            #expect(system.state == 6)
        }

        @Test func `an effect that fails is reported, keeps the state so far and does not stop the loop`() async {
            let recorder = StepRecorder<Int, Int>()
            let load = AsyncResult<Int, Int> { limit in if limit > 0 { throw Failure.broken } else { 100 } }
            let system = System<Int, Int>.pure(
                initialState: 0, context: 3, reducer: { $0 + $1 },
                feedback: [DependentFeedback { context in .react({ _ in try await load.run(in: context) }, when: { $0 == 1 }) }])
            system.attach(recorder.middleware)
            system.send(1)
            await system.settled()
            #expect(system.state == 1)
            #expect(recorder.errors.map { $0 as? Failure } == [.broken])
            #expect(recorder.steps.last?.phase == .effectFailed)
            system.send(1)
            system.send(1)
            await system.settled()
            #expect(system.state == 3)
        }

        @Test func `an action keeps its systems alive, and they do not keep it`() {
            var action: UserAction<Void, Int>? = UserAction(trigger: 1)
            var system: System<Int, Int>? = .pure(initialState: 0, reducer: { $0 + $1 }, userActions: [action!])
            let held = Weak(system)
            let released = Weak(action)
            system = nil
            #expect(held.object != nil)
            action?.execute()
            #expect(held.object?.state == 1)
            action = nil
            #expect(released.object == nil)
            #expect(held.object == nil)
        }
    }
}
