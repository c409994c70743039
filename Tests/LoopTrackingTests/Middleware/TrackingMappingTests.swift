import LoopCore
import LoopTesting
import LoopTracking
import Testing
import TrackingEvents

private struct Product: Equatable {
    var sku = "A1"
}

private struct User {
    var email = "anna@example.org"
}

private enum ShopState: Equatable {
    case start, loading, error
    case productLoaded(Product)
    case addedToCart(Product, Int)
    case ordered(Double)
}

/// How mappings are written, and what each way of writing them tells.
@MainActor @Suite struct TrackingMappingTests {
    private let sink = MemorySink()
    private let user = User()

    private func makeTracker() -> Tracker { Tracker(to: sink, user: "u1", random: SeededRandom(seed: 1)) }

    private func makeShop() -> System<ShopState, ShopState> {
        System(name: "shop", initialState: .start, reducer: { (state: inout ShopState, event: ShopState) in state = event })
    }

    @Test func `the design's example compiles as it stands and tells what it says`() {
        let tracker = makeTracker()
        let system = makeShop().attach(
            .track(to: tracker) { state in
                switch state {
                case .start: .event("pdp_shown")
                case .productLoaded(let product):
                    .event("product_loaded", ["sku": .string(product.sku), "email": .sensitive(user.email)])
                case .loading, .error: nil
                case .addedToCart(let product, _): .event("cart_added", ["sku": .string(product.sku)])
                case .ordered: nil
                }
            })
        for state in [ShopState.loading, .productLoaded(Product()), .addedToCart(Product(), 1), .addedToCart(Product(), 2), .error] {
            system.send(state)
        }
        #expect(sink.names == ["pdp_shown", "product_loaded", "cart_added"])
        #expect(sink.events[1].event.properties == ["sku": "A1", "email": .sensitive("anna@example.org")])
    }

    @Test func `nothing, one and several events stand in one switch`() {
        let system = makeShop().attach(
            .track(to: makeTracker()) { state in
                switch state {
                case .loading: nil
                case .start: .event("pdp_shown")
                case .ordered(let total): [.event("order_placed", ["total": .double(total)]), .event("cart_emptied")]
                default: [TrackingEvent("other")]
                }
            })
        for state in [ShopState.loading, .ordered(9), .ordered(9), .error] { system.send(state) }
        #expect(sink.names == ["pdp_shown", "order_placed", "cart_emptied", "other"])
    }

    @Test func `of several events, only those are tracked that the step before did not have`() {
        let system = makeShop().attach(
            .track(to: makeTracker()) { state in
                switch state {
                case .addedToCart(let product, let count):
                    [.event("cart_shown", ["sku": .string(product.sku)]), .event("badge", ["count": .int(count)])]
                default: nil
                }
            })
        for state in [ShopState.addedToCart(Product(), 1), .addedToCart(Product(), 2), .loading, .addedToCart(Product(), 2)] {
            system.send(state)
        }
        #expect(sink.names == ["cart_shown", "badge", "badge", "cart_shown", "badge"])
    }

    @Test func `two equal events of one state are two, and one more than before is one`() {
        let system = System(initialState: 0, reducer: { (state: inout Int, event: Int) in state = event })
            .attach(
                .track(to: makeTracker()) { count in
                    (0..<count).map { _ in TrackingEvent("item") }
                })
        system.send(2)
        #expect(sink.names.count == 2)
        system.send(3)
        #expect(sink.names.count == 3)
        system.send(1)
        system.send(1)
        #expect(sink.names.count == 3)
        system.send(2)
        #expect(sink.names.count == 4)
    }

    @Test func `one step gives none, one or several events, and two equal steps give them twice`() {
        let system = makeShop().attach(
            .trackSteps(to: makeTracker()) { step in
                switch step.event {
                case .ordered: [.event("tapped"), .event("ordered")]
                case .addedToCart: .event("tapped")
                default: nil
                }
            })
        for state in [ShopState.loading, .addedToCart(Product(), 1), .ordered(1), .ordered(1)] { system.send(state) }
        #expect(sink.names == ["tapped", "tapped", "ordered", "tapped", "ordered"])
        #expect(sink.events.allSatisfy { $0.system == "shop" })
    }

    @Test func `a function that is given by name is taken as it is`() {
        func event(_ state: ShopState) -> TrackingEvent? { state == .start ? .event("named") : nil }
        func events(_ state: ShopState) -> [TrackingEvent] { [.event("x"), .event("y")] }
        makeShop().attach(.track(to: makeTracker(), event))
        makeShop().attach(.track(to: makeTracker(), events))
        #expect(sink.names == ["named", "x", "y"])
    }
}

/// Tracking the changes of one value inside the state.
@MainActor @Suite struct TrackChangesTests {
    private struct Account: Equatable {
        var plan = "free"
        var coupon: String?
        var clicks = 0
    }

    private let sink = MemorySink()

    private func makeSystem() -> System<Account, (inout Account) -> Void> {
        System(
            name: "account", initialState: Account(), reducer: { (state: inout Account, change: (inout Account) -> Void) in change(&state) }
        )
    }

    @Test func `a change is told once, with what was and what is`() {
        let system = makeSystem().attach(
            .trackChanges(to: Tracker(to: sink), of: \.plan) { old, new in
                .event("plan_changed", ["from": .string(old), "to": .string(new)])
            })
        #expect(sink.names.isEmpty, "the first value is no change")
        system.send { $0.clicks += 1 }
        system.send { $0.plan = "pro" }
        system.send { $0.plan = "pro" }
        system.send { $0.clicks += 1 }
        system.send { $0.plan = "free" }
        #expect(sink.events.map(\.event.properties) == [["from": "free", "to": "pro"], ["from": "pro", "to": "free"]])
    }

    @Test func `a value that comes and goes changes with both, and one change may be several events`() {
        let system = makeSystem().attach(
            .trackChanges(to: Tracker(to: sink), of: \.coupon) { old, new in
                switch (old, new) {
                case (nil, .some): .event("coupon_set")
                case (.some, nil): .event("coupon_gone")
                default: [.event("coupon_gone"), .event("coupon_set")]
                }
            })
        for coupon in ["A", "A", "B", nil, nil] as [String?] { system.send { $0.coupon = coupon } }
        #expect(sink.names == ["coupon_set", "coupon_gone", "coupon_set", "coupon_gone"])
        #expect(sink.events.allSatisfy { $0.system == "account" })
    }

    @Test func `a value that is no number is the same at the next step, and what changes beside it is a change`() {
        struct Reading: Equatable { var value = Double.nan, unit = "m" }
        let system = System(initialState: Reading(), reducer: { (state: inout Reading, event: Reading) in state = event })
        system.attach(.trackChanges(to: Tracker(to: sink), of: \.value) { _, _ in .event("value") })
        system.attach(.trackChanges(to: Tracker(to: sink), of: \.self) { _, new in .event(new.unit) })
        for reading in [Reading(), Reading(), Reading(unit: "km"), Reading(value: 1), Reading(value: 1), Reading()] { system.send(reading) }
        #expect(sink.names == ["km", "value", "m", "value", "m"])
    }

    @Test func `each system has its own last value`() {
        let middleware = Middleware<Account, (inout Account) -> Void>.trackChanges(to: Tracker(to: sink), of: \.plan) { _, new in
            .event(new)
        }
        let (one, two) = (makeSystem().attach(middleware), makeSystem().attach(middleware))
        one.send { $0.plan = "pro" }
        two.send { $0.plan = "pro" }
        one.send { $0.plan = "pro" }
        #expect(sink.names == ["pro", "pro"])
    }

    @Test func `nothing but the value is kept, so the state is reduced in place`() {
        #expect(Middleware<Account, Int>.trackChanges(to: Tracker(to: sink), of: \.plan) { _, _ in .event("x") }.needs == [])
    }
}
