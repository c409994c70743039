// An app of ArchitectureKit, moved. MovedAppTests.swift says how the changed lines are marked.
// was: import ArchitectureKit
import LoopCore
// was: import FunctionalKit
import LoopMigration

#if canImport(UIKit)
import UIKit
#endif

enum JokesApp {
    // was: typealias JokesSystem = System<State, Event, JokesError, Context>
    typealias JokesSystem = System<State, Event>
    // was: typealias JokesUserAction = UserAction<State, Event, JokesError, Context>
    typealias JokesUserAction = UserAction<Void, Event>
    // was: typealias JokesFeedback = Feedback<State, Event, JokesError, Context>
    typealias JokesFeedback = DependentFeedback<State, Event, Context>

    enum JokesError: Error {
        case offline
    }

    struct Context {
        let jokes: (_ category: String, _ completion: @escaping ([String]?) -> Void) -> Void
    }

    enum Event {
        case load
        case loaded([String])
        case failed(String)
        case next
        case previous
    }

    struct State: Equatable {
        var category = "nerdy"
        var jokes: [String] = []
        var shown = 0
        var shouldLoadData = false
        var error: String?

        static var empty: State { return State() }

        static func reduce(state: State, event: Event) -> State {
            var newState = state
            switch event {
            case .load:
                newState.shouldLoadData = true
                newState.error = nil
            case .loaded(let jokes):
                newState.shouldLoadData = false
                newState.jokes = jokes
                newState.shown = 0
            case .failed(let error):
                newState.shouldLoadData = false
                newState.error = error
            case .next:
                newState.shown = min(state.shown + 1, state.jokes.count - 1)
            case .previous:
                newState.shown = max(state.shown - 1, 0)
            }
            return newState
        }
    }

    // was: static func loadJokes(_ category: String) -> AsyncResult<Context, Event, JokesError> {
    static func loadJokes(_ category: String) -> AsyncResult<Context, Event> {
        // was: return AsyncResult<Context, [String], JokesError>.unfoldTT { context, continuation in
        return AsyncResult<Context, [String]>.unfoldTT { context, continuation in
            context.jokes(category) { jokes in
                if let jokes = jokes {
                    continuation(Result.success(jokes))
                } else {
                    continuation(Result.failure(JokesError.offline))
                }
            }
        }
        .mapTT { Event.loaded($0) }
        // was: .handleErrorWith { error in AsyncResult<Context, Event, JokesError>.pureTT(Event.failed("\(error)")) }
        .handleErrorWith { error in AsyncResult<Context, Event>.pureTT(Event.failed("\(error)")) }
    }

    final class JokesViewController: UIViewController {
        let tapLoad = JokesUserAction.init(trigger: Event.load)
        let tapNext = JokesUserAction.init(trigger: Event.next)
        let tapPrevious = JokesUserAction.init(trigger: Event.previous)
        var label = ""
        var spins = false
        var loops = 0

        var context: Context!

        override func viewDidLoad() {
            super.viewDidLoad()
            let bindText: (State) -> Void = { [weak self] state in
                self?.label = state.error ?? (state.jokes.isEmpty ? "" : state.jokes[state.shown])
            }
            let bindSpinner: (State) -> Void = { [weak self] state in
                self?.spins = state.shouldLoadData
            }
            let system = JokesSystem.pure(
                initialState: State.empty,
                context: context,
                reducer: State.reduce,
                uiBindings: [bindText, bindSpinner],
                userActions: [tapLoad, tapNext, tapPrevious],
                feedback: [JokesFeedback.react({ state in loadJokes(state.category) }, when: { $0.shouldLoadData })]
            )
            // was: system.addLoopCallback { [weak self] in
            system.addLoopCallback { [weak self] _, _ in
                self?.loops += 1
            }
        }
    }
}
