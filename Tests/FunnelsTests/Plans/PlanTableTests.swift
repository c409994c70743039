import Testing
import TrackingEvents
import TrackingPlans

@testable import Funnels

/// Compares the quick look at a line with `PlanChecker`'s slow one.
@Suite struct PlanTableTests {
    private static let values = [
        #""A1""#, #""pro""#, #""free""#, #""p\u0072o""#, "1", "0", "99", "100", "1.0", "1e2", "-3", "9007199254740993",
        "12345678901234567890",
        #""9007199254740993""#, "true", "null", "[]", "[1,{}]", "{}", #"{"id":"7","total":1}"#, #"{"id":"7"}"#,
        #"{"id":7,"total":1,"x":2}"#,
        #"{"total":-1,"id":"7"}"#,
    ]
    private static let keys = ["sku", "items", "price", "plan", "first", "mail", "order", "tags", "extra", "experiment", "_cut", "x"]

    @Test func `what is clean at a glance has no violation, whatever the line`() throws {
        let plan = try PlanFiles.plan()
        let (table, checker) = (PlanTable(plan), PlanChecker(plan))
        var random = SeededRandom(seed: 15)
        var clean = 0
        var mistaken: [String] = []
        var values = PlanValues()
        for _ in 0..<40_000 {
            let event = ["cart_added", "order_placed", "opened", "basket_filled", "other"].randomElement(using: &random) ?? ""
            var entries: [String]
            switch event {
            case "cart_added": entries = [#""sku":"A1""#, #""items":2"#, #""plan":"pro""#]
            case "order_placed": entries = [#""order":{"id":"7","total":1}"#]
            default: entries = []
            }
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let entry = "\"\(Self.keys.randomElement(using: &random) ?? "")\":\(Self.values.randomElement(using: &random) ?? "")"
                if Bool.random(using: &random) || entries.isEmpty {
                    entries.append(entry)
                } else {
                    entries[Int.random(in: entries.indices, using: &random)] = entry
                }
            }
            let text = "{\(entries.joined(separator: ","))}"
            var bytes = Array(text.utf8)
            if Int.random(in: 0..<20, using: &random) == 0 { bytes.removeLast() }
            bytes.withUnsafeBytes { props in
                guard table.isClean(props, table.expectation(of: Array(event.utf8))) else { return }
                clean += 1
                if !checker.violations(of: event, values.all(in: props)).isEmpty { mistaken.append("\(event) \(text)") }
            }
        }
        #expect(mistaken == [])
        #expect(clean > 5000, "the quick look is worth its while")
    }

    @Test func `events as their writers make them are clean at a glance`() throws {
        let table = PlanTable(try PlanFiles.plan())
        for (event, props) in [
            ("cart_added", PlanFiles.sound), ("order_placed", #"{"order":{"id":"7","total":1.5},"tags":[1]}"#), ("opened", "{}"),
            ("opened", #"{"experiment":"b"}"#),
        ] {
            let isClean = Array(props.utf8).withUnsafeBytes { table.isClean($0, table.expectation(of: Array(event.utf8))) }
            #expect(isClean, "\(event)")
        }
    }
}
