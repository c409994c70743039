import LoopCore
import LoopTesting
import TestSupport
import Testing

/// What becomes of events that wait when their effect is given up.
@MainActor @Suite struct FeedbackLeavingTests {
    /// `nil` is a part that is closed.
    private typealias Whole = Int?

    private enum Event: Equatable { case open(Int), close, part(Int) }

    private static let partEvent = EnumCase<Event, Int>(
        embed: Event.part, extract: { if case .part(let number) = $0 { number } else { nil } })

    private func system(_ feedback: Feedback<Int, Int>) -> (System<Whole, Event>, StepRecorder<Whole, Event>) {
        let system = System<Whole, Event>(
            initialState: nil, feedbacks: [feedback.pullback(state: { $0 }, event: Self.partEvent)],
            reducer: { (whole: inout Whole, event: Event) in
                switch event {
                case .open(let number): whole = number
                case .close: whole = nil
                case .part(let number): whole = number
                }
            })
        let recorder = StepRecorder<Whole, Event>()
        system.attach(recorder.middleware)
        return (system, recorder)
    }

    @Test(
        "a part that closes takes its effects' waiting events with it, also those of ended effects",
        arguments: ["replaced", "beside", "given up"])
    func closing(kind: String) {
        let feedback: Feedback<Int, Int> =
            switch kind {
            case "replaced": .onEachState { $0 == 1 ? .events([10, 11]) : .none }
            case "beside": .onEachEvent { _, event in event == 7 ? .events([10, 11]) : .none }
            // The effect has ended and nothing replaces it, then the part closes.
            default: .onEachState { $0 == 1 ? .events([10, 11]) : .none }
            }
        let (system, recorder) = system(feedback)
        system.start()
        system.bind { [weak system] state in
            switch (kind, state) {
            case ("replaced", 1): system?.send(.close)
            case ("beside", 1): system?.send(.part(7))
            case ("beside", 7): system?.send(.close)
            case ("given up", 1):
                system?.send(.part(2))
                system?.send(.close)
            default: break
            }
        }
        system.send(.open(1))
        #expect(system.state == nil)
        #expect(!recorder.events.contains(.part(10)) && !recorder.events.contains(.part(11)))
    }

    @Test func `a part that is opened again never sees an event of its former life`() {
        let (system, recorder) = system(.onEachState { $0 == 1 ? .events([10, 11]) : .none })
        system.bind { [weak system] state in
            guard state == 1 else { return }
            system?.send(.close)
            system?.send(.open(2))
        }
        system.send(.open(1))
        #expect(system.state == 2)
        #expect(recorder.events == [.open(1), .close, .open(2)])
    }

    @Test func `an effect that has ended keeps its events while the part stays open and nothing replaces it`() {
        let (system, recorder) = system(.onEachState { $0 == 1 ? .events([10, 11]) : .none })
        system.send(.open(1))
        #expect(recorder.events == [.open(1), .part(10), .part(11)])
    }

    private final class Token {}

    private struct Carrier {
        let name: String
        let token: Token?
    }

    @Test(arguments: ["stopped", "released"])
    func `an event that took another one's place is released with its system`(end: String) {
        let weak = Weak<Token>.Box()
        var system: System<String, Carrier>? = System<String, Carrier>(
            initialState: "",
            feedbacks: [
                .onEachState { state in
                    if state.isEmpty || state == "last" { return .none }
                    let token = Token()
                    weak.object = token
                    return .event(Carrier(name: "effect", token: token))
                }
            ],
            reducer: { $0 = $1.name })
        let stops = end == "stopped"
        system?.bind { [weak system] state in
            if state == "first" {
                // The effect's event waits behind these; at "second" it gets another one in its place.
                for name in ["second", "last"] { system?.send(Carrier(name: name, token: nil)) }
            }
            if state == "last", stops { system?.stop() }
        }
        if !stops {
            // Work that never ends keeps the queue waiting while the system goes.
            system = System<String, Carrier>(
                initialState: "",
                feedbacks: [
                    .onEachState { state in
                        if !state.hasPrefix("loading") { return .none }
                        let token = Token()
                        weak.object = token
                        return .event(Carrier(name: "effect", token: token))
                    }
                ],
                next: { (_: String, _: Carrier) -> Next<String> in
                    Next.run { "x" }.stateWhenLoading("loading").flatMap { _ in
                        Next.run {
                            while !Task.isCancelled { await Task.yield() }
                            return "end"
                        }.stateWhenLoading("loading more")
                    }
                })
        }
        system?.send(Carrier(name: "first", token: nil))
        #expect(stops || weak.object != nil)
        system = nil
        #expect(weak.object == nil)
    }

    @Test func `stop counts the waiting events of effects, running or ended`() {
        var dropped: Int?
        let system = System<Int, Int>(
            initialState: 0,
            feedbacks: [
                .onEachState { $0 == 1 ? .events([2, 3]) : .none },
                .while({ $0 > 0 }) { _ in .merge([.event(4), .attached { _ in {} }]) },
            ], reducer: { $0 = $1 })
        system.bind { [weak system] state in
            if state == 1 { system?.send(5) }
            if state == 5 { dropped = system?.stop() }
        }
        system.send(1)
        #expect(dropped == 3)
    }
}
