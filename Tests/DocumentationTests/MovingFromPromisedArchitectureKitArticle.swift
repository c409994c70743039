import LoopCore
import LoopMigration
import LoopTesting
import LoopTracking
import Testing
import TrackingEvents

/// A shop that has everything but the product "gone".
private func getProduct(_ sku: String, cached: Bool) async throws -> String {
    if sku == "gone" { throw Offline() }
    return cached ? "cached \(sku)" : sku
}

private func getProductOldStyle(_ sku: String, _ completion: (Result<String, any Error>) -> Void) {
    completion(sku == "gone" ? .failure(Offline()) : .success(sku))
}

private func getUser() async throws -> String { "Ada" }

private func addToCart(product: String, user: String) async throws -> Int { product.count + user.count }

private enum ProductPage {
    enum State: Equatable {
        case start
        case loading
        case shown(String)
        case added(String, Int)
        case failed(String)
    }

    enum Event { case load(String), addToCart(String) }

    static func reduce(state: State, event: Event) -> Next<State> {
        switch event {
        case .load(let sku):
            .run { .shown(try await getProduct(sku, cached: false)) }
                .stateWhenLoading(.loading)
                .mapErrorRecover { .failed("\($0)") }
        case .addToCart(let sku):
            Next.zip(.run { try await getProduct(sku, cached: true) }, .run { try await getUser() })
                .flatMap { product, user in .run { .added(product, try await addToCart(product: product, user: user)) } }
                .mapErrorRecover { .failed("\($0)") }
                .stateWhenLoading(.loading)
        }
    }

    static func legacy(_ sku: String) -> Next<State> {
        .run {
            .shown(
                try await withCheckedThrowingContinuation { continuation in
                    getProductOldStyle(sku) { continuation.resume(with: $0) }
                })
        }
    }

    static func trackingEvent(_ state: State) -> TrackingEvent? {
        if case .shown(let sku) = state { .event("product_viewed", ["sku": .string(sku)]) } else { nil }
    }
}

@MainActor @Suite struct MovingFromPromisedArchitectureKitArticle {
    @Test func `The pure spelling, a binding and a tracker see the whole way of an event`() async {
        let view = Label()
        let sink = MemorySink()
        let tracker = Tracker(to: sink)

        let system = System.pure(
            initialState: .start, reducer: ProductPage.reduce,
            uiBindings: [{ [weak view] state in view?.text = "\(state)" }])
        system.attach(.track(to: tracker, ProductPage.trackingEvent))
        system.send(.load("sku-1"))

        await system.settled()
        #expect(view.shown == ["start", "loading", "shown(\"sku-1\")"])
        #expect(sink.names == ["product_viewed"])
    }

    @Test func `Two parts and what follows from them lead to one state`() async {
        let system = System(initialState: .start, next: ProductPage.reduce)
        let recorder = StepRecorder<ProductPage.State, ProductPage.Event>()
        system.attach(recorder.middleware)
        system.send(.addToCart("sku-1"))
        await system.settled()
        #expect(recorder.states == [.start, .loading, .added("cached sku-1", 15)])
    }

    @Test func `An error is a state, and the next event is taken`() async {
        let system = System(initialState: .start, next: ProductPage.reduce)
        system.send(.load("gone"))
        system.send(.load("sku-1"))
        let recorder = StepRecorder<ProductPage.State, ProductPage.Event>()
        system.attach(recorder.middleware)
        await system.settled()
        #expect(recorder.states == [.loading, .failed("Offline()"), .loading, .shown("sku-1")])
    }

    @Test(arguments: ["sku-1", "gone"])
    func `A function that calls back is wrapped`(sku: String) async throws {
        let next = ProductPage.legacy(sku).mapErrorRecover { .failed("\($0)") }
        #expect(try await next.value() == (sku == "gone" ? .failed("Offline()") : .shown("sku-1")))
    }

    @Test func `A middleware that wants the states so far finds them in the history`() async {
        var counts: [Int] = []

        let system = System(initialState: .start, history: .last(20), next: ProductPage.reduce)
        system.attach(
            Middleware { [unowned system] step in
                counts.append(system.history.count)
            })

        system.send(.load("sku-1"))
        await system.settled()
        #expect(counts == [1, 2, 3])
        #expect(system.history == [.start, .loading, .shown("sku-1")])
    }

    // MARK: What was mended

    @Test func `A failure without recovery does not stop the loop`() async {
        let system = System(
            initialState: 0,
            next: { (state: Int, sku: String) -> Next<Int> in .run { try await getProduct(sku, cached: false).count } })
        system.send("gone")
        system.send("sku-1")
        await system.settled()
        #expect(system.state == 5)
    }

    @Test func `The loading state survives every operator`() async {
        let operators: [(Next<Int>) -> Next<Int>] = [
            { $0.map { $0 + 1 } },
            { $0.flatMap { .state($0 + 1) } },
            { $0.mapError { $0 } },
            { $0.mapErrorRecover { _ in 0 } },
            { Next.zip($0, .state(1)).map { $0 + $1 } },
            { Next.parallel([$0, .state(1)]).map { $0.reduce(0, +) } },
        ]
        for change in operators {
            let system = System(
                initialState: 0,
                next: { (_: Int, _: Void) -> Next<Int> in change(Next.run { 10 }.stateWhenLoading(5)) })
            let recorder = StepRecorder<Int, Void>()
            system.attach(recorder.middleware)
            system.send(())
            await system.settled()
            #expect(recorder.phases == [.initial, .loading, .settled])
        }
    }

    @Test func `Two callbacks are both called, with the initial state first`() {
        var told: [[Int]] = [[], []]
        let system = System(initialState: 0, returning: { (count: Int, step: Int) in count + step })
        system.attach(Middleware { told[0].append($0.state) }, Middleware { told[1].append($0.state) })
        system.send(1)
        #expect(told == [[0, 1], [0, 1]])
    }
}
