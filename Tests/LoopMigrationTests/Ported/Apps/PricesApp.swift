// An app of Mini-Swift 1.3, moved. MovedAppTests.swift says how the changed lines are marked.
// was: import MiniSwift
import LoopFlux
// was: import RxSwift
import LoopMigration

#if canImport(UIKit)
import UIKit
#endif

struct PriceState: StateType, Equatable {
    var prices: [String: Int] = [:]
    var priceTasks: KeyedTask<String> = [:]
    var currency = "EUR"
}

extension PriceState {
    func line(for sku: String) -> String {
        if priceTasks.isRunning(key: sku) {
            return "…"
        }
        if priceTasks.isFailure(key: sku) {
            return "no price"
        }
        return prices[sku].map { "\($0) \(currency)" } ?? ""
    }
}

struct LoadPrice: Action {
    let sku: String
}

struct ChangeCurrency: Action {
    let currency: String
}

// was: struct PriceLoaded: KeyedCompletableAction {
struct PriceLoaded: KeyedCompletableTaskAction {
    typealias Payload = Int
    typealias Key = String

    // was: let task: Task
    let task: AnyTask
    let payload: Int?
    let key: String
}

struct PriceAPI {
    // was: var price: (String) -> Single<Int>
    var price: (String) async throws -> Int
}

// was: final class PriceController: Disposable {
@MainActor final class PriceController {
    let dispatcher: Dispatcher
    let api: PriceAPI
    let bag = DisposeBag()

    init(dispatcher: Dispatcher, api: PriceAPI) {
        self.dispatcher = dispatcher
        self.api = api
    }

    func loadPrice(_ sku: String) {
        // was: api.price(sku).dispatch(action: PriceLoaded.self, expiration: .custom(86_400), key: sku, on: dispatcher).disposed(by: bag)
        dispatcher.dispatch(PriceLoaded.self, key: sku, expiration: .custom(.seconds(86_400))) { [api] in try await api.price(sku) }
    }

    func dispose() {
    }
}

// was: extension Store where State == PriceState, StoreController == PriceController {
@MainActor extension Store where State == PriceState, StoreController == PriceController {
    var reducerGroup: ReducerGroup {
        return ReducerGroup {
            [
                Reducer(of: LoadPrice.self, on: self.dispatcher) { action in
                    guard !self.state.priceTasks.isRunning(key: action.sku) else { return }
                    guard !self.state.priceTasks.isRecentlySucceeded(key: action.sku) else { return }
                    // was: self.state.priceTasks[action.sku] = .requestRunning()
                    self.state.priceTasks[action.sku] = .running()
                    self.storeController.loadPrice(action.sku)
                },
                Reducer(of: PriceLoaded.self, on: self.dispatcher) { action in
                    var next = self.state
                    next.priceTasks[action.key] = action.task
                    next.prices[action.key] = action.payload ?? next.prices[action.key]
                    self.state = next
                },
                Reducer(of: ChangeCurrency.self, on: self.dispatcher) { action in
                    self.state = PriceState(currency: action.currency)
                },
            ]
        }
    }
}

final class PriceViewController: UIViewController {
    let dispatcher = Dispatcher()
    let bag = DisposeBag()
    var api: PriceAPI!
    var store: Store<PriceState, PriceController>!
    var label = ""
    var lines: [String] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        let controller = PriceController(dispatcher: dispatcher, api: api)
        // was: store = Store<PriceState, PriceController>(PriceState(), dispatcher: dispatcher, storeController: controller)
        store = Store<PriceState, PriceController>(PriceState(), dispatcher: dispatcher, controller: controller)
        store
            .reducerGroup
            .disposed(by: bag)
        store
            .subscribe(onNext: { [weak self] state in
                self?.show(state)
            })
            .disposed(by: bag)
    }

    func show(_ state: PriceState) {
        label = state.line(for: "sku-1")
        lines.append(label)
    }

    func didTapPrice(of sku: String) {
        dispatcher.dispatch(LoadPrice(sku: sku), mode: .sync)
    }

    func didChoose(currency: String) {
        dispatcher.dispatch(ChangeCurrency(currency: currency), mode: .sync)
    }
}
