import Testing

@testable import TrackingPlans

@Suite struct PlanCheckerTests {
    private typealias Value = PlanChecker.Value

    private static let sound: [(path: String, value: PlanChecker.Value)] = [
        ("sku", .string("A1")), ("items", .integer(2)), ("price", .number(9.5)), ("plan", .string("pro")), ("mail", .string("***")),
    ]

    /// The sound event with some properties changed; `nil` takes one away.
    private static func changed(_ changes: [(String, PlanChecker.Value?)]) -> [(path: String, value: PlanChecker.Value)] {
        var properties = sound
        for (path, value) in changes {
            properties.removeAll { $0.path == path }
            if let value { properties.append((path, value)) }
        }
        return properties
    }

    private func found(_ event: String, _ properties: [(path: String, value: PlanChecker.Value)], isSession: Bool = false) throws
        -> [String]
    {
        PlanChecker(try Samples.plan()).violations(of: event, properties, isSession: isSession).map {
            "\($0.kind.rawValue) \($0.property ?? "") \($0.example ?? "")"
        }
    }

    @Test(
        arguments: [
            [], [("price", nil)], [("price", .integer(9))], [("mail", nil)], [("mail", .integer(3))], [("experiment", .string("b"))],
            [("_cut", .bool(true))], [("price", .null)], [("items", .string("9007199254740993"))],
        ] as [[(String, PlanChecker.Value?)]])
    func `what the plan allows is no violation`(changes: [(String, PlanChecker.Value?)]) throws {
        #expect(try found("cart_added", Self.changed(changes)) == [])
    }

    @Test(
        arguments: [
            ([("sku", nil)], "missing_property sku "),
            ([("sku", .null)], "missing_property sku "),
            ([("sku", .integer(1))], "wrong_type sku 1"),
            ([("items", .number(9))], "wrong_type items 9.0"),
            ([("items", .string("2"))], "wrong_type items 2"),
            ([("items", .string("90071992547409931.5"))], "wrong_type items 90071992547409931.5"),
            ([("items", .integer(0))], "out_of_range items 0"),
            ([("price", .string("9.5"))], "wrong_type price 9.5"),
            ([("plan", .string("Pro"))], "unknown_value plan Pro"),
            ([("experiment", .bool(true))], "wrong_type experiment true"),
            ([("colour", .string("red"))], "unplanned_property colour red"),
        ] as [([(String, PlanChecker.Value?)], String)])
    func `each difference is one violation of its kind`(changes: [(String, PlanChecker.Value?)], violation: String) throws {
        #expect(try found("cart_added", Self.changed(changes)) == [violation])
    }

    @Test func `an event that the plan does not have is one violation, whatever it carries`() throws {
        #expect(try found("cart_aded", Self.sound) == ["unplanned_event  "])
    }

    @Test func `a deprecated event is named, beside what else is wrong with it`() throws {
        #expect(try found("basket_filled", [("a", .integer(1))]) == ["deprecated_event  ", "unplanned_property a 1"])
    }

    @Test func `properties inside an object are held against their paths, and the object against what it holds`() throws {
        let whole: [(path: String, value: PlanChecker.Value)] = [
            ("platform", .string("ios")), ("order", .object), ("order.id", .string("7")), ("order.total", .number(1)),
        ]
        #expect(try found("order_placed", whole) == [])
        #expect(try found("order_placed", whole + [("order.extra", .integer(1))]) == ["unplanned_property order.extra 1"])
        #expect(
            try found("order_placed", [("platform", .string("ios")), ("order", .string("7"))]) == [
                "wrong_type order 7", "missing_property order.id ",
            ])
    }

    @Test func `an unplanned object is one violation, whatever is in it`() throws {
        let inside: [(path: String, value: PlanChecker.Value)] = [("x", .object), ("x.a", .integer(1)), ("x.b", .object), ("x.b.c", .null)]
        #expect(try found("cart_added", Self.sound + inside) == ["unplanned_property x {…}"])
        let changed = Self.changed([("sku", .object), ("sku.a", .integer(1))])
        #expect(try found("cart_added", changed) == ["wrong_type sku {…}"])
    }

    @Test func `what lies in a sensitive object may be dropped and masked with it`() throws {
        let checker = PlanChecker(
            try Samples.plan(properties: #""who":{"type":"object","sensitive":true},"who.name":{"type":"string"},"who.age":{"type":"int"}"#)
        )
        #expect(checker.violations(of: "e", []).isEmpty)
        #expect(checker.violations(of: "e", [("who", .string("***"))]).isEmpty)
        #expect(checker.violations(of: "e", [("who", .object), ("who.age", .string("***"))]).isEmpty)
    }

    @Test func `an object without properties of its own may hold anything`() throws {
        let checker = PlanChecker(try Samples.plan(properties: #""a":{"type":"object"}"#))
        #expect(checker.violations(of: "e", [("a", .object), ("a.b", .object), ("a.b.c", .integer(1))]).isEmpty)
    }

    @Test func `the session's line is held against the session, and not against an event's name`() throws {
        let whole: [(path: String, value: PlanChecker.Value)] = [
            ("app_version", .string("2.1.0")), ("platform", .string("ios")), ("sample_rate", .number(1)),
            ("previous_session", .string("s")),
        ]
        #expect(try found("session_started", whole, isSession: true) == [])
        #expect(
            try found("session_started", [("platform", .string("web"))], isSession: true) == [
                "unknown_value platform web", "missing_property app_version ",
            ])
    }
}
