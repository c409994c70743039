import Testing
@testable import PlanAuthoring
@testable import TrackingPlans

/// The text of the generated type. `PlannedEventTests` show that such a type compiles and tracks.
@Suite struct SwiftGeneratorTests {
    @Test func `equal plans give equal bytes, whatever else stands in the file`() throws {
        let source = SwiftGenerator.source(of: try Samples.plan())
        #expect(source == SwiftGenerator.source(of: try Samples.plan()))
        #expect(source.hasPrefix("// Generated from a tracking plan."))
    }

    @Test(arguments: [
        "\nimport TrackingEvents\n",
        "nonisolated internal struct ShopEvent: PlannedEvent, Equatable {",
        "    /// A product was put into the cart.\n",
        "    nonisolated internal struct CartAddedPlan: Sendable {\n        fileprivate let rawValue: String\n        internal static var free: Self { Self(rawValue: \"free\") }\n",
        "    nonisolated internal enum Platforms: String, Sendable, CaseIterable {\n        case ios\n        case linux\n        case _20 = \"2.0\"\n    }",
        "    internal static func cartAdded(\n        sku: String,\n        items: Int,\n        price: Double? = nil,\n        plan: CartAddedPlan,\n        mail: String\n    ) -> ShopEvent {",
        "Swift.assert(items >= 1, \"The plan has items at least 1.\")",
        "_made.number(\"price\", price)",
        "_made.sensitiveString(\"mail\", mail)",
        "_made.string(\"plan\", plan.rawValue)",
        "    @available(*, deprecated, message: \"use cart_added\")\n    internal static var basketFilled: ShopEvent",
        "platform: Platforms,\n        orderId: String,\n        orderTotal: Double? = nil\n",
        "_made.object(\"order\", _inner1.filled())",
    ])
    func `the type of the sample plan has its parts`(part: String) throws {
        #expect(SwiftGenerator.source(of: try Samples.plan()).contains(part))
    }

    @Test func `a text of the plan cannot leave its comment or its literal`() throws {
        let plan = try Samples.plan(
            ##"{"plan":1,"name":"T","events":{"e":{"about":"one\ntwo\rthree\u2028four","deprecated":"a\"\\(1)"}}}"##)
        let source = SwiftGenerator.source(of: plan)
        #expect(source.contains("    /// one\n    /// two\n    /// three\n    /// four\n"))
        #expect(source.contains(#"message: "a\"\\(1)""#))
    }
}
