// An app of CombineFeedback, moved. MovedAppTests.swift says how the changed lines are marked.
// was: import Combine
import LoopCore
// was: import CombineFeedback
import LoopMigration

#if canImport(UIKit)
import UIKit
#endif

enum MoviesApp {
    typealias Store = System  // new

    struct Movie: Hashable {
        let title: String
        var isFavourite = false
    }

    struct Results: Equatable {
        let page: Int
        let results: [Movie]

        static func empty() -> Results {
            return Results(page: 0, results: [])
        }
    }

    struct Dependencies {
        var movies: (Int) async throws -> Results
        var isAvailable: (String) async -> Bool
    }

    struct State: Equatable {
        var batch = Results.empty()
        var movies: [Movie] = []
        var status = Status.loading
        var profile = ""
        var isProfileAvailable = false

        var nextPage: Int? {
            switch status {
            case .loading:
                return batch.page + 1
            case .failed, .idle:
                return nil
            }
        }

        enum Status: Equatable {
            case idle
            case loading
            case failed(String)
        }
    }

    enum Event {
        case didLoad(Results)
        case didFail(String)
        case retry
        case fetchNext
        case didLike(index: Int)
        case didChangeProfile(String)
        case isAvailable(Bool)
    }

    static func reducer() -> Reducer<State, Event> {
        .init { state, event in
            switch event {
            case .didLoad(let batch):
                state.movies += batch.results
                state.status = .idle
                state.batch = batch
            case .didFail(let error):
                state.status = .failed(error)
            case .retry, .fetchNext:
                state.status = .loading
            case .didLike(let index):
                state.movies[index].isFavourite.toggle()
            case .didChangeProfile(let profile):
                state.profile = profile
            case .isAvailable(let isAvailable):
                state.isProfileAvailable = isAvailable
            }
        }
    }

    // was: static func whenLoading() -> Feedback<State, Event, Dependencies> {
    static func whenLoading(_ dependency: Dependencies) -> Feedback<State, Event> {
        // was: .lensing(state: \.nextPage) { page, dependency in
        .lensing(state: \.nextPage) { page in
            do {
                return Event.didLoad(try await dependency.movies(page))
            } catch {
                return Event.didFail("\(error)")
            }
        }
    }

    // was: static func whenChangingProfile() -> Feedback<State, Event, Dependencies> {
    static func whenChangingProfile(_ dependency: Dependencies) -> Feedback<State, Event> {
        // was: .skippingRepeated(state: { $0.profile.isEmpty ? nil : $0.profile }) { profile, dependency in
        .skippingRepeated(state: { $0.profile.isEmpty ? nil : $0.profile }) { profile in
            Event.isAvailable(await dependency.isAvailable(profile))
        }
    }

    // was: static func store(_ all: Dependencies) -> Store<State, Event> {
    @MainActor static func store(_ all: Dependencies) -> Store<State, Event> {
        // was: Store(initial: State(), feedbacks: [whenLoading(), whenChangingProfile()], reducer: reducer(), dependency: all)
        System(initialState: State(), feedbacks: [whenLoading(all), whenChangingProfile(all)], reducer: reducer()).start()
    }

    final class MoviesViewController: UIViewController {
        var store: Store<State, Event>!

        func didReachEnd() {
            store.send(event: .fetchNext)
        }

        func didTap(row: Int) {
            store.send(event: .didLike(index: row))
        }

        func didType(_ profile: String) {
            store.send(event: .didChangeProfile(profile))
        }
    }
}
