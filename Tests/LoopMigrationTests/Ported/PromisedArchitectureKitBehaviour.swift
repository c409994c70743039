import LoopCore
import LoopMigration
import LoopTesting
import TestSupport
import Testing

/// PromisedArchitectureKit 2.2: what its tests and its README show, and the faults of it that ours does not have.
@MainActor @Suite struct PromisedArchitectureKitBehaviour {
    struct Product: Equatable, Sendable { let title: String }

    enum CartFailure: Error, Equatable { case full, loggedOut }

    enum PageEvent { case loadProduct, addToCart, showStart }

    enum Page {
        case start, loading, productLoaded(Product), addedToCart(Product, String), error(any Error)

        var text: String {
            switch self {
            case .start: "start"
            case .loading: "loading"
            case .productLoaded(let product): "loaded \(product.title)"
            case .addedToCart(_, let answer): answer
            case .error(let error): "error \(error)"
            }
        }
    }

    nonisolated static let sneaker = Product(title: "Triple White")

    /// The shop of the README, with answers that a test decides on.
    struct Shop {
        var product: (_ cached: Bool) async throws -> Product = { _ in sneaker }
        var user: () async throws -> String = { "Richi" }
        var addToCart: (Product, String) async throws -> String = { "\($0.title) added for \($1)" }

        func reduce(_ page: Page, _ event: PageEvent) -> Next<Page> {
            switch event {
            case .loadProduct:
                Next.run { try await product(false) }
                    .map(Page.productLoaded)
                    .stateWhenLoading(.loading)
                    .mapErrorRecover(Page.error)
            case .addToCart:
                Next.zip(.run { try await product(true) }, .run { try await user() })
                    .flatMap { (product: Product, user: String) in
                        Next.run { try await addToCart(product, user) }
                            .map { Page.addedToCart(product, $0) }
                            .mapErrorRecover(Page.error)
                    }
                    .stateWhenLoading(.loading)
            case .showStart: .state(.start)
            }
        }
    }

    final class ProductView {
        private(set) var drawn: [String] = []

        func update(_ page: Page) { drawn.append(page.text) }
    }

    /// Makes the system when its controller has loaded, and holds its view weakly, as the README demands.
    final class Presenter {
        private let shop: Shop
        private weak var view: ProductView?
        private(set) var system: System<Page, PageEvent>?

        init(_ view: ProductView, _ shop: Shop = Shop()) {
            self.view = view
            self.shop = shop
        }

        func controllerLoaded(isolation: isolated any Actor = #isolation) {
            system = .pure(
                initialState: .start, reducer: shop.reduce, uiBindings: [{ [weak self] in self?.view?.update($0) }])
        }

        func send(_ event: PageEvent, isolation: isolated any Actor = #isolation) { system?.send(event) }
    }

    private func shown(by shop: Shop, _ events: PageEvent...) async -> [String] {
        let view = ProductView()
        let presenter = Presenter(view, shop)
        presenter.controllerLoaded()
        for event in events { presenter.send(event) }
        await presenter.system?.settled()
        return view.drawn
    }

    // MARK: Its own tests

    @Test func `a loaded product reaches the binding`() async {
        var drawn: [String] = []
        let system = System<Page, PageEvent>.pure(
            initialState: .loading, reducer: Shop().reduce, uiBindings: [{ drawn.append($0.text) }])
        system.send(.loadProduct)
        await system.settled()
        #expect(drawn == ["loading", "loading", "loaded Triple White"])
    }

    @Test func `the presenter's view draws start, loading and the product`() async {
        #expect(await shown(by: Shop(), .loadProduct) == ["start", "loading", "loaded Triple White"])
    }

    @Test func `adding to the cart loads product and user and draws the answer`() async {
        #expect(await shown(by: Shop(), .addToCart) == ["start", "loading", "Triple White added for Richi"])
    }

    @Test func `a cart that refuses is drawn as its error`() async {
        let shop = Shop(addToCart: { _, _ in throw CartFailure.full })
        #expect(await shown(by: shop, .addToCart) == ["start", "loading", "error full"])
    }

    // MARK: The README

    @Test func `a product that does not come is drawn as its error`() async {
        let shop = Shop(product: { _ in throw CartFailure.loggedOut })
        #expect(await shown(by: shop, .loadProduct) == ["start", "loading", "error loggedOut"])
    }

    @Test func `bindings get the initial state before pure returns, and nil ones are skipped`() {
        var drawn: [String] = []
        let system = System<Page, PageEvent>.pure(
            initialState: .start, reducer: Shop().reduce,
            uiBindings: [{ drawn.append("first \($0.text)") }, nil, { drawn.append("last \($0.text)") }])
        #expect(drawn == ["first start", "last start"])
        #expect(system.state.text == "start")
    }

    @Test func `an event that comes while another works waits its turn`() async {
        let product = Answer<Product>()
        let view = ProductView()
        let presenter = Presenter(view, Shop(product: { _ in try await product() }))
        presenter.controllerLoaded()
        presenter.send(.loadProduct)
        presenter.send(.showStart)
        presenter.send(.loadProduct)
        #expect(await eventually { product.asked == 1 })
        #expect(view.drawn == ["start", "loading"])
        product.give(Product(title: "one"))
        #expect(await eventually { product.asked == 2 })
        #expect(view.drawn == ["start", "loading", "loaded one", "start", "loading"])
        product.give(Product(title: "two"))
        await presenter.system?.settled()
        #expect(view.drawn.last == "loaded two")
    }

    @Test func `the operators on errors and values give what they gave in PromisedArchitectureKit`() async throws {
        #expect(try await Next.run { 20 }.map { $0 + 1 }.value() == 21)
        #expect(try await Next.run { 20 }.flatMap { number in .run { "\(number)" } }.value() == "20")
        await #expect(throws: CartFailure.full) {
            try await Next<Int>.failure(CartFailure.loggedOut).mapError { _ in CartFailure.full }.value()
        }
        #expect(try await Next<Int>.failure(CartFailure.full).mapErrorRecover { _ in -1 }.value() == -1)
        #expect(try await Next<[Int]>.parallel([.run { 1 }, .run { 2 }, .run { 3 }]).value() == [1, 2, 3])
    }

    @Test func `two to five values are zipped in their order`() async throws {
        func next(_ number: Int) -> Next<Int> { .run { number } }
        #expect(try await Next.zip(next(1), next(2)).value() == (1, 2))
        #expect(try await Next.zip(next(1), next(2), next(3)).value() == (1, 2, 3))
        #expect(try await Next.zip(next(1), next(2), next(3), next(4)).value() == (1, 2, 3, 4))
        #expect(try await Next.zip(next(1), next(2), next(3), next(4), next(5)).value() == (1, 2, 3, 4, 5))
    }

    @Test func `analytics of the whole screen sit in one callback`() async {
        var tracked: [String] = []
        let system = System<Page, PageEvent>.pure(initialState: .start, reducer: Shop().reduce)
        system.attach(
            Middleware { step in
                switch step.state {
                case .start: tracked.append("pdp_shown")
                case .loading: tracked.append("pdp_loading")
                case .productLoaded(let product): tracked.append("product_loaded \(product.title)")
                case .addedToCart(let product, _): tracked.append("pdp_added_to_cart \(product.title)")
                case .error: tracked.append("pdp_error")
                }
            })
        system.send(.loadProduct)
        system.send(.addToCart)
        await system.settled()
        #expect(
            tracked == [
                "pdp_shown", "pdp_loading", "product_loaded Triple White", "pdp_loading", "pdp_added_to_cart Triple White",
            ])
    }

    @Test func `the view goes when its owner lets go, while work is under way`() async {
        let product = Answer<Product>()
        var view: ProductView? = ProductView()
        var presenter: Presenter? = Presenter(view!, Shop(product: { _ in try await product() }))
        presenter?.controllerLoaded()
        presenter?.send(.loadProduct)
        #expect(await eventually { product.asked == 1 })
        let gone = Weak(view)
        let released = Weak(presenter?.system)
        view = nil
        #expect(gone.object == nil)
        presenter = nil
        #expect(released.object == nil)
        #expect(await eventually { product.cancelled == 1 })
    }
}
