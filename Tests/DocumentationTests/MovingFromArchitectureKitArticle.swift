import LoopCore
import LoopMigration
import LoopTesting
import Testing

private struct Context {
    var jokes: (String) async throws -> [String]
}

private enum Jokes {
    struct State: Equatable {
        var category = ""
        var isLoading = false
        var line = "no jokes"
    }

    enum Event: Equatable { case load(String), loaded([String]), failed(String), tap }

    static func reduce(state: State, event: Event) -> State {
        var state = state
        switch event {
        case .load(let category): state = State(category: category, isLoading: true, line: "loading")
        case .loaded(let jokes): state = State(category: state.category, line: jokes.joined())
        case .failed(let error): state = State(category: state.category, line: error)
        case .tap: break
        }
        return state
    }

    static func fetch(_ category: String) -> AsyncResult<Context, Event> {
        AsyncResult<Context, [String]> { context in try await context.jokes(category) }
            .map { .loaded($0) }
            .handleError { .pure(.failed("\($0)")) }
    }

    static var loading: DependentFeedback<State, Event, Context> {
        DependentFeedback { context in
            .react({ state in try await fetch(state.category).run(in: context) }, when: \.isLoading)
        }
    }

    static var loadingOnce: DependentFeedback<State, Event, Context> {
        DependentFeedback { context in
            .predicate(\.isLoading) { state in try await fetch(state.category).run(in: context) }
        }
    }
}

@MainActor @Suite struct MovingFromArchitectureKitArticle {
    @Test func `An action starts the loop, and every state on the way is drawn`() async {
        let view = Label()
        let context = Context { [$0] }

        let load = UserAction<Void, Jokes.Event>(trigger: .load("nerdy"))
        let system = System.pure(
            initialState: Jokes.State(), context: context, reducer: Jokes.reduce,
            uiBindings: [{ [weak view] state in view?.text = state.line }],
            userActions: [load], feedback: [Jokes.loading])
        load.execute()

        await system.settled()
        #expect(view.shown == ["no jokes", "loading", "nerdy"])
    }

    @Test func `A second event is taken without any callback, also after a failure`() async {
        let system = System(
            initialState: Jokes.State(), dependency: Context { _ in throw Offline() }, feedbacks: [Jokes.loading],
            reducer: Reducer(returning: Jokes.reduce))
        system.send(.load("nerdy"))
        await system.settled()
        #expect(system.state.line == "Offline()")
        system.send(.load("any"))
        await system.settled()
        #expect(system.eventNumber == 4)
    }

    @Test func `An effect that fails without an answer is told, and the loop goes on`() async {
        let feedback = Feedback<Jokes.State, Jokes.Event>.react({ _ in throw Offline() }, when: \.isLoading)
        let system = System(initialState: Jokes.State(), feedbacks: [feedback], returning: Jokes.reduce)
        let recorder = StepRecorder<Jokes.State, Jokes.Event>()
        system.attach(recorder.middleware)
        system.send(.load("nerdy"))
        await system.settled()
        #expect(recorder.errors.map { $0 as? Offline } == [Offline()])
        #expect(system.state.line == "loading")
        system.send(.loaded(["late"]))
        #expect(system.state.line == "late")
    }

    @Test func `React starts at each state and predicate once`() async {
        for (feedback, starts) in [(Jokes.loading, 2), (Jokes.loadingOnce, 1)] {
            let endless = Endless()
            let context = Context { _ in
                await endless.run()
                return []
            }
            let system = System(
                initialState: Jokes.State(), dependency: context, feedbacks: [feedback], reducer: Reducer(returning: Jokes.reduce))
            system.send(.load("nerdy"))
            await endless.whenStarted(1)
            system.send(.tap)
            await endless.whenStarted(starts)
            await endless.whenCancelled(starts - 1)
            system.stop()
            await endless.whenCancelled(starts)
            #expect(endless.started == starts)
        }
    }

    @Test func `ArchitectureKit's limit is told when it is reached`() {
        let system = System.pure(
            initialState: 0, reducer: { (count: Int, step: Int) in count + step },
            feedback: [.react({ _ in .event(1) }, when: { $0 > 0 })], maxFeedbackEvents: .perOutsideEvent(5))
        let recorder = StepRecorder<Int, Int>()
        system.attach(recorder.middleware)
        system.send(1)
        #expect(system.state == 6)
        #expect(recorder.errors.map { ($0 as? RunawayFeedback)?.limit } == [.perOutsideEvent(5)])
    }

    @Test func `An action alone keeps its system alive`() {
        let action = UserAction<Int, Int>(trigger: { $0 })
        var shown: [Int] = []
        _ = System.pure(
            initialState: 0, reducer: { (count: Int, step: Int) in count + step }, uiBindings: [{ shown.append($0) }],
            userActions: [action])
        action.execute(2)
        action.execute(3)
        #expect(shown == [0, 2, 5])
    }
}
