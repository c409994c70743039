import LoopCore
import LoopFlux
import LoopLogging
import LoopMigration
import LoopTesting
import LoopTracing
import LoopTracking
import Testing
import TrackingEvents

struct ProductState: Equatable {
    var product: Promise<String> = .idle()
}

struct LoadProduct: Action { let sku: String }

struct ProductLoaded: CompletableAction {
    typealias Payload = String
    let promise: Promise<String>
}

@MainActor final class ProductController {
    let dispatcher: Dispatcher
    let api: (String) async throws -> String

    init(dispatcher: Dispatcher, api: @escaping (String) async throws -> String) {
        self.dispatcher = dispatcher
        self.api = api
    }

    func load(_ sku: String) {
        dispatcher.dispatch(ProductLoaded.self) { [api] in try await api(sku) }
    }
}

extension ReducerGroup where State == ProductState, Controller == ProductController {
    @MainActor static var product: ReducerGroup {
        ReducerGroup()
            .reducer(of: LoadProduct.self) { state, action, controller in
                guard !state.product.isPending else { return }
                state.product = .pending()
                controller.load(action.sku)
            }
            .reducer(of: ProductLoaded.self) { state, action in state.product.resolve(action.promise.result) }
    }
}

enum LoadedAt: MetadataKey { typealias Value = Int }

extension MetadataCarrying {
    var loadedAt: Int? {
        get { self[LoadedAt.self] }
        set { self[LoadedAt.self] = newValue }
    }
}

@MainActor @Suite struct MovingFromMiniSwiftArticle {
    private let bag = SubscriptionBag()

    private func makeStore(_ api: @escaping (String) async throws -> String) -> Store<ProductState, ProductController> {
        let dispatcher = Dispatcher()
        let store = Store(ProductState(), dispatcher: dispatcher, controller: ProductController(dispatcher: dispatcher, api: api))
        store.subscribe(.product).disposed(by: bag)
        return store
    }

    @Test func `A request is shown from the asking to the answer`() async throws {
        let view = Label()
        let api: (String) async throws -> String = { $0.uppercased() }

        let dispatcher = Dispatcher()
        let store = Store(ProductState(), dispatcher: dispatcher, controller: ProductController(dispatcher: dispatcher, api: api))
        store.subscribe(.product).disposed(by: bag)
        store.observe { [weak view] state in view?.text = state.product.value ?? "\(state.product.status)" }
        dispatcher.dispatch(LoadProduct(sku: "sku-1"))

        _ = try await store.firstState { $0.product.isResolved }
        #expect(view.shown == ["idle", "pending", "SKU-1"])
    }

    @Test func `A test waits for a promise`() async throws {
        let store = makeStore { $0 }

        let product = try await store.dispatch(LoadProduct(sku: "sku-1"), until: \.product.result)

        #expect(product == "sku-1")
    }

    @Test func `A test swallows and records actions`() {
        let dispatcher = Dispatcher()
        var loaded = 0
        dispatcher.subscribe(to: LoadProduct.self) { _ in loaded += 1 }

        let recorder = ActionRecorder(muting: { _ in true })
        dispatcher.add(recorder.middleware)
        dispatcher.dispatch(LoadProduct(sku: "sku-1"))
        #expect(recorder.actions(of: LoadProduct.self).map(\.sku) == ["sku-1"])

        #expect(loaded == 0)
    }

    @Test func `A rejected promise is an error to whoever waits for it`() async {
        let store = makeStore { _ in throw Offline() }
        await #expect(throws: Offline.self) { try await store.dispatch(LoadProduct(sku: "sku-1"), until: \.product.result) }
        #expect(store.state.product.isRejected)
    }

    @Test func `A free property is typed and absent until it is set`() {
        var promise = Promise<String>.value("sku-1")
        #expect(promise.loadedAt == nil)
        promise.loadedAt = 7
        #expect(promise.loadedAt == 7)
        #expect(promise == .value("sku-1"))
    }

    @Test func `A store takes the middleware of a system`() async throws {
        let store = makeStore { $0 }
        var lines: [String] = []
        let log = LogOutput.closure { lines.append($0) }
        let measurements = Measurements()
        let sink = MemorySink()
        let tracker = Tracker(to: sink)
        let trackingEvent: (ProductState) -> TrackingEvent? = { $0.product.isFulfilled ? .event("product_viewed", [:]) : nil }

        store.attach(.log(to: log), .measure(into: measurements), .track(to: tracker, trackingEvent))

        try await store.dispatch(LoadProduct(sku: "sku-1"), until: \.product.result)
        #expect(lines.count == 3)
        #expect(measurements.event("LoadProduct")?.count == 1)
        #expect(sink.names == ["product_viewed"])
    }

    // MARK: What was mended

    enum Left { struct Tapped: Action {} }
    enum Right { struct Tapped: Action {} }

    @Test func `Two action types of one name are two`() {
        let dispatcher = Dispatcher()
        var seen: [String] = []
        dispatcher.subscribe(to: Left.Tapped.self) { _ in seen.append("left") }
        dispatcher.subscribe(to: Right.Tapped.self) { _ in seen.append("right") }
        dispatcher.dispatch(Right.Tapped())
        dispatcher.dispatch(Left.Tapped())
        #expect(seen == ["right", "left"])
    }

    @Test func `What a handler dispatches is delivered after the current action`() {
        let dispatcher = Dispatcher()
        var seen: [String] = []
        dispatcher.subscribe(to: Left.Tapped.self, priority: 1) { [unowned dispatcher] _ in
            dispatcher.dispatch(Right.Tapped(), isolation: MainActor.shared)
            seen.append("first")
        }
        dispatcher.subscribe(to: Left.Tapped.self, priority: 2) { _ in seen.append("second") }
        dispatcher.subscribe(to: Right.Tapped.self) { _ in seen.append("right") }
        dispatcher.dispatch(Left.Tapped())
        #expect(seen == ["first", "second", "right"])
    }
}
