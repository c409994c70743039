import LoopCore
import LoopMigration
import TestSupport
import Testing

extension LoopBehaviour {
    /// Loop's tests of sources and of feedbacks of one's own making, and its README.
    @MainActor @Suite struct Sources {
        private func sum(_ feedbacks: Feedback<Int, Int>...) -> System<Int, Int> {
            System(initialState: 0, feedbacks: feedbacks, reducer: { $0 += $1 })
        }

        actor Elsewhere {
            private var states: [String] = []
            private var system: System<String, String>?

            func run() async -> [String] {
                let once = Feedback<String, String>.custom { inputs, outlet in
                    for await _ in inputs {
                        outlet.send("_event")
                        return
                    }
                }
                let system = System<String, String>(initialState: "initial", feedbacks: [once], reducer: { $0 += $1 })
                self.system = system
                system.bind { [unowned self] state in self.assumeIsolated { $0.states.append(state) } }
                system.start()
                for await state in system.states where state == "initial_event" { break }
                return states
            }
        }

        @Test func `a loop that is started elsewhere misses no event`() async {
            #expect(await Elsewhere().run() == ["initial", "initial_event"])
        }

        @Test func `events of a source that has completed are all reduced, behind work that takes its time`() async {
            enum Event { case increment(Int), work }
            let (increments, increment) = AsyncStream<Int>.makeStream()
            let (works, work) = AsyncStream<Void>.makeStream()
            let answer = Answer<Void>()
            let system = System<Int, Event>(
                initialState: 0,
                feedbacks: [.source({ increments }, as: Event.increment), .source({ works }, as: { _ in .work })],
                next: { (state: Int, event: Event) -> Next<Int> in
                    switch event {
                    case .increment(let step): .state(state + step)
                    case .work:
                        .run {
                            try await answer()
                            return state
                        }
                    }
                })
            var results: [Int] = []
            system.bind { results.append($0) }.start()
            for step in 1...3 { increment.yield(step) }
            #expect(await eventually { results == [0, 1, 3, 6] })
            work.yield(())
            #expect(await eventually { answer.asked == 1 })
            for step in 1...3 { increment.yield(step) }
            increment.finish()
            await giveWay()
            #expect(results == [0, 1, 3, 6])
            answer.give(())
            #expect(await eventually { results == [0, 1, 3, 6, 6, 7, 9, 12] })
        }

        @Test func `a feedback of its own making goes on from the latest state`() async {
            let system = sum(
                .custom { inputs, outlet in
                    var seen = 0
                    for await input in inputs {
                        seen += 1
                        outlet.send(seen == 1 ? 2 : input.state + 1_000)
                        if seen == 4 { return }
                    }
                })
            var results: [Int] = []
            system.bind { results.append($0) }.start()
            #expect(await eventually { results.count >= 5 })
            await giveWay()
            #expect(results == [0, 2, 1_004, 3_008, 7_016])
        }

        // MARK: The README

        struct Paging: Equatable {
            var movies: [String] = []
            var pages = 0
            var isPaging = false
            var error: String?
            var nextPage: Int? { isPaging && error == nil ? pages + 1 : nil }
        }

        enum PagingEvent { case startNextPage, response([String]), failed(String), retry }

        @Test func `pages are loaded near the bottom, and again after an error where the person asks for it`() async {
            let nearBottom = Feedback<Paging, PagingEvent>.input
            var isOffline = true
            struct Offline: Error {}
            let paging = Feedback<Paging, PagingEvent>.skippingRepeated(state: \.nextPage) { page -> PagingEvent? in
                do {
                    if isOffline { throw Offline() }
                    return .response(["page \(page)"])
                } catch { return .failed("\(error)") }
            }
            let retries = Answer<Void>()
            let retry = Feedback<Paging, PagingEvent>.skippingRepeated(state: \.error) { _ -> PagingEvent? in
                try await retries()
                return .retry
            }
            let system = System<Paging, PagingEvent>(
                initialState: Paging(), feedbacks: [nearBottom.feedback, paging, retry],
                reducer: { (state: inout Paging, event: PagingEvent) in
                    switch event {
                    case .startNextPage: state.isPaging = true
                    case .response(let batch):
                        state.movies += batch
                        state.pages += 1
                        state.isPaging = false
                    case .failed(let error): state.error = error
                    case .retry: state.error = nil
                    }
                })
            system.start()
            nearBottom.send(.startNextPage)
            #expect(await eventually { retries.asked == 1 })
            #expect(system.state == Paging(isPaging: true, error: "Offline()"))
            isOffline = false
            retries.give(())
            await system.settled()
            #expect(system.state == Paging(movies: ["page 1"], pages: 1))
            nearBottom.send(.startNextPage)
            await system.settled()
            #expect(system.state.movies == ["page 1", "page 2"])
        }
    }
}
