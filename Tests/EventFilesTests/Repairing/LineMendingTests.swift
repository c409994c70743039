import Foundation
import Testing
import TrackingEvents

@testable import EventFiles

/// One odd escape, byte or number makes DuckDB refuse a whole file, so repair replaces it.
@Suite struct LineMendingTests {
    private func mended(_ bytes: [UInt8]) -> String? {
        bytes.withUnsafeBytes { LineMending.mended($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        (#"{"a":"\ud800"}"#, #"{"a":"\ufffd"}"#), (#"{"a":"\uDFFFx"}"#, #"{"a":"\ufffdx"}"#),
        (#"{"a":"\ud83d\ud83d\ude00"}"#, #"{"a":"\ufffd\ud83d\ude00"}"#), (#"{"a":"\ude00\ud83d"}"#, #"{"a":"\ufffd\ufffd"}"#),
        (#"{"a":"\ud83d\\u"}"#, #"{"a":"\ufffd\\u"}"#),
    ])
    func `half of a surrogate pair becomes the replacement character`(line: String, expected: String) {
        #expect(mended(Array(line.utf8)) == expected)
    }

    @Test(arguments: [
        (#"{"a":1e400}"#, #"{"a":null}"#), (#"{"a":-1E+309,"b":[1e999,2]}"#, #"{"a":null,"b":[null,2]}"#),
        (#"{"a":"x\"1e400","b":1e400}"#, #"{"a":"x\"1e400","b":null}"#),
        ("{\"a\":1\(String(repeating: "0", count: 400))}", #"{"a":null}"#),
        (#"{"a":"\ud800","b":1e400}"#, #"{"a":"\ufffd","b":null}"#), (" [ 1e400,\t-1e999 ] \r", " [ null,\tnull ] \r"),
        (#"{"1e400":[[{"a":[-1e999]}],1e400,1e3]}"#, #"{"1e400":[[{"a":[null]}],null,1e3]}"#),
    ])
    func `a number beyond doubles becomes null, as the writer would have written it`(line: String, expected: String) {
        #expect(mended(Array(line.utf8)) == expected)
    }

    @Test(arguments: [
        #"{"a":"1e400"}"#, #"{"a":1.7976931348623157e308}"#, #"{"a":1e-400}"#, #"{"a":0e999}"#, #"{"a":-0}"#,
        "{\"a\":0.\(String(repeating: "0", count: 400))1}", #"{"a":1e"#, #"{"a":"1e400\"#,
    ])
    func `a number that a double holds or approximates stays`(line: String) { #expect(mended(Array(line.utf8)) == nil) }

    @Test func `numbers in values that nest deep are found in one pass`() {
        func nested(_ value: String) -> String {
            String(repeating: "[", count: 120) + value + String(repeating: "]", count: 120)
        }
        let many = Array(repeating: nested("12345,1e5"), count: 4_000).joined(separator: ",")
        #expect(mended(Array(#"{"a":[\#(many)]}"#.utf8)) == nil)
        #expect(mended(Array(#"{"a":[\#(many),\#(nested("1e400"))]}"#.utf8)) == #"{"a":[\#(many),\#(nested("null"))]}"#)
    }

    @Test(arguments: [
        #"{"a":"b"}"#, #"{"a":"\ud83d\ude00"}"#, #"{"a":"\\ud800"}"#, #"{"a":"é\n\u00e9"}"#, #"{"a":"\u"#, #"{"a":"\"#, "",
    ])
    func `a line that engines accept, or that is not JSON, is left as it is`(line: String) { #expect(mended(Array(line.utf8)) == nil) }

    @Test func `bytes that are no UTF-8 become the replacement character`() throws {
        #expect(mended([0x22, 0xFF, 0x61, 0xC3, 0x22]) == "\"\u{FFFD}a\u{FFFD}\"")
        let trial = try RepairTrial()
        var bytes = Array(RepairTrial.text(1...3).utf8)
        let place = try #require(bytes.firstIndex(of: UInt8(ascii: "A")))
        bytes[place] = 0xFF
        let report = try trial.repair(bytes)
        #expect(report.isSound && report.savedLines == 3 && report.mendedLines == 1 && report.badLines == 0)
        #expect(try #require(try trial.lines(trial.output))[0].contains("\u{FFFD}1"))
    }
}
