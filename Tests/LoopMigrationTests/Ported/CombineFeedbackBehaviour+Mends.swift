import LoopCore
import LoopMigration
import LoopTesting
import TestSupport
import Testing

extension CombineFeedbackBehaviour {
    /// CombineFeedback's faults, each with a test that it would fail itself, and its cancellation rules, which ours keeps.
    @MainActor @Suite struct Mends {
        struct Screen: Equatable {
            var user: String?
            var count = 0
        }

        enum ScreenEvent { case user(String?), loaded, other }

        private func screen(_ feedbacks: Feedback<Screen, ScreenEvent>..., user: String? = nil) -> System<Screen, ScreenEvent> {
            System(
                initialState: Screen(user: user), feedbacks: feedbacks,
                reducer: { (state: inout Screen, event: ScreenEvent) in
                    switch event {
                    case .user(let user): state.user = user
                    case .loaded: state.count += 1
                    case .other: break
                    }
                })
        }

        // MARK: Leaving

        @Test func `leaving the optional cancels the effect that runs`() async {
            let answer = Answer<Void>()
            let local = Feedback<String, Void>.middleware(state: { _ in .run { try await answer() } })
            let system = screen(
                local.pullback(state: \.user, event: EnumCase(embed: { .loaded }, extract: { if case .loaded = $0 { () } else { nil } })),
                user: "a")
            system.start()
            #expect(await eventually { answer.asked == 1 })
            system.send(.user(nil))
            #expect(await eventually { answer.cancelled == 1 })
            answer.give(())
            await system.settled()
            #expect(system.state == Screen())
        }

        @Test func `entering the optional again is a new beginning`() async {
            var started: [String] = []
            let local = Feedback<String, Void>.skippingRepeated(state: { $0 }) {
                started.append($0)
                return nil
            }
            let system = screen(local.pullback(state: \.user, event: EnumCase(embed: { .loaded }, extract: { _ in nil })))
            for user in ["a", "a", nil, "a"] {
                system.send(.user(user))
                await giveWay()
            }
            await system.settled()
            #expect(started == ["a", "a"])
        }

        enum Flow: Equatable { case signIn(Int), home(Int) }
        enum FlowEvent { case signIn(Void), home(Void), leave }

        @Test func `leaving the enum case cancels the effect that runs, and the new case starts its own`() async {
            let signIn = Answer<Void>()
            let home = Answer<Void>()
            func local(_ answer: Answer<Void>) -> Feedback<Int, Void> { .middleware(state: { _ in .run { try await answer() } }) }
            let system = System<Flow, FlowEvent>(
                initialState: .signIn(0),
                feedbacks: [
                    local(signIn).pullback(state: EnumCase(Flow.signIn), event: EnumCase(FlowEvent.signIn)),
                    local(home).pullback(state: EnumCase(Flow.home), event: EnumCase(FlowEvent.home)),
                ], returning: { flow, event in if case .leave = event { .home(0) } else { flow } })
            system.start()
            #expect(await eventually { signIn.asked == 1 } && home.asked == 0)
            system.send(.leave)
            #expect(await eventually { signIn.cancelled == 1 && home.asked == 1 })
            system.stop()
            #expect(await eventually { home.cancelled == 1 })
        }

        @Test func `leaving through optional() cancels, too`() async {
            let answer = Answer<String>()
            let local = Feedback<String, String>.middleware(state: { _ in .run { try await answer() } })
            let system = System<String?, String>(
                initialState: "a", feedbacks: [local.optional()], returning: { _, event in event.isEmpty ? nil : event })
            system.start()
            #expect(await eventually { answer.asked == 1 })
            system.send("")
            #expect(await eventually { answer.cancelled == 1 })
            #expect(system.state == nil)
        }

        // MARK: Events

        @Test func `another event does not cancel what lensing by event runs`() async {
            let answer = Answer<Void>()
            let system = screen(
                .lensing(event: { if case .user(let user) = $0 { user } else { nil } }) { _ in
                    .run {
                        try await answer()
                        return .loaded
                    }
                })
            system.send(.user("a"))
            system.send(.other)
            system.send(.user(nil))
            #expect(await eventually { answer.asked == 1 })
            answer.give(())
            await system.settled()
            #expect(answer.cancelled == 0)
            #expect(system.state.count == 1)
        }

        @Test(arguments: [false, true])
        func `middleware by event is cancelled by the next event only where that is asked for`(_ cancels: Bool) async {
            let answer = Answer<Void>()
            let system = screen(
                .middleware(cancelsPrevious: cancels) { (_: Screen, event: ScreenEvent) async throws -> ScreenEvent? in
                    guard case .user = event else { return nil }
                    try await answer()
                    return .loaded
                })
            system.send(.user("a"))
            #expect(await eventually { answer.asked == 1 })
            system.send(.user("b"))
            #expect(await eventually { answer.asked == 2 })
            #expect(await eventually { answer.cancelled == (cancels ? 1 : 0) })
            answer.give(())
            await system.settled()
            #expect(system.state.count == (cancels ? 1 : 2))
        }

        @Test func `events that are sent while the loop starts are all reduced`() {
            let input = Feedback<Int, Int>.input
            let atStart = Feedback<Int, Int>.always { .events(1...500) }
            let system = System<Int, Int>(initialState: 0, feedbacks: [input.feedback, atStart], reducer: { $0 += $1 })
            var isFirst = true
            system.bind { [unowned system] _ in
                guard isFirst else { return }
                isFirst = false
                for number in 501...1_000 { system.send(number) }
            }
            system.start()
            #expect(system.state == 500_500)
            #expect(system.eventNumber == 1_000)
        }

        // MARK: Rules that are kept

        /// The last state of a system whose effect queues two events at the state `"go"`, with `next` sent before they are reduced.
        private func queued(_ flavour: (@escaping (String) -> String?) -> Feedback<String, String>, then next: String) -> String {
            let system = System<String, String>(
                initialState: "", feedbacks: [flavour { ["go", "go2"].contains($0) ? $0 : nil }],
                reducer: { $0 = $1.hasPrefix("+") ? $0 + $1 : $1 })
            system.bind { [unowned system] in if $0 == "go" { system.send(next) } }
            system.send("go")
            return system.state
        }

        @Test func `a new control value removes the queued events of the effect that it replaces`() {
            let state = queued(
                { control in .compacting(state: control, effect: { .merge([.events(["+a", "+\($0)"]), .attached { _ in {} }]) }) },
                then: "go2")
            #expect(state == "go2+a+go2")
        }

        @Test func `an effect that has ended keeps its events when its state is left`() {
            let state = queued({ control in .lensing(state: control, effect: { _ in .events(["+a", "+b"]) }) }, then: "left")
            #expect(state == "left+a+b")
        }

        @Test func `an effect that still runs loses its queued events when its state is left`() {
            let state = queued(
                { control in .lensing(state: control, effect: { _ in .merge([.events(["+a", "+b"]), .attached { _ in {} }]) }) },
                then: "left")
            #expect(state == "left")
        }

        @Test func `a completed source keeps its events, and a replaced effect loses its late ones`() async {
            let answer = Answer<String>()
            let system = System<String, String>(
                initialState: "", feedbacks: [.skippingRepeated(state: { $0.last }) { _ in try await answer() }], reducer: { $0 += $1 })
            system.send("a")
            #expect(await eventually { answer.asked == 1 })
            system.send("b")
            #expect(await eventually { answer.asked == 2 && answer.cancelled == 1 })
            answer.give("b")
            await system.settled()
            #expect(system.state == "abb")
        }

        @Test func `equal states need not be rendered again`() {
            let system = screen()
            var rendered: [Screen] = []
            system.scope.bind(removingDuplicates: ==) { rendered.append($0) }
            for _ in 0..<5 { system.send(.other) }
            system.send(.loaded)
            #expect(rendered == [Screen(), Screen(count: 1)])
        }
    }
}
