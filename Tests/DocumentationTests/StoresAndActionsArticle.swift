import LoopCore
import LoopFlux
import LoopLogging
import LoopMigration
import Testing

struct LoggedOut: Action {}

struct OpenDetail: Action { let sku: String }

struct DetailLoaded: PayloadAction { let result: Result<String, any Error> }

struct DetailState: Equatable {
    var product: Promise<String> = .idle()
}

@MainActor final class DetailController {
    let dispatcher: Dispatcher
    let loadName: (String) async throws -> String

    init(dispatcher: Dispatcher, loadName: @escaping (String) async throws -> String) {
        self.dispatcher = dispatcher
        self.loadName = loadName
    }

    func load(_ sku: String) {
        dispatcher.dispatch(DetailLoaded.self) { [loadName] in try await loadName(sku) }
    }
}

extension Store where State == DetailState, Controller == DetailController {
    @MainActor func registerReducers() {
        reducer(of: OpenDetail.self) { state, action, controller in
            state.product = .pending()
            controller.load(action.sku)
        }
        reducer(of: DetailLoaded.self) { state, action in state.product.resolve(action.result) }
        reducer(of: LoggedOut.self) { state, _ in state = DetailState() }
    }
}

struct PriceLoaded: KeyedPayloadAction {
    let result: Result<Int, any Error>
    let key: String
}

struct PriceList: Equatable {
    var prices: [String: Promise<Int>] = [:]
}

@MainActor @Suite struct StoresAndActionsArticle {
    private let loadName: (String) async throws -> String = { $0.uppercased() }

    private func makeDetail(_ dispatcher: Dispatcher) -> Store<DetailState, DetailController> {
        let controller = DetailController(dispatcher: dispatcher, loadName: loadName)
        let detail = Store(DetailState(), dispatcher: dispatcher, controller: controller)
        detail.registerReducers()
        return detail
    }

    @Test func `One action changes two stores that do not know each other`() async {
        let dispatcher = Dispatcher()
        let detail = Store(DetailState(), dispatcher: dispatcher, controller: DetailController(dispatcher: dispatcher, loadName: loadName))
        detail.registerReducers()
        let cart = Store(["sku-1"], dispatcher: dispatcher)
        cart.reducer(of: LoggedOut.self) { items, _ in items = [] }

        dispatcher.dispatch(OpenDetail(sku: "sku-1"))

        await dispatcher.settled()
        #expect(detail.state.product == .value("SKU-1"))
        dispatcher.dispatch(LoggedOut())
        #expect(detail.state == DetailState())
        #expect(cart.state.isEmpty)
    }

    @Test func `Views see parts and states until they are removed`() async {
        let label = Label()
        let badge = Label()
        let dispatcher = Dispatcher()
        let detail = makeDetail(dispatcher)
        let cart = Store(["sku-1"], dispatcher: dispatcher)

        detail.select(\.product.value) { [weak label] name in label?.text = name }
        cart.observe { [weak badge] items in badge?.text = "\(items.count)" }

        let observation = cart.observe { [weak badge] items in badge?.text = "\(items.count)" }
        observation.cancel()

        dispatcher.dispatch(OpenDetail(sku: "sku-1"))
        await dispatcher.settled()
        cart.state = []
        #expect(label.shown == ["SKU-1"])
        #expect(badge.shown == ["1", "1", "0"])
    }

    @Test func `Many works of a kind are distinguished by their keys`() async {
        let dispatcher = Dispatcher()
        let loadPrice: (String) async throws -> Int = { sku in
            guard sku == "sku-1" else { throw Offline() }
            return 7
        }

        let store = Store(PriceList(), dispatcher: dispatcher)
        store.reducer(of: PriceLoaded.self) { state, action in
            state.prices[action.key, default: .pending()].resolve(action.result)
        }
        for sku in ["sku-1", "sku-2"] {
            dispatcher.dispatch(PriceLoaded.self, key: sku, fillOnError: 0) { try await loadPrice(sku) }
        }
        await dispatcher.settled()

        #expect(store.state.prices == ["sku-1": .value(7), "sku-2": .value(0)])
    }

    @Test func `Code waits for a result or for a state`() async throws {
        let detail = makeDetail(Dispatcher())

        let name = try await detail.dispatch(OpenDetail(sku: "sku-1"), until: \.product.result)
        let loaded = try await detail.firstState { $0.product.isFulfilled }

        #expect(name == "SKU-1")
        #expect(loaded.product.value == name)
    }

    @Test func `Both kinds of middleware see every action`() {
        let dispatcher = Dispatcher()
        var lines: [String] = []
        let log = LogOutput.closure { lines.append($0) }

        dispatcher.attach(.log(to: log))

        let mute = DispatchMiddleware { action, chain in
            if !(action is OpenDetail) { chain.proceed(action) }
        }
        dispatcher.add(mute)
        dispatcher.dispatch(OpenDetail(sku: "sku-1"))
        dispatcher.remove(mute)

        dispatcher.dispatch(LoggedOut())
        #expect(lines.count == 3)
        #expect(lines[1].contains("OpenDetail"))
        #expect(lines[2].contains("LoggedOut"))
    }

    @Test func `Another thread sends through the inbox`() async {
        let dispatcher = Dispatcher()
        var seen: [String] = []
        dispatcher.subscribe(to: OpenDetail.self) { seen.append($0.sku) }
        dispatcher.subscribe(to: LoggedOut.self) { _ in seen.append("logged out") }

        let inbox = dispatcher.inbox()
        await Task.detached {
            inbox.send(OpenDetail(sku: "sku-1"))
            await inbox.dispatch(LoggedOut())
        }.value

        #expect(seen == ["sku-1", "logged out"])
        #expect(dispatcher.stop() == 0)
    }
}
