// An app of PromisedArchitectureKit 2.2, moved. MovedAppTests.swift says how the changed lines are marked.
import Foundation
// was: import PromisedArchitectureKit
import LoopCore
// was: import PromiseKit
import LoopMigration

enum ProductPage {
    typealias Promise = Next  // new

    struct Product: Equatable {
        let title: String
        let price: Int
    }

    struct CartError: Error {}

    // was: protocol View: AnyObject {
    @MainActor protocol View: AnyObject {
        func updateUI(state: State)
    }

    // Events
    enum Event {
        case loadProduct
        case addToCart(user: String)
        case leave
    }

    // State
    enum State: Equatable {
        case start
        case loading
        case productLoaded(Product)
        case addedToCart(Product, String)
        case error(String)

        static func reduce(state: State, event: Event) -> Promise<State> {
            switch event {
            case .loadProduct:
                let productPromise = getProduct(cached: false)
                return
                    productPromise
                    .map { State.productLoaded($0) }
                    .stateWhenLoading(State.loading)
                    .mapErrorRecover { State.error("\($0)") }

            case .addToCart(let name):
                let productPromise = getProduct(cached: true)
                let userPromise = getUser(name)
                return Promise<(Product, String)>.zip(productPromise, userPromise).flatMap { pair -> Promise<State> in
                    let (product, user) = pair
                    return addToCart(product: product, user: user)
                        .map { State.addedToCart(product, $0) }
                        .mapErrorRecover { State.error("\($0)") }
                }
                .stateWhenLoading(State.loading)

            case .leave:
                return Promise.value(State.start)
            }
        }
    }

    // Services
    fileprivate static func getProduct(cached: Bool) -> Promise<Product> {
        let product = Product(title: cached ? "Kettle, cached" : "Kettle", price: 30)
        return Promise { seal in
            DispatchQueue.main.async {
                seal.fulfill(product)
            }
        }
    }

    fileprivate static func getUser(_ name: String) -> Promise<String> {
        return Promise { seal in
            DispatchQueue.global().async {
                seal.fulfill(name)
            }
        }
    }

    fileprivate static func addToCart(product: Product, user: String) -> Promise<String> {
        if user.isEmpty {
            return Promise<String>(error: CartError())
        }
        return Promise<String>.value("\(product.title) for \(user)")
    }

    // was: class Presenter {
    @MainActor class Presenter {
        var system: System<State, Event>?
        weak var view: (any View)?
        var tracked: [State] = []

        init(view: any View) {
            self.view = view
        }

        func sendEvent(_ event: Event) {
            system?.sendEvent(event)
        }

        func controllerLoaded() {
            system = System.pure(
                initialState: State.start,
                reducer: State.reduce,
                uiBindings: [
                    { [weak self] state in
                        self?.view?.updateUI(state: state)
                    }
                ]
            )
            system?.addLoopCallback { [weak self] state, _ in
                self?.tracked.append(state)
            }
        }
    }
}
