import LoopCore
import LoopLogging
import LoopTesting
import LoopTracing
import LoopTracking
import TrackingEvents

/// What a step costs, and what watching it costs.
actor LoopBenchmarks {
    enum Event { case up, down(Int) }

    private let events: Int
    private let runs: Int

    init(events: Int, runs: Int) {
        self.events = events
        self.runs = runs
    }

    private static func reduce(_ state: inout Int, _ event: Event) {
        switch event {
        case .up: state += 1
        case .down(let number): state -= number
        }
    }

    private func makeSystem(feedbacks: [Feedback<Int, Event>] = []) -> System<Int, Event> {
        System(initialState: 0, feedbacks: feedbacks, reducer: { (state: inout Int, event: Event) in Self.reduce(&state, event) })
    }

    /// A system whose reducer returns an effect at each event that ``measure(_:_:_:)`` sends.
    private func makeSystem(effect: @escaping () -> Effect<Event>) -> System<Int, Event> {
        System(initialState: 0) { (state: inout Int, event: Event) -> Effect<Event> in
            Self.reduce(&state, event)
            if case .down(1) = event { return .none }
            return effect()
        }
    }

    private func measure(
        _ name: String, _ makeSystem: () -> System<Int, Event>, _ prepare: (System<Int, Event>) -> Void = { _ in }
    ) -> Measurement {
        let clock = ContinuousClock()
        var seconds: [Double] = []
        for run in 0...runs {
            let system = makeSystem()
            prepare(system)
            let start = clock.now
            for number in 0..<events { system.send(number & 7 == 7 ? .down(3) : .up) }
            let elapsed = clock.now - start
            let taken = system.eventNumber
            precondition(taken >= events)
            if run > 0 { seconds.append(elapsed / .seconds(1)) }
        }
        return Measurement(name: name, events: events, seconds: seconds)
    }

    private func measure(_ name: String, _ prepare: (System<Int, Event>) -> Void) -> Measurement {
        measure(name, { makeSystem() }, prepare)
    }

    /// Every `n`-th step yields an event of two properties.
    private func track(every n: Int) -> Middleware<Int, Event> {
        let tracker = Tracker(to: MemorySink(capacity: 10_000), user: "u1")
        return .trackSteps(to: tracker, needs: []) { step in
            step.number % n == 0 ? .event("counted", ["total": .int(step.state), "kind": "step"]) : nil
        }
    }

    func run() {
        var table = Table(
            "**The loop**, \(thousands(Double(events))) events of an enum into an integer state, wall time", comparedWith: "bare")
        table.add(measure("bare") { _ in })
        table.add(measure("effecting reducer, .none", { makeSystem { .none } }))
        table.add(measure("effecting reducer, each event with an .event", { makeSystem { .event(.down(1)) } }))
        table.add(
            measure(
                "feedback, each event with an .event",
                { makeSystem(feedbacks: [.onEachEvent { _, event in if case .down(1) = event { .none } else { .event(.down(1)) } }]) }))
        table.add(measure("one binding") { system in system.bind { _ in } })
        table.add(measure("one idle middleware") { $0.attach(Middleware { _ in }) })
        table.add(measure("one middleware that asks for timing") { $0.attach(Middleware(needs: .timing) { _ in }) })
        table.add(measure("log to memory (last 1,000, formatted when read)") { $0.attach(.log(to: LogMemory(capacity: 1_000))) })
        table.add(measure("trace") { $0.attach(.measure(into: Measurements())) })
        table.add(measure("track every tenth step to memory") { $0.attach(track(every: 10)) })
        table.add(
            measure("log to memory + trace + track every tenth") {
                $0.attach(.log(to: LogMemory(capacity: 1_000)), .measure(into: Measurements()), track(every: 10))
            })
        table.add(
            measure("log to memory + trace + track every step") {
                $0.attach(.log(to: LogMemory(capacity: 1_000)), .measure(into: Measurements()), track(every: 1))
            })
        table.show()
    }
}
