import LoopCore
import LoopMigration
import LoopTesting
import TestSupport
import Testing

/// CombineFeedback: its five tests, its README and its example screens.
@MainActor @Suite struct CombineFeedbackBehaviour {
    /// The first `count` states of a system that joins texts; the system is stopped behind them.
    private func states(_ count: Int, _ feedbacks: Feedback<String, String>...) -> [String] {
        let system = System<String, String>(initialState: "initial", feedbacks: feedbacks, reducer: { $0 += $1 })
        var states: [String] = []
        system.bind { [unowned system] in
            states.append($0)
            if states.count == count { system.stop() }
        }
        system.start()
        return states
    }

    // MARK: Its five tests

    @Test func `a system shows the initial state`() { #expect(states(1) == ["initial"]) }

    @Test func `one feedback answers each state`() {
        #expect(
            states(4, .middleware(state: { _ in .event("_a") })) == [
                "initial", "initial_a", "initial_a_a", "initial_a_a_a",
            ])
    }

    @Test func `two immediate feedbacks take turns, and stale events are dropped`() {
        #expect(
            states(6, .middleware(state: { _ in .event("_a") }), .middleware(state: { _ in .event("_b") })) == [
                "initial", "initial_a", "initial_a_b", "initial_a_b_a", "initial_a_b_a_b", "initial_a_b_a_b_a",
            ])
    }

    @Test func `an input's event is reduced before sending it returns`() {
        let input = Feedback<String, String>.input
        let system = System<String, String>(initialState: "initial", feedbacks: [input.feedback], reducer: { $0 += $1 })
        var results: [String] = []
        system.bind { results.append($0) }.start()
        #expect(results == ["initial"])
        input.send("_a")
        #expect(results == ["initial", "initial_a"])
    }

    @Test func `after the end nothing moves`() {
        let input = Feedback<String, String>.input
        let system = System<String, String>(initialState: "initial", feedbacks: [input.feedback], reducer: { $0 += $1 })
        var results: [String] = []
        system.bind { results.append($0) }.start()
        input.send("_a")
        input.send("_b")
        system.stop()
        input.send("_c")
        #expect(results == ["initial", "initial_a", "initial_a_b"])
    }

    // MARK: The README

    struct Movies: Equatable {
        enum Status: Equatable { case idle, loading, failed }
        var titles: [String] = []
        var page = 0
        var status = Status.loading
        /// The page to fetch; there is one only while loading, so that each page is fetched once.
        var nextPage: Int? { status == .loading ? page + 1 : nil }
    }

    enum MoviesEvent: Equatable { case loaded([String]), failed, fetchNext, retry }

    private static let moviesReducer = Reducer<Movies, MoviesEvent> { (state: inout Movies, event: MoviesEvent) in
        switch event {
        case .loaded(let titles):
            state.titles += titles
            state.page += 1
            state.status = .idle
        case .failed: state.status = .failed
        case .fetchNext, .retry: state.status = .loading
        }
    }

    @Test func `an endless list fetches the next page when its end is reached`() async {
        struct Network { var fetch: (Int) async throws -> [String] }
        let load = DependentFeedback<Movies, MoviesEvent, Network> { network in
            .lensing(state: \.nextPage) { page in
                do { return .loaded(try await network.fetch(page)) } catch { return .failed }
            }
        }
        enum Offline: Error { case offline }
        var isOffline = false
        let network = Network { page in
            if isOffline { throw Offline.offline }
            return ["\(page)a", "\(page)b"]
        }
        let system = System(
            initialState: Movies(), dependency: network, feedbacks: [load], reducer: Self.moviesReducer)
        await system.settled()
        #expect(system.state == Movies(titles: ["1a", "1b"], page: 1, status: .idle))
        isOffline = true
        system.send(.fetchNext)
        await system.settled()
        #expect(system.state == Movies(titles: ["1a", "1b"], page: 1, status: .failed))
        isOffline = false
        system.send(.retry)
        await system.settled()
        #expect(system.state == Movies(titles: ["1a", "1b", "2a", "2b"], page: 2, status: .idle))
    }

    // MARK: The examples

    enum Light { case red, yellow, green }

    @Test func `a traffic light goes round as its clock does`() async {
        let tick = Answer<Void>()
        func change(from light: Light) -> Feedback<Light, Void> {
            .middleware(state: { state in
                guard state == light else { return .none }
                return .run { try await tick() }
            })
        }
        let system = System<Light, Void>(
            initialState: .red, feedbacks: [change(from: .red), change(from: .yellow), change(from: .green)],
            returning: { light, _ in
                switch light {
                case .red: .yellow
                case .yellow: .green
                case .green: .red
                }
            })
        var shown: [Light] = []
        system.bind { shown.append($0) }.start()
        for round in 1...4 {
            #expect(await eventually { tick.asked == round })
            tick.give(())
            #expect(await eventually { shown.count == round + 1 })
        }
        system.stop()
        #expect(shown == [.red, .yellow, .green, .red, .yellow])
    }

    struct SignIn: Equatable {
        var userName = ""
        var isAvailable = false
        var isSubmitting = false
        var isSignedIn = false
    }

    enum SignInEvent { case userName(String), isAvailable(Bool), signIn, didSignIn(Bool) }

    @Test func `a sign in form checks each name once and submits once`() async {
        var asked: [String] = []
        let check = Feedback<SignIn, SignInEvent>.skippingRepeated(state: { $0.userName.isEmpty ? nil : $0.userName }) { name in
            asked.append(name)
            return .isAvailable(name.count > 2)
        }
        let submit = Feedback<SignIn, SignInEvent>.predicate(\.isSubmitting) { _ in .didSignIn(true) }
        let system = System<SignIn, SignInEvent>(
            initialState: SignIn(), feedbacks: [check, submit],
            reducer: { state, event in
                switch event {
                case .userName(let name): state.userName = name
                case .isAvailable(let isAvailable): state.isAvailable = isAvailable
                case .signIn: state.isSubmitting = state.isAvailable
                case .didSignIn(let isSignedIn):
                    state.isSubmitting = false
                    state.isSignedIn = isSignedIn
                }
            })
        system.send(.userName("ab"))
        await system.settled()
        system.send(.signIn)
        system.send(.userName("abc"))
        system.send(.userName("abc"))
        await system.settled()
        system.send(.signIn)
        await system.settled()
        #expect(asked == ["ab", "abc"])
        #expect(system.state == SignIn(userName: "abc", isAvailable: true, isSubmitting: false, isSignedIn: true))
    }

    struct App: Equatable {
        var count = 0
        var movies = Movies()
        var favourite: String?
    }

    enum AppEvent { case count(Int), movies(MoviesEvent), favourite(String), rename(String) }

    @Test func `small parts compose to one store, and each part sees only itself`() async {
        let counter = Reducer<Int, Int> { (count: inout Int, step: Int) in count += step }
        let favourite = Reducer<String, String> { (name: inout String, new: String) in name = new }
        let whole = Reducer<App, AppEvent>.combine(
            counter.pullback(state: \.count, event: EnumCase(AppEvent.count)),
            Self.moviesReducer.pullback(state: \.movies, event: EnumCase(AppEvent.movies)),
            favourite.optional().pullback(state: \.favourite, event: EnumCase(AppEvent.rename)),
            Reducer { (app: inout App, event: AppEvent) in if case .favourite(let title) = event { app.favourite = title } })
        let load = Feedback<Movies, MoviesEvent>.lensing(state: \.nextPage) { .loaded(["movie \($0)"]) }
        let system = System(
            initialState: App(), feedbacks: [load.pullback(state: \.movies, event: EnumCase(AppEvent.movies))], reducer: whole)
        let count = system.scope(state: \.count, event: AppEvent.count)
        var rendered: [Int] = []
        count.bind(removingDuplicates: ==) { rendered.append($0) }
        count.send(2)
        system.send(.rename("nobody"))
        await system.settled()
        #expect(system.state == App(count: 2, movies: Movies(titles: ["movie 1"], page: 1, status: .idle), favourite: nil))
        system.send(.favourite("movie 1"))
        system.send(.rename("the first"))
        #expect(system.state.favourite == "the first")
        #expect(count.state == 2)
        // Equal states are not rendered again.
        #expect(rendered == [0, 2])
    }
}
