@testable import LoopCore
import Testing

@MainActor @Suite struct MiddlewareCombinatorTests {
    struct App { var cart = 0, title: String? }
    enum AppEvent { case cart(Int), title(String?) }

    final class Log<State, Event> {
        var lines: [String] = []
        func middleware(needs: MiddlewareNeeds = []) -> Middleware<State, Event> {
            Middleware(needs: needs) { step in
                let event = step.event.map { "\($0)" } ?? "-"
                self.lines.append("\(step.number) \(event) \(step.state) \(step.previousState.map { "\($0)" } ?? "-")")
            }
        }
    }

    private func makeSystem() -> System<App, AppEvent> {
        System(
            initialState: App(),
            reducer: { state, event in
                switch event {
                case .cart(let more): state.cart += more
                case .title(let title): state.title = title
                }
            })
    }

    @Test("filter lets only some steps through")
    func filter() {
        let log = Log<Int, Int>()
        let system = System<Int, Int>(initialState: 0, reducer: { $0 += $1 })
        system.attach(log.middleware().filter { $0.state.isMultiple(of: 2) })
        for event in [1, 1, 1, 1] { system.send(event) }
        #expect(log.lines == ["0 - 0 -", "2 1 2 -", "4 1 4 -"])
    }

    @Test("a filter tells of an event that is taken only once a step of it passes, whichever of two under way ends first")
    func filterOfTaken() {
        var told: [String] = []
        let middleware = Middleware<Int, String>(needs: .effects) { _ in
            .init(
                step: { told.append("step \($0.number)") },
                taken: { number, event, _, cause in told.append("\(event) by \(cause!.number)") })
        }
        let watcher = middleware.filter { $0.phase == .settled && $0.event != "secret" }.makeWatcher(for: LoopInfo())
        for (number, event) in ["slow", "secret", "quick"].enumerated() {
            watcher.taken?(number + 1, event, nil, SendCause(number: number))
        }
        watcher.step(Step(number: 1, event: "slow", phase: .loading, state: 0, outcome: nil))
        for (number, event) in [(2, "secret"), (3, "quick"), (1, "slow")] {
            watcher.step(Step(number: number, event: event, phase: .settled, state: 0))
        }
        #expect(told == ["quick by 2", "step 3", "slow by 0", "step 1"])
    }

    @Test("a part's middleware sees the part's steps: its events, its state, its previous state")
    func pullback() {
        let log = Log<Int, Int>(), title = Log<String, String?>(), cart = Log<Int, AppEvent>()
        let system = makeSystem()
        system.attach(
            log.middleware(needs: .previousState).pullback(
                state: { $0.cart }, event: { if case .cart(let more) = $0 { more } else { nil } }),
            title.middleware().pullback(
                state: \.title, event: { if case .title(let title) = $0 { .some(title) } else { nil } }),
            cart.middleware().pullback(state: \.cart, event: { $0 }))
        system.send(.cart(5))
        system.send(.title("a"))
        system.send(.cart(1))
        #expect(log.lines == ["0 - 0 -", "1 5 5 0", "3 1 6 5"])
        #expect(title.lines.map { $0.prefix(1) } == ["2"])
        #expect(cart.lines.count == 4)
    }

    @Test("outcomes and phases of the whole reach the part")
    func pullbackOfFailures() async {
        struct Broken: Error {}
        var seen: [String] = []
        let system = System<App, Int>(
            initialState: App(),
            next: { (state: App, event: Int) -> Next<App> in
                .run { if event == 0 { throw Broken() } else { throw CancellationError() } }.stateWhenLoading(App(cart: 9))
            })
        system.attach(
            Middleware<Int, Int> { step in
                let outcome =
                    step.outcome.map { $0.isFinished ? "finished" : $0.isCancelled ? "cancelled" : "failed" } ?? "-"
                seen.append("\(step.phase) \(step.state) \(outcome)")
            }.pullback(state: \.cart, event: { $0 }))
        system.send(0)
        system.send(1)
        await system.settled()
        #expect(
            seen == ["initial 0 finished", "loading 9 -", "settled 0 failed", "loading 9 -", "settled 0 cancelled"])
    }

    @Test("sampling lets whole events through, one in so many", arguments: [(1, [1, 2, 3, 4, 5, 6, 7]), (3, [1, 4, 7]), (10, [1])])
    func sampled(every: Int, expected: [Int]) {
        var numbers: [Int] = []
        let system = System<Int, Int>(initialState: 0, reducer: { $0 += $1 })
        system.attach(Middleware { if $0.event != nil { numbers.append($0.number) } }.sampled(every: every))
        for _ in 1...7 { system.send(1) }
        #expect(numbers == expected)
    }

    @Test("combined middleware is attached and detached as one, and asks for what any of them needs")
    func combined() {
        let one = Log<Int, Int>(), two = Log<Int, Int>()
        let both = Middleware.combined(one.middleware(), two.middleware(needs: .previousState))
        #expect(both.needs == .previousState)
        let system = System<Int, Int>(initialState: 0, reducer: { $0 += $1 })
        system.attach(both)
        system.send(2)
        system.detach(both)
        system.send(3)
        #expect(one.lines == ["0 - 0 -", "1 2 2 0"] && two.lines == one.lines)
    }

    @Test("a middleware that makes its handler has a memory for each system")
    func memoryIsPerSystem() {
        var counts: [Int] = []
        let counting = Middleware<Int, Int>(makingHandler: { _ in
            var count = 0
            return { _ in
                count += 1
                counts.append(count)
            }
        })
        .filter { _ in true }
        for _ in 1...2 { System<Int, Int>(initialState: 0, reducer: { $0 += $1 }).attach(counting).send(1) }
        #expect(counts == [1, 2, 1, 2])
    }
}
