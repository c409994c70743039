import LoopCore
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

private struct API: Sendable {
    let signIn: @Sendable (String) async throws -> String
}

private enum Login {
    struct State: Equatable {
        var name = ""
        var isBusy = false
        var token: String?
    }

    enum Event: Equatable { case submit, leave, answered(String) }

    static func reducer(_ api: API) -> Reducer<State, Event> {
        Reducer { state, event in
            switch event {
            case .submit:
                state.isBusy = true
                return .run { [name = state.name] in .answered(try await api.signIn(name)) }.id("sign in")
            case .leave:
                state.isBusy = false
                return .cancel("sign in")
            case .answered(let token):
                state.isBusy = false
                state.token = token
                return .none
            }
        }
    }
}

private struct App: Equatable {
    enum Event { case login(Login.Event), showLogin, home }

    var login: Login.State?

    static let login = Part(\App.login, Event.login)

    static func reducer(_ api: API) -> Reducer<App, Event> {
        .all(
            Login.reducer(api).on(login),
            Reducer { app, event in
                switch event {
                case .showLogin: app.login = Login.State()
                case .home: app.login = nil
                case .login: break
                }
            })
    }
}

@MainActor @Suite struct FirstSystemArticle {
    @Test func `A login is tested event by event`() async {
        let test = TestSystem(
            System(initialState: Login.State(name: "ada"), reducer: Login.reducer(API { "token of \($0)" })), onFailure: .testing)
        await test.send(.submit) { $0.isBusy = true }
        await test.receive(.answered("token of ada")) {
            $0.isBusy = false
            $0.token = "token of ada"
        }
        await test.finish()
    }

    @Test func `Going home ends the login and what it has under way`() async {
        let endless = Endless()
        let api = API { _ in
            await endless.run()
            return ""
        }
        let system = System(initialState: App(), reducer: App.reducer(api))
        system.send(.showLogin)
        system.send(.login(.submit))
        await endless.whenStarted(1)
        system.send(.home)
        await endless.whenCancelled(1)
        #expect(system.isSettled && system.state == App())
    }

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
        let system = System(initialState: 0, returning: { (count: Int, step: Int) in count + step })
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
        let system = System(initialState: 0, returning: { (count: Int, step: Int) in count + step })
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
}
