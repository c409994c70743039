import LoopCore
import LoopMigration
import Testing

private enum Movies {
    struct State: Equatable {
        var movies: [String] = []
        var isLoading = false
        var error: String?
        var nextPage: Int? { isLoading ? movies.count : nil }
    }

    enum Event { case loaded([String]), failed(String), fetchNext }

    struct Dependencies {
        var fetch: (Int) async throws -> [String]
    }

    static func reduce(state: inout State, event: Event) {
        switch event {
        case .loaded(let movies):
            state.movies += movies
            state.isLoading = false
        case .failed(let error):
            state.error = error
            state.isLoading = false
        case .fetchNext: state.isLoading = true
        }
    }

    static var feedback: DependentFeedback<State, Event, Dependencies> {
        DependentFeedback { dependency in
            .lensing(state: \.nextPage) { page in
                do {
                    return .loaded(try await dependency.fetch(page))
                } catch {
                    return .failed("\(error)")
                }
            }
        }
    }
}

private enum SignIn {
    struct State: Equatable {
        var name: String?
        var isAvailable = false
    }

    enum Event { case type(String), isAvailable(Bool) }

    struct Dependencies {
        var isAvailable: (String) async throws -> Bool
        var pause: () async throws -> Void = {}
    }

    static func reduce(state: inout State, event: Event) {
        switch event {
        case .type(let name): state.name = name
        case .isAvailable(let isAvailable): state.isAvailable = isAvailable
        }
    }

    static var feedback: DependentFeedback<State, Event, Dependencies> {
        DependentFeedback { api in
            let pause = api.pause
            return .skippingRepeated(state: \.name) { name in
                try await pause()
                return .isAvailable(try await api.isAvailable(name))
            }
        }
    }
}

private enum App {
    struct State: Equatable {
        var movies = Movies.State()
        var signIn: SignIn.State?
    }

    enum Event { case movies(Movies.Event), signIn(SignIn.Event), leave }

    struct Dependencies {
        var movies: Movies.Dependencies
        var signIn: SignIn.Dependencies
    }

    static var reducer: Reducer<State, Event> {
        .combine(
            Reducer(Movies.reduce).pullback(state: \State.movies, event: EnumCase(Event.movies)),
            Reducer(SignIn.reduce).optional().pullback(state: \State.signIn, event: EnumCase(Event.signIn)))
    }

    static var feedback: DependentFeedback<State, Event, Dependencies> {
        .combine(
            Movies.feedback.pullback(state: { $0.movies }, event: EnumCase(Event.movies), dependency: { $0.movies }),
            SignIn.feedback.pullback(state: { $0.signIn }, event: EnumCase(Event.signIn), dependency: { $0.signIn }))
    }
}

@MainActor @Suite struct MovingFromCombineFeedbackArticle {
    @Test func `A page is loaded when the state asks for it, and once`() async {
        var pages: [Int] = []
        let dependencies = Movies.Dependencies { page in
            pages.append(page)
            return ["movie \(page)"]
        }

        let system = System(
            initialState: Movies.State(), dependency: dependencies, feedbacks: [Movies.feedback], reducer: Reducer(Movies.reduce)
        ).start()
        system.send(.fetchNext)
        await system.settled()

        #expect(system.state == Movies.State(movies: ["movie 0"]))
        system.send(.fetchNext)
        await system.settled()
        #expect(pages == [0, 1])
    }

    @Test func `A failure is an event`() async {
        let system = System(
            initialState: Movies.State(), dependency: Movies.Dependencies { _ in throw Offline() }, feedbacks: [Movies.feedback],
            reducer: Reducer(Movies.reduce))
        system.send(.fetchNext)
        await system.settled()
        #expect(system.state.error == "Offline()")
    }

    @Test func `Of names typed fast only the last one is asked for`() async {
        let gate = Gate()
        var asked: [String] = []
        let api = SignIn.Dependencies(
            isAvailable: { name in
                asked.append(name)
                return true
            },
            pause: {
                await gate.pass()
                try Task.checkCancellation()
            })
        let system = System(
            initialState: SignIn.State(), dependency: api, feedbacks: [SignIn.feedback], reducer: Reducer(SignIn.reduce))
        for name in ["a", "ad", "ada"] { system.send(.type(name)) }
        await gate.whenEntered(1)
        gate.open()
        await system.settled()
        #expect(asked == ["ada"])
        #expect(system.state.isAvailable)
    }

    @Test func `The parts work in the whole, and leaving one cancels its effect`() async {
        let endless = Endless()
        let dependencies = App.Dependencies(
            movies: Movies.Dependencies { ["movie \($0)"] },
            signIn: SignIn.Dependencies { _ in
                await endless.run()
                return true
            })
        let leaving = Reducer<App.State, App.Event> { (state: inout App.State, event: App.Event) in
            if case .leave = event { state.signIn = nil }
        }
        let system = System(
            initialState: App.State(signIn: SignIn.State()), dependency: dependencies, feedbacks: [App.feedback],
            reducer: .combine(App.reducer, leaving))
        system.send(.movies(.fetchNext))
        system.send(.signIn(.type("ada")))
        await endless.whenStarted(1)
        system.send(.leave)
        await endless.whenCancelled(1)
        await system.settled()
        #expect(system.state == App.State(movies: Movies.State(movies: ["movie 0"])))
    }

    // MARK: What was mended

    private let payload: (Int) -> Int? = { $0 > 0 ? $0 : nil }

    @Test func `Another event leaves the effect of an event's payload alone`() async {
        let endless = Endless()
        let system = System(
            initialState: 0,
            feedbacks: [
                .lensing(event: payload) { _ in
                    .run {
                        await endless.run()
                        return nil
                    }
                }
            ],
            returning: { (_: Int, next: Int) in next })
        system.send(1)
        await endless.whenStarted(1)
        system.send(0)
        for _ in 1...10 { await Task.yield() }
        #expect(endless.cancelled == 0)
        system.stop()
        await endless.whenCancelled(1)
    }

    @Test func `Events sent while the loop starts are all reduced`() {
        let system = System(
            initialState: 0,
            feedbacks: [
                .always { .events(repeatElement(1, count: 500)) }
            ],
            returning: { (count: Int, step: Int) in count + step })
        for _ in 1...500 { system.send(1) }
        #expect(system.state == 1_000)
    }
}
