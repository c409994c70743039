import Basics
import Foundation
import Testing

@Suite struct JSONWriterTests {
    private func written(escaping: ((Unicode.Scalar) -> Bool)? = nil, _ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter(capacity: 0, escaping: escaping)
        write(&json)
        return json.text
    }

    @Test(arguments: 0..<4)
    func `values of an array have a comma between them, and none before or after`(count: Int) {
        let text = written { $0.array(0..<count) { $0.integer(Int64($1)) } }
        #expect(text == "[" + (0..<count).map(String.init).joined(separator: ",") + "]")
    }

    @Test func `a key is followed by a value of any kind, and preceded by a comma unless it is the first`() {
        let text = written { json in
            json.object { json in
                json.member("a", -1)
                json.key("b")
                json.array([Int]()) { _, _ in }
                json.key("c")
                json.object { _ in }
                json.member("d", "\"")
                json.member("e", nil as String?)
                json.member("f", true)
                json.member("g", 0.5)
            }
            json.endLine()
        }
        #expect(text == #"{"a":-1,"b":[],"c":{},"d":"\"","e":null,"f":true,"g":0.5}"# + "\n")
    }

    @Test func `a nested array or object counts as one value of the outer one`() {
        let text = written { json in
            json.object { json in
                json.key("all")
                json.array(0..<2) { json, _ in
                    json.array(1...2) { json, value in json.object { $0.member("n", value) } }
                }
                json.member("last", 7)
            }
        }
        #expect(text == #"{"all":[[{"n":1},{"n":2}],[{"n":1},{"n":2}]],"last":7}"#)
    }

    @Test func `a line break follows the comma that is due, and no second comma is written`() throws {
        let text = written { json in
            json.object { json in
                json.breakLine(" ")
                json.member("a", 1)
                json.breakLine("  ")
                json.key("b")
                json.array([2, 3], onePerLine: true) { $0.integer($1) }
            }
        }
        #expect(text == "{\n \"a\":1,\n  \"b\":[2,\n   3]}")
        let read = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: NSObject]
        #expect(read == ["a": 1 as NSNumber, "b": [2, 3] as NSArray])
    }

    @Test(
        arguments: [
            (0.5, "0.5"), (9, "9"), (-0.0, "0"), (1e300, "1e+300"), (9_007_199_254_740_992, "9007199254740992.0"), (.nan, "null"),
            (.infinity, "null"),
        ] as [(Double, String)])
    func `a number has the fewest digits that read back equal, and infinity and NaN become null`(
        number: Double, text: String
    ) {
        #expect(written { $0.number(number) } == text)
    }

    @Test func `scalars that the caller names are escaped, as surrogates where they need two units`() throws {
        let text = written(escaping: { $0 == "\u{9B}" || $0 == "\u{1F600}" }) { $0.string("a\u{9B}\u{1F600}\"\\é") }
        #expect(text == #""a\u009b\ud83d\ude00\"\\é""#)
        let read = try JSONSerialization.jsonObject(with: Data("[\(text)]".utf8)) as? [String]
        #expect(read == ["a\u{9B}\u{1F600}\"\\é"])
    }

    @Test func `control characters are escaped beside the caller's scalars, too`() {
        #expect(written(escaping: { $0 == "\u{9B}" }) { $0.string("\u{9B}\n") } == #""\u009b\u000a""#)
    }

    @Test func `a raw value goes in as it is, without the line feed at its end`() {
        let text = written { json in json.array(["{}\n", "[1]"]) { $0.raw($1) } }
        #expect(text == "[{},[1]]")
    }

    @Test func `a writer grows beyond its capacity`() throws {
        let text = written { $0.array(0..<10_000) { $0.integer(Int64($1)) } }
        #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Int] == Array(0..<10_000))
    }
}
