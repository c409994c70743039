import LoopCore
import LoopMigration
import LoopTesting
import TestSupport
import Testing

/// What ends an effect, and what becomes of its events.
@MainActor @Suite struct FeedbackCancellationTests {
    /// A stream that the test feeds and that tells when it was cancelled.
    final class Tap {
        private(set) var outlets: [EffectOutlet<Int>] = []
        private(set) var log: [String] = []

        func effect(_ name: some Any) -> Effect<Int> {
            .attached { outlet in
                self.log.append("on \(name)")
                self.outlets.append(outlet)
                return { self.log.append("off \(name)") }
            }
        }

        func note(_ text: String) { log.append(text) }

        func send(_ event: Int) { outlets.last?.send(event) }
    }

    private func system(_ feedback: Feedback<Int, Int>, initial: Int = 0) -> System<Int, Int> {
        System(initialState: initial, feedbacks: [feedback], reducer: { $0 = $1 })
    }

    /// What each flavour does at the states 0 (at the beginning), 1, 2, 2, -1, 3; it takes a state below 1 as `nil` or false.
    @Test(
        "each flavour restarts and cancels as its table says",
        arguments: [
            ("compacting", "on 1, off 1, on 2, off 2, on 2, off 2, on 3"),
            ("lensing", "on 1, off 1, on 2, off 2, on 2, off 2, on 3"),
            ("skippingRepeated", "on 1, off 1, on 2, off 2, on 3"),
            ("firstValueAfterNil", "on 1, off 1, on 3"),
            ("predicate", "on 1, off 1, on 3"),
            ("whenBecomesTrue", "on 1, off 1, on 3"),
            ("react", "on 1, off 1, on 2, off 2, on 2, off 2, on 3"),
            ("middleware(state:)", "on 0, off 0, on 1, off 1, on 2, off 2, on 2, off 2, on -1, off -1, on 3"),
            ("compacting(events:)", "on 1, off 1, on 2, off 2, on 2, off 2, on 3"),
            ("lensing(event:)", "on 1, off 1, on 2, off 2, on 2, off 2, on 3"),
            ("middleware", "on 1, on 2, on 2, on -1, on 3"),
            ("middleware(event:)", "on 1, on 2, on 2, on -1, on 3"),
            ("middleware, cancelling", "on 1, off 1, on 2, off 2, on 2, off 2, on -1, off -1, on 3"),
            ("attached", "on once"),
        ])
    func flavours(name: String, expected: String) {
        let tap = Tap()
        func value(_ number: Int) -> Int? { number >= 1 ? number : nil }
        let feedback: Feedback<Int, Int> =
            switch name {
            case "compacting": .compacting(state: value) { tap.effect($0) }
            case "lensing": .lensing(state: value) { tap.effect($0) }
            case "skippingRepeated": .skippingRepeated(state: value) { tap.effect($0) }
            case "firstValueAfterNil": .firstValueAfterNil(value) { tap.effect($0) }
            case "predicate": .predicate({ $0 >= 1 }) { tap.effect($0) }
            case "whenBecomesTrue": .whenBecomesTrue({ $0 >= 1 }) { tap.effect($0) }
            case "react": .react({ tap.effect($0) }, when: { $0 >= 1 })
            case "middleware(state:)": .onEachState({ tap.effect($0) })
            case "compacting(events:)": .compacting(events: value) { tap.effect($0) }
            case "lensing(event:)": .lensing(event: value) { tap.effect($0) }
            case "middleware": .onEachEvent { _, event in tap.effect(event) }
            case "middleware(event:)": .middleware(event: { tap.effect($0) })
            case "middleware, cancelling": .middleware(cancelsPrevious: true) { _, event in tap.effect(event) }
            default:
                .always {
                    .attached { _ in
                        tap.note("on once")
                        return { tap.note("off once") }
                    }
                }
            }
        let system = system(feedback)
        for event in [1, 2, 2, -1, 3] { system.send(event) }
        #expect(tap.log.joined(separator: ", ") == expected)
    }

    /// `compacting` leaves its effect alone where `lensing` cancels it.
    @Test("nil cancels what lensing started, and leaves what compacting and react started")
    func nilCancelsOrLeaves() {
        let left = Tap(), cancelled = Tap(), reacting = Tap()
        func value(_ number: Int) -> Int? { number >= 1 ? number : nil }
        let system = system(
            .combine(
                .compacting(state: value) { left.effect($0) }, .lensing(state: value) { cancelled.effect($0) },
                .react({ reacting.effect($0) }, when: { $0 >= 1 })))
        system.send(1)
        system.send(0)
        #expect(left.log == ["on 1"])
        #expect(reacting.log == ["on 1"])
        #expect(cancelled.log == ["on 1", "off 1"])
    }

    @Test func `events of twenty names that wait are dropped when their feedback cancels`() {
        let system = system(.while({ $0 == 1 }) { _ in .merge((2...21).map { .event($0).id("event \($0)") }) })
        system.send(1)
        #expect(system.state == 2)
    }

    @Test("what a replaced or cancelled effect still sends is dropped")
    func lateSendsAreDropped() {
        let tap = Tap()
        let system = system(.lensing(state: { $0 >= 1 ? $0 : nil }) { tap.effect($0) })
        system.send(1)
        let first = tap.outlets[0]
        system.send(2)
        first.send(77)
        #expect(system.state == 2)
        tap.send(5)
        #expect(system.state == 5)
        system.send(0)
        tap.send(88)
        #expect(system.state == 0)
    }

    @Test("an effect that was replaced while it ran loses its events that wait; one that ended keeps them")
    func replacedLosesEndedKeeps() {
        // At state 1 an effect sends 10, 20, 30, and goes on or ends. At state 10 another effect replaces it, or none does.
        func events(goesOn: Bool, next: @escaping (Int) -> Effect<Int>) -> [Int] {
            let recorder = StepRecorder<Int, Int>()
            let feedback = Feedback<Int, Int>.onEachState({ state in
                if state != 1 { return next(state) }
                let burst = Effect<Int>.events([10, 20, 30])
                return goesOn ? .merge([burst, .attached { _ in {} }]) : burst
            })
            let system = system(feedback)
            system.attach(recorder.middleware)
            system.send(1)
            return recorder.events
        }
        #expect(events(goesOn: true, next: { _ in .none }) == [1, 10])
        #expect(events(goesOn: false, next: { _ in .none }) == [1, 10, 20, 30])
        #expect(events(goesOn: true, next: { $0 == 10 ? .event(99) : .none }) == [1, 10, 99])
        #expect(events(goesOn: false, next: { $0 == 10 ? .event(99) : .none }) == [1, 10, 99])
    }

    @Test("an effect that completed keeps its events when the control value stays")
    func completedKeepsItsEvents() {
        let recorder = StepRecorder<Int, Int>()
        let feedback = Feedback<Int, Int>.skippingRepeated(state: { $0 > 0 }) { isPositive in isPositive ? .events([2, 3, 4]) : .none }
        let system = system(feedback)
        system.attach(recorder.middleware)
        system.send(1)
        #expect(recorder.events == [1, 2, 3, 4])
    }

    @Test("the first events of the new effect take the places of the removed ones, before what waits behind them")
    func placesAreInherited() {
        let recorder = StepRecorder<String, String>()
        let first = Feedback<String, String>.onEachState({ state in
            switch state {
            case "a": .events(["x1", "x2", "x3"])
            case "x1": .events(["y1", "y2", "y3"])
            default: .none
            }
        })
        let second = Feedback<String, String>.lensing(state: { $0 == "a" ? $0 : nil }) { _ in .events(["z1"]) }
        let system = System<String, String>(initialState: "", feedbacks: [first, second], reducer: { $0 = $1 })
        system.attach(recorder.middleware)
        system.send("a")
        // Two places were freed before z1; the third event goes to the end.
        #expect(recorder.events == ["a", "x1", "y1", "y2", "z1", "y3"])
    }

    @Test("a task is cancelled with its effect, and its late result is dropped")
    func tasksAreCancelled() async {
        let gate = Gate()
        var outcomes: [String] = []
        let feedback = Feedback<Int, Int>.lensing(state: { $0 >= 1 ? $0 : nil }) { value in
            .run {
                await gate.pass()
                outcomes.append("\(value) \(Task.isCancelled ? "cancelled" : "went on")")
                return value * 10
            }
        }
        let system = system(feedback)
        system.send(1)
        await gate.whenEntered(1)
        system.send(0)
        gate.open()
        await system.settled()
        while outcomes.isEmpty { await Task.yield() }
        #expect(outcomes == ["1 cancelled"])
        #expect(system.state == 0)
    }

    @Test("leaving an optional cancels its effect, and entering again begins anew")
    func leavingAnOptional() {
        let tap = Tap()
        let local = Feedback<Int, Int>.skippingRepeated(state: { $0 }) { tap.effect($0) }
        let system = System<Int?, Int>(
            initialState: nil, feedbacks: [local.optional()], reducer: { $0 = $1 < 0 ? nil : $1 })
        for event in [7, 7, -1, -1, 7] { system.send(event) }
        #expect(tap.log == ["on 7", "off 7", "on 7"])
    }

    enum Screen: Equatable { case list(Int), detail(Int) }
    enum ScreenEvent: Equatable { case list(Int), detail(Int), show(Screen) }

    @Test("leaving an enum case cancels its effect; its events come back as the whole's", arguments: [false, true])
    func leavingACase(byReflection: Bool) {
        let tap = Tap()
        let state: EnumCase<Screen, Int> =
            byReflection
            ? EnumCase(Screen.detail) : EnumCase(embed: { .detail($0) }, extract: { if case .detail(let id) = $0 { id } else { nil } })
        let local = Feedback<Int, Int>.firstValueAfterNil({ $0 }, effect: { tap.effect($0) })
        let system = System<Screen, ScreenEvent>(
            initialState: .list(0), feedbacks: [local.pullback(state: state, event: EnumCase(ScreenEvent.detail))],
            reducer: { state, event in
                switch event {
                case .list(let id): state = .list(id)
                case .detail(let id): state = .detail(id)
                case .show(let screen): state = screen
                }
            })
        system.send(.show(.detail(4)))
        tap.send(5)
        #expect(system.state == .detail(5))
        system.send(.show(.list(1)))
        tap.send(6)
        #expect(system.state == .list(1))
        #expect(tap.log == ["on 4", "off 4"])
    }

    @Test("pulled back event flavours see only their own events")
    func pulledBackEvents() {
        let tap = Tap()
        let local = Feedback<Int, Int>.middleware(event: { tap.effect($0) })
        let system = System<Int, ScreenEvent>(
            initialState: 0, feedbacks: [local.pullback(state: \.self, event: EnumCase(ScreenEvent.list))], reducer: { _, _ in })
        system.send(.detail(1))
        system.send(.list(2))
        #expect(tap.log == ["on 2"])
    }

    @Test("stop cancels all effects, drops what they queued, and counts it")
    func stopEndsEffects() {
        let tap = Tap()
        var dropped: Int?
        let system = system(.combine(.onEachState({ tap.effect($0) }), .onEachState({ $0 == 1 ? .events([2, 3]) : .none })))
        system.bind { [weak system] state in if state == 2 { dropped = system?.stop() } }
        system.send(1)
        #expect(dropped == 1)
        #expect(tap.log == ["on 0", "off 0", "on 1", "off 1"])
        tap.send(9)
        #expect(system.state == 2)
    }
}
