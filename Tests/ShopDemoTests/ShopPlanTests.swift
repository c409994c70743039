import Basics
import Foundation
import LoopTesting
import LoopTracking
import PlanAuthoring
import ShopDemo
import Testing
import TrackingEvents
import TrackingPlans

/// The demo's tracking plan, the type that was generated from it, and what the shop really tracks.
@Suite struct ShopPlanTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Tools/ShopDemo")

    private static func plan() throws -> TrackingPlan {
        try TrackingPlan(Array(Data(contentsOf: folder.appending(path: "tracking-plan.json"))))
    }

    @Test func `the generated type matches the plan: after a change, run looptrail plan swift`() throws {
        let source = try String(contentsOf: Self.folder.appending(path: "ShopEvent.swift"), encoding: .utf8)
        #expect(source == SwiftGenerator.source(of: try Self.plan()))
    }

    @Test func `every event of four simulated weeks is planned`() async throws {
        let sink = MemorySink(capacity: 1, plan: try Self.plan())
        let population = ShopPopulation(seed: 7, shoppers: 60)
        let summary = await ShopSimulation(population: population, sink: sink).run()
        #expect(summary.orders > 0 && sink.dropped > 500)
        #expect(sink.violations.map { "\($0)" } == [])
    }

    @Test func `every event of the plan can happen`() throws {
        let mug = Product.assortment[0]
        var cart = Cart()
        cart.products = [mug]
        let states: [Shop.State] = [
            .start, .catalog(cart), .loading(sku: mug.sku, cart), .productLoaded(mug, cart), .addedToCart(mug, cart), .cart(cart),
            .couponApplied("TEN", cart), .checkout(cart), .paying(cart), .paid(cart, orderNumber: 1), .paymentFailed(cart, reason: "no"),
            .error("no", cart),
        ]
        let tracked = states.compactMap { Shop.trackingEvent($0)?.trackingEvent.name }
        #expect(tracked == (try Self.plan().events.map(\.name)))
    }
}
