import TestSupport
import Testing

@testable import TrackingEvents

@Suite struct JSONNumberTests {
    private func integer(_ text: String) -> Int64? { Array(text.utf8).withUnsafeBytes { JSONNumber.integer($0) } }
    private func double(_ text: String) -> Double { Array(text.utf8).withUnsafeBytes { JSONNumber.double($0) } }
    private func end(_ text: String) -> Int? { Array(text.utf8).withUnsafeBytes { JSONNumber.end(in: $0, from: 0) } }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("0.000", 0), ("0e99999999999999999999", 0), ("-0.0e-99999999999999999999", 0), ("7", 7), ("-7", -7),
            ("10", 10), ("100e-2", 1), ("1e2", 100), ("1E+2", 100), ("0.01e2", 1), ("10.50e1", 105),
            ("1000000000000000000", 1_000_000_000_000_000_000),
            ("9223372036854775807", .max), ("-9223372036854775807", -.max), ("9.223372036854775807e18", .max),
            ("922337203685477580.7e1", .max), ("-9223372036854775808", .min), ("-9.223372036854775808e18", .min),
            ("9007199254740993", 9_007_199_254_740_993), ("1" + String(repeating: "0", count: 400) + "e-400", 1),
            ("0." + String(repeating: "0", count: 400) + "1e401", 1), ("5." + String(repeating: "0", count: 1000), 5),
        ] as [(String, Int64)])
    func `whole numbers are whole however they are written`(text: String, value: Int64) {
        #expect(integer(text) == value)
    }

    @Test(arguments: [
        "0.5", "1.5", "-0.1", "1e-1", "105e-2", "9223372036854775808", "-9223372036854775809", "-1e19", "1e19", "1e400",
        "99999999999999999999999", "1.00000000000000000000001",
        "1e99999999999999999999", "1e-99999999999999999999", "18446744073709551616", "18446744073709551615", "10000000000000000000000001",
    ])
    func `fractions and numbers out of range are no whole numbers`(text: String) {
        #expect(integer(text) == nil)
    }

    @Test(arguments: [
        "0", "-0", "1", "-1", "0.1", "0.2", "0.3", "1e22", "1e23", "1e-22", "1e-23", "9007199254740991", "9007199254740992",
        "9007199254740993",
        "9007199254740995e1", "1.7976931348623157e308", "-1.7976931348623157e308", "2.2250738585072014e-308", "2.2250738585072011e-308",
        "5e-324", "4.9406564584124654e-324", "123456789012345678901234567890", "0.1000000000000000055511151231257827", "1e-400", "0e400",
        "3.141592653589793238462643", "8.5e15", "100000000000000000000000e-23", "1e400", "-1e400", "0e999999999999", "3.0E+2",
        "8.442911973260991817129021e-20", "123456789.123456789e-30", "1.000000000000000000000000000000",
    ])
    func `a number reads as the nearest double`(text: String) {
        #expect(double(text).bitPattern == Double(text)?.bitPattern)
    }

    @Test func `random numbers read as the nearest doubles`() {
        var random = SeededRandom(seed: 21)
        var mistaken: [String] = []
        for _ in 0..<(isNight ? 20_000 : 5_000) {
            func digits(_ most: Int) -> String {
                String((0..<Int.random(in: 1...most, using: &random)).map { _ in "0012345678999".randomElement(using: &random) ?? "0" })
            }
            var text = Bool.random(using: &random) ? "-" : ""
            let whole = digits(18)
            text += whole.drop { $0 == "0" }.isEmpty ? "0" : String(whole.drop { $0 == "0" })
            if Bool.random(using: &random) { text += "." + digits(18) }
            if Bool.random(using: &random) { text += "e\(Int.random(in: -30...30, using: &random))" }
            let isWhole = integer(text).map { Double($0) == Double(text) } ?? true
            if end(text) != text.utf8.count || double(text).bitPattern != Double(text)?.bitPattern || !isWhole { mistaken.append(text) }
        }
        #expect(mistaken == [])
    }

    @Test(arguments: [
        ("1,", 1), ("0]", 1), ("01", 1), ("-0x", 2), ("1.5}", 3), ("1e5 ", 3), ("1E-05,", 5), ("12 3", 2), ("1.2.3", 3), ("1e2e3", 3),
    ])
    func `a number ends where its grammar does`(text: String, place: Int) {
        #expect(end(text) == place)
    }

    @Test(arguments: ["", "-", "+1", ".5", "1.", "1.e5", "1e", "1e+", "1E-", "-a", "-.5", "e5", "Infinity", "NaN"])
    func `a text that is no number has no end`(text: String) {
        #expect(end(text) == nil)
    }
}
