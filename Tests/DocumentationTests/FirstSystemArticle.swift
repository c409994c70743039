import LoopCore
import LoopMigration
import LoopLogging
import LoopTesting
import LoopTracing
import LoopTracking
import Testing
import TrackingEvents

private enum Counter {
    struct State: Equatable {
        var count = 0
        var title = "Clicks"
    }

    enum Event {
        case increment
        case decrement
        case rename(String)
    }

    static func reduce(state: inout State, event: Event) {
        switch event {
        case .increment: state.count += 1
        case .decrement: state.count -= 1
        case .rename(let title): state.title = title
        }
    }
}

extension Counter {
    static func trackingEvent(_ state: State) -> TrackingEvent? {
        state.count == 0 ? nil : .event("counted", ["count": .int(state.count)])
    }
}

@MainActor @Suite struct FirstSystemArticle {
    @Test func `A binding shows the first state at once and each state when send returns`() {
        let label = Label()

        let system = System(initialState: Counter.State(), reducer: Counter.reduce)
            .bind { [weak label] state in label?.text = "\(state.title): \(state.count)" }
            .start()

        system.send(.increment)
        system.send(.rename("Taps"))

        #expect(label.shown == ["Clicks: 0", "Clicks: 1", "Taps: 1"])
    }

    @Test func `A system that binds a view weakly does not keep it`() {
        var label: Label? = Label()
        let seen = Weak(label)
        let system = System(initialState: Counter.State(), reducer: Counter.reduce)
            .bind { [weak label] state in label?.text = "\(state.count)" }
        label = nil
        #expect(seen.object == nil)
        system.send(.increment)
        #expect(system.state.count == 1)
    }

    @Test func `Log, trace and track are attached in one line and see the same steps`() {
        let system = System(initialState: Counter.State(), reducer: Counter.reduce)
        var lines: [String] = []
        let log = LogOutput.closure { lines.append($0) }
        let measurements = Measurements()
        let sink = MemorySink()
        let tracker = Tracker(to: sink)

        system.attach(.log(to: log), .measure(into: measurements), .track(to: tracker, Counter.trackingEvent))

        system.send(.increment)
        #expect(lines.count == 2)
        #expect(measurements.event("increment")?.count == 1)
        #expect(sink.names == ["counted"])
    }

    @Test func `A middleware sees the current state first and nothing after it is detached`() {
        let system = System(initialState: Counter.State(), reducer: Counter.reduce)
        system.send(.increment)

        var names: [String] = []
        let watch = Middleware<Counter.State, Counter.Event> { step in
            names.append("\(step.number) \(step.phase) \(step.state.count)")
        }
        system.attach(watch)
        system.send(.decrement)
        system.detach(watch)

        system.send(.decrement)
        #expect(names == ["1 initial 1", "2 settled 0"])
    }

    @Test func `What a middleware sends waits for the end of the step`() {
        let system = System(initialState: 0, reducer: { (count: Int, step: Int) in count + step })
        let restart = Middleware<Int, Int> { [unowned system] step in
            if step.state == 3 { system.send(-3) }
        }
        system.attach(restart)
        for _ in 1...4 { system.send(1) }

        #expect(system.state == 1)
        #expect(system.eventNumber == 5)
    }

    @Test func `The states are those that the article names`() {
        var states: [Int] = []
        let system = System(initialState: 0, reducer: { (count: Int, step: Int) in count + step })
        system.attach(Middleware { [unowned system] step in if step.state == 3 { system.send(-3) } })
        system.bind { states.append($0) }
        for _ in 1...4 { system.send(1) }
        #expect(states == [0, 1, 2, 3, 0, 1])
    }

    @Test func `Another thread sends through the inbox`() async {
        let system = System(initialState: Counter.State(), reducer: Counter.reduce)

        let inbox = system.inbox()
        await Task.detached {
            for _ in 1...100 { inbox.send(.increment) }
        }.value
        await system.settled()

        #expect(system.state.count == 100)
    }

    @Test func `The states are an asynchronous sequence`() async {
        let system = System(initialState: Counter.State(count: 2), reducer: Counter.reduce)
        var last = system.state
        let inbox = system.inbox()
        Task.detached {
            inbox.send(.decrement)
            inbox.send(.decrement)
        }

        for await state in system.states {
            last = state
            if state.count == 0 { break }
        }

        #expect(last.count == 0)
    }

    @Test func `The pure spelling connects actions and bindings in one expression`() {
        let label = Label()

        let increment = UserAction<Void, Counter.Event>(trigger: .increment)
        let rename = UserAction<String, Counter.Event>(trigger: Counter.Event.rename)
        let system = System.pure(
            initialState: Counter.State(), reducer: Counter.reduce,
            uiBindings: [{ [weak label] state in label?.text = "\(state.title): \(state.count)" }],
            userActions: [increment, rename])

        increment.execute()
        rename.execute("Taps")

        #expect(label.shown == ["Clicks: 0", "Clicks: 1", "Taps: 1"])
        #expect(system.eventNumber == 2)
    }
}
