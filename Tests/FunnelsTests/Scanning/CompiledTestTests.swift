import Testing

@testable import Funnels

@Suite("Property tests on values")
struct CompiledTestTests {
    private func holds(_ text: String, _ comparison: FilterOperator, _ value: String) -> Bool {
        let test = CompiledTest(PropertyTest(path: ["p"], comparison: comparison, value: value))
        return Array(text.utf8).withUnsafeBytes { test.holds(for: $0) }
    }

    @Test(
        "equality is of numbers where both are numbers, else of text",
        arguments: [
            ("10", "10", true), ("10.0", "10", true), ("10", "10.0", true), ("1e1", "10", true), ("-0", "0", true),
            ("100e-1", "10.00", true), ("10", "010", false), ("010", "10", false), ("+10", "10", false), (" 10", "10", false),
            ("10 ", "10", false), ("true", "true", true), ("true", "True", false), ("", "", true), ("", "0", false),
            ("9007199254740993", "9007199254740992", false), ("9007199254740993", "9007199254740993", true),
            ("9223372036854775807", "9223372036854775807", true), ("9223372036854775808", "9223372036854775808", true),
            ("9223372036854775807", "9223372036854775808", false), ("-9223372036854775808", "-9223372036854775809", false),
            ("89014103211118510720", "89014103211118510721", false), ("89014103211118510720", "89014103211118510720", true),
            ("10000000000000000000", "1e19", true), ("1.0e19", "10000000000000000000", true), ("1e19", "1.0e19", true),
            ("1e999", "1e998", false), ("1e999", "1e999", true), (".5", "0.5", false), ("5.", "5", false), ("-", "-", true),
            ("e", "e", true), ("1e", "1e", true), ("Zoë", "Zoë", true), ("Zoe\u{308}", "Zoë", false),
        ])
    func equality(text: String, value: String, expected: Bool) {
        #expect(holds(text, .equal, value) == expected)
        #expect(holds(text, .notEqual, value) != expected)
        #expect(holds(text, .lessOrEqual, value) == (expected || holds(text, .less, value)))
        #expect(holds(text, .greaterOrEqual, value) == (expected || holds(text, .greater, value)))
    }

    @Test(
        "order is of numbers where both are numbers, else of bytes",
        arguments: [
            ("9", "10", true), ("10", "9", false), ("-1", "0.5", true), ("9.99", "10", true), ("9", "10a", false), ("10", "9a", true),
            ("a", "b", true), ("a", "ab", true), ("ab", "a", false), ("", "a", true), ("Z", "a", true), ("z", "ä", true),
            ("12345678901234567890", "12345678901234567891", true), ("-12345678901234567891", "-12345678901234567890", true),
            ("99999999999999999999", "100000000000000000000", true), ("-99999999999999999999", "5", true),
            ("9223372036854775807", "9223372036854775808", true), ("9223372036854775808", "-9223372036854775808", false),
            ("10000000000000000000", "1.5e19", true), ("99999999999999999999", "1e400", true), ("5", "1e400", true), ("1e400", "5", false),
            ("1e400", "2", false), ("-1e400", "-5", true), ("1e400", "1e401", true), ("-1e401", "-1e400", true), ("1e400", "12e399", true),
            ("1.5e400", "15e399", false), ("1e99999999999999999999", "1e400", false), ("999999999999999999", "1000000000000000000", true),
            ("1e400", "1e9223372036854775807", true), ("-1e9223372036854775807", "-1e400", true), ("1e-9223372036854775808", "1", true),
        ])
    func order(text: String, value: String, isLess: Bool) {
        #expect(holds(text, .less, value) == isLess)
        #expect(holds(text, .greaterOrEqual, value) == !isLess)
    }

    @Test(
        "contains looks at text",
        arguments: [
            ("abc", "b", true), ("abc", "abc", true), ("abc", "abcd", false), ("abc", "", true), ("", "", true), ("", "a", false),
            ("10.5", "0.", true), ("true", "ru", true), ("ABC", "b", false),
        ])
    func contains(text: String, value: String, expected: Bool) {
        #expect(holds(text, .contains, value) == expected)
    }

    @Test("without a value only != holds", arguments: FilterOperator.allCases)
    func withoutValue(comparison: FilterOperator) {
        let test = CompiledTest(PropertyTest(path: ["p"], comparison: comparison, value: ""))
        #expect(test.holdsWithoutValue == (comparison == .notEqual))
    }
}
