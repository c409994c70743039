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
            ([("price", .string("90071992547409931.5"))], "wrong_type price 90071992547409931.5"),
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

    @Test func `properties inside an object are checked by their paths, and the object by its required properties`() throws {
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

    @Test func `properties of a sensitive object may be dropped or masked with it`() throws {
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

    @Test func `the session's line is checked against the plan's session, and not against an event`() throws {
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

    /// What is wrong with one property `p` of one event.
    private func fault(_ property: String, _ value: Value) throws -> PlanChecker.Violation.Kind? {
        let violations = PlanChecker(try Samples.plan(properties: "\"p\":{\(property)}")).violations(of: "e", [("p", value)])
        #expect(violations.count <= 1)
        return violations.first?.kind
    }

    @Test(
        "both ends of a range belong to it",
        arguments: [
            (.integer(-2), .outOfRange), (.integer(-1), nil), (.integer(0), nil), (.integer(5), nil), (.integer(6), .outOfRange),
            (.number(-1), nil), (.number(-1.0001), .outOfRange), (.number(5), nil), (.number(5.0001), .outOfRange),
            (.number(.infinity), .outOfRange), (.number(-.infinity), .outOfRange),
        ] as [(PlanChecker.Value, PlanChecker.Violation.Kind?)])
    func ranges(value: PlanChecker.Value, kind: PlanChecker.Violation.Kind?) throws {
        #expect(try fault(#""type":"number","min":-1,"max":5"#, value) == kind)
        if case .integer = value { #expect(try fault(#""type":"int","min":-1,"max":5"#, value) == kind) }
    }

    @Test(
        "a whole number from 2⁵³ on may be text, and any other text is no number",
        arguments: [
            ("9007199254740991", .wrongType), ("9007199254740992", nil), ("-9007199254740992", nil), ("-9007199254740991", .wrongType),
            ("99999999999999999999999999", nil), ("+9007199254740993", .wrongType), ("--9007199254740993", .wrongType),
            ("0x40000000000000", .wrongType), ("9007199254740993.0", .wrongType), ("9e99", .wrongType), (" 9007199254740993", .wrongType),
            ("-", .wrongType), ("", .wrongType), ("inf", .wrongType), ("nan", .wrongType),
        ] as [(String, PlanChecker.Violation.Kind?)])
    func largeNumbers(text: String, kind: PlanChecker.Violation.Kind?) throws {
        #expect(try fault(#""type":"int""#, .string(text)) == kind)
        // The range of the property also applies to a number that is written as text.
        #expect(try fault(#""type":"int","min":0,"max":7"#, .string(text)) == (kind ?? .outOfRange))
        // A `number` takes whole numbers, and so those that a line has as texts.
        #expect(try fault(#""type":"number""#, .string(text)) == kind)
    }

    @Test(
        "a value fits its own type only, except that an int fits a number, too",
        arguments: PlannedProperty.Kind.allCases)
    func types(kind: PlannedProperty.Kind) throws {
        let values: [(Value, Set<PlannedProperty.Kind>)] = [
            (.bool(false), [.bool]), (.integer(1), [.int, .number]), (.number(1), [.number]), (.string("1"), [.string]),
            (.object, [.object]),
            (.array, [.array]),
        ]
        for (value, kinds) in values {
            #expect(try fault("\"type\":\"\(kind.rawValue)\"", value) == (kinds.contains(kind) ? nil : .wrongType))
        }
        #expect(try fault("\"type\":\"\(kind.rawValue)\"", .null) == .missingProperty)
    }

    @Test func `values of a list are compared byte for byte`() throws {
        let property = "\"type\":\"string\",\"values\":[\"caf\u{E9}\",\"Pro\"]"
        #expect(try fault(property, .string("caf\u{E9}")) == nil)
        #expect(try fault(property, .string("cafe\u{301}")) == .unknownValue)
        #expect(try fault(property, .string("pro")) == .unknownValue)
        #expect(try fault(property, .string("")) == .unknownValue)
    }

    @Test func `a null value counts as a missing property`() throws {
        #expect(try found("cart_added", Self.changed([("colour", .null)])) == [])
        #expect(try found("order_placed", [("platform", .string("ios")), ("order", .null)]) == ["missing_property order.id "])
    }

    @Test func `the neighbours of a reported object are reported, too`() throws {
        let properties: [(path: String, value: PlanChecker.Value)] = [
            ("x", .object), ("x.a", .integer(1)), ("xy", .integer(2)), ("y", .object), ("y.x", .object),
        ]
        #expect(
            try found("cart_added", Self.sound + properties) == [
                "unplanned_property x {…}", "unplanned_property xy 2", "unplanned_property y {…}",
            ])
    }

    @Test func `a key with a dot lies in no object, so it is reported beside a value that seems to be around it`() throws {
        let properties: [(path: String, value: PlanChecker.Value)] = [("x", .integer(1)), ("x.a", .integer(2))]
        #expect(try found("cart_added", Self.sound + properties) == ["unplanned_property x 1", "unplanned_property x.a 2"])
        let changed = Self.changed([("sku", .integer(1)), ("sku.a", .integer(2))])
        #expect(try found("cart_added", changed) == ["wrong_type sku 1", "unplanned_property sku.a 2"])
    }

    @Test func `a reserved key may hold anything, and a key that only begins like one may not`() throws {
        let properties: [(path: String, value: PlanChecker.Value)] = [
            ("sample_rate", .object), ("sample_rate.x", .integer(1)), ("previous_session", .array), ("_cut", .string("x")),
            ("_cuts", .array),
        ]
        #expect(try found("cart_added", Self.sound + properties) == ["unplanned_property _cuts […]"])
    }

    @Test(
        "a violation is one line with its kind, its event and the value",
        arguments: [
            (.wrongType, "items", "two", "wrong_type: `items` of `cart_added` is `two`"),
            (.missingProperty, "sku", nil, "missing_property: `sku` of `cart_added`"),
            (.deprecatedEvent, nil, nil, "deprecated_event: `cart_added`"),
            (.unknownValue, "plan", "\u{1B}[31m\n", #"unknown_value: `plan` of `cart_added` is `\u{1b}[31m\u{a}`"#),
        ] as [(PlanChecker.Violation.Kind, String?, String?, String)])
    func descriptions(kind: PlanChecker.Violation.Kind, property: String?, example: String?, line: String) {
        #expect(PlanChecker.Violation(kind: kind, event: "cart_added", property: property, example: example).description == line)
    }
}
