import LoopCore
import LoopMigration
import LoopTesting
import TestSupport
import Testing

/// ArchitectureKit and its article: what its tests and its README show. The laws of `AsyncResult` have a file of their own.
@MainActor @Suite struct ArchitectureKitBehaviour {
    // MARK: Its own test

    struct Categories: Equatable {
        var names: [String] = []
        var shouldLoad = false
    }

    enum CategoryEvent { case load, loaded(Result<[String], any Error>) }

    private static func reduce(_ state: Categories, _ event: CategoryEvent) -> Categories {
        switch event {
        case .load: Categories(shouldLoad: true)
        case .loaded(let result): Categories(names: (try? result.get()) ?? [])
        }
    }

    struct CategoryContext { var load: () async throws -> [String] }

    /// Work elsewhere, so that the result comes from another thread.
    @concurrent private static func loadElsewhere() async -> [String] { ["dev"] }

    @Test func `a tap loads the categories through a feedback, and all bindings show them`() async {
        let journal = Journal()
        let tap = UserAction<Void, CategoryEvent>(trigger: .load)
        let load = AsyncResult<CategoryContext, CategoryEvent> { .loaded(.success(try await $0.load())) }
        let system = System<Categories, CategoryEvent>.pure(
            initialState: Categories(), context: CategoryContext(load: { await Self.loadElsewhere() }), reducer: Self.reduce,
            uiBindings: [{ journal.note("categories \($0.names)") }, { _ in journal.note("other") }],
            userActions: [tap],
            feedback: [DependentFeedback { context in .react({ _ in try await load.run(in: context) }, when: \.shouldLoad) }])
        var calls = 0
        system.attach(Middleware { if $0.phase == .settled { calls += 1 } })
        tap.execute()
        await system.settled()
        #expect(system.state == Categories(names: ["dev"]))
        #expect(calls == 2)
        #expect(
            journal.lines == [
                "categories []", "other", "categories []", "other", #"categories ["dev"]"#, "other",
            ])
    }

    // MARK: The jokes of the article

    enum JokesFailure: Error, Equatable { case offline }

    struct Jokes: Equatable {
        var shown: [String] = []
        var category: String?
        var failure: JokesFailure?
    }

    enum JokesEvent { case show(category: String), loaded([String]), failed(JokesFailure) }

    final class JokesView {
        let journal: Journal
        init(_ journal: Journal) { self.journal = journal }

        func draw(_ jokes: [String]) { journal.note("jokes \(jokes)") }
        func drawLoading() { journal.note("loading") }
        func draw(_ failure: JokesFailure) { journal.note("error \(failure)") }
    }

    struct JokesContext {
        let view: JokesView
        let jokes: (_ category: String) async throws -> [String]
    }

    private func jokes(
        _ journal: Journal, _ jokes: @escaping (String) async throws -> [String]
    ) -> (System<Jokes, JokesEvent>, UserAction<String, JokesEvent>) {
        let view = JokesView(journal)
        let choose = UserAction<String, JokesEvent> { .show(category: $0) }
        func load(_ category: String) -> AsyncResult<JokesContext, JokesEvent> {
            AsyncResult<JokesContext, [String]> { try await $0.jokes(category) }
                .map(JokesEvent.loaded)
                .handleError { .pure(.failed($0 as? JokesFailure ?? .offline)) }
        }
        let system = System<Jokes, JokesEvent>.pure(
            initialState: Jokes(), context: JokesContext(view: view, jokes: jokes),
            reducer: { (_: Jokes, event: JokesEvent) -> Jokes in
                switch event {
                case .show(let category): Jokes(category: category)
                case .loaded(let jokes): Jokes(shown: jokes)
                case .failed(let failure): Jokes(failure: failure)
                }
            },
            uiBindings: [
                { state in
                    if let failure = state.failure {
                        view.draw(failure)
                    } else if state.category != nil {
                        view.drawLoading()
                    } else {
                        view.draw(state.shown)
                    }
                }
            ],
            userActions: [choose],
            feedback: [
                DependentFeedback { context in
                    .compacting(state: \.category, effect: { category in try await load(category).run(in: context) })
                }
            ])
        system.attach(Middleware { if $0.phase == .settled { journal.note("callback") } })
        return (system, choose)
    }

    @Test func `jokes are drawn before the callback is called`() async {
        let journal = Journal()
        let (system, choose) = jokes(journal) { ["a joke about \($0)"] }
        choose.execute("dev")
        await system.settled()
        #expect(
            journal.lines == ["jokes []", "loading", "callback", #"jokes ["a joke about dev"]"#, "callback"])
    }

    @Test func `jokes that do not come are drawn as their error, before the callback`() async {
        let journal = Journal()
        let (system, choose) = jokes(journal) { _ in throw JokesFailure.offline }
        choose.execute("dev")
        await system.settled()
        #expect(journal.lines == ["jokes []", "loading", "callback", "error offline", "callback"])
    }

    @Test func `after an error the next choice is answered`() async {
        let journal = Journal()
        let (system, choose) = jokes(journal) { category in
            if category == "dev" { throw JokesFailure.offline }
            return [category]
        }
        choose.execute("dev")
        choose.execute("cats")
        await system.settled()
        #expect(system.state == Jokes(shown: ["cats"]))
    }

    // MARK: The README's counter

    enum Count { case increment, decrement }

    @Test func `a screen that holds nothing but its actions counts`() {
        var label = ""
        func viewDidLoad() -> (plus: UserAction<Void, Count>, minus: UserAction<Void, Count>) {
            let plus = UserAction<Void, Count>(trigger: .increment)
            let minus = UserAction<Void, Count>(trigger: .decrement)
            _ = System<Int, Count>.pure(
                initialState: 0, context: (),
                reducer: { (count, event) -> Int in
                    switch event {
                    case .increment: count + 1
                    case .decrement: count - 1
                    }
                },
                uiBindings: [{ label = String($0) }], userActions: [plus, minus])
            return (plus, minus)
        }
        let (plus, minus) = viewDidLoad()
        #expect(label == "0")
        plus.execute()
        plus.execute()
        minus.execute()
        #expect(label == "1")
    }

    @Test func `one action drives several systems, in the order in which they came`() {
        let journal = Journal()
        let tap = UserAction<Void, Count>(trigger: .increment)
        for name in ["first", "second"] {
            System<Int, Count>.pure(
                initialState: 0, reducer: { count, _ in count + 1 }, uiBindings: [{ journal.note("\(name) \($0)") }]
            ).connect(tap)
        }
        tap.execute()
        #expect(journal.lines == ["first 0", "second 0", "first 1", "second 1"])
    }

    @Test func `several feedbacks react to one state, in their order`() async {
        let system = System<String, String>.pure(
            initialState: "", reducer: { $0 + $1 },
            feedback: ["a", "b", "c"].map { name in .react({ _ in .event(name) }, when: { $0 == "go" }) })
        system.send("go")
        await system.settled()
        #expect(system.state == "goabc")
    }
}

extension System {
    /// Connects an action as `userActions:` does, to a system that is there already.
    fileprivate func connect(_ action: UserAction<Void, Event>) { action.connect(to: self) }
}
