import Basics
import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct SummaryLeafTests {
    @Test(arguments: [
        (["price"], SummaryLeaf.Kind.number, "props_price_number"),
        (["order", "ID"], .text, "props_order$_$49$44_text"),
        (["loop", "reduce_us"], .integer, "props_loop$_reduce_us_integer"),
        (["a$b"], .flag, "props_a$24b_flag"),
        (["ü"], .text, "props_$c3$bc_text"),
        ([""], .text, "props__text"),
        (["a", "b"], .text, "props_a$_b_text"),
        (["a_b"], .text, "props_a_b_text"),
        (["\n"], .text, "props_$0a_text"),
    ]) func `a column is named by path and kind`(path: [String], kind: SummaryLeaf.Kind, name: String) {
        #expect(SummaryLeaf(path: path, kind: kind).columnName == name)
    }

    @Test(arguments: [
        ("0", Int64(0)), ("7", 7), ("-7", -7), ("9223372036854775807", .max), ("-9223372036854775807", -.max), ("007", nil), ("-0", nil),
        ("9223372036854775808", nil), ("1.0", nil), ("1e3", nil), ("-", nil), ("", nil), ("12345678901234567890123", nil),
    ]) func `a whole number is taken only in the spelling that is printed`(text: String, value: Int64?) {
        #expect(Array(text.utf8).withUnsafeBytes { ExactNumber.integer($0) } == value)
    }

    @Test(arguments: [
        ("9.5", 9.5), ("9.0", 9), ("-0.0", -0.0), ("5e-324", .leastNonzeroMagnitude), ("1e+16", 1e16), ("1e16", nil), ("0.10", nil),
        ("1E2", nil), ("1e999", nil), ("123456789.123456789", nil),
    ]) func `another number is taken only in the spelling that is printed`(text: String, value: Double?) {
        #expect(Array(text.utf8).withUnsafeBytes { ExactNumber.double($0) } == value)
    }

    @Test func `a random decimal is taken only in the spelling that is printed`() throws {
        var random = SeededRandom(seed: 12)
        var mistaken: [String] = []
        for _ in 0..<20_000 {
            let digits = Array(String(random.next() >> (random.next() % 62)))
            let point = Int(random.next() % 4)
            let whole = ["", "0", "00", String(digits.prefix(point))][Int(random.next() % 4)]
            let text =
                (random.next() % 4 == 0 ? "-" : "") + whole + "." + String(digits.dropFirst(point)) + (random.next() % 5 == 0 ? "0" : "")
            // A number with nothing before or behind its point is not JSON, and is never printed.
            let expected = Double(text).flatMap { $0.description == text ? $0 : nil }
            if Array(text.utf8).withUnsafeBytes({ ExactNumber.double($0) }) != expected { mistaken.append(text) }
        }
        #expect(mistaken == [])
    }

    @Test(arguments: [[], [0], [31, 32, 33], [UInt64.max, 0, 1 << 40]] as [[UInt64]]) func `numbers are read back`(numbers: [UInt64]) {
        #expect(Array(NumberListText.text(numbers).utf8).withUnsafeBytes { NumberListText.numbers($0) } == numbers)
    }

    @Test(arguments: ["g", "A=", "gggggggggggggggggA", "é"]) func `other texts are no lists`(text: String) {
        #expect(Array(text.utf8).withUnsafeBytes { NumberListText.numbers($0) } == nil)
    }
}
