import Foundation
import Testing
import TrackingEvents

@testable import Funnels

@Suite("Texts of properties")
struct PropertyTextTests {
    private func lookup(_ path: [String], _ props: String) -> String? {
        Array(props.utf8).withUnsafeBytes { bytes in
            PropertyReader(path: path).withText(in: bytes) { $0.map { String(decoding: $0, as: UTF8.self) } }
        }
    }

    @Test(
        "values at a path",
        arguments: [
            (["a"], #"{"a":"x"}"#, "x"), (["a"], #"{"b":1,"a":9.0}"#, "9.0"), (["a"], #"{"a":true,"b":false}"#, "true"),
            (["b"], #"{"a":true,"b":false}"#, "false"),
            (["a"], #"{"a":null}"#, nil), (["a"], #"{"a":{}}"#, nil), (["a"], #"{"a":[1,2]}"#, nil), (["a"], "{}", nil), (["a"], "", nil),
            (["a", "b"], #"{"a":{"c":1,"b":"deep"}}"#, "deep"), (["a", "b"], #"{"a":1}"#, nil), (["a", "b"], #"{"a.b":1}"#, nil),
            (["a.b"], #"{"a.b":1}"#, "1"),
            (["a"], #"{"a":1,"a":2}"#, "2"), (["a"], #"{"x":{"a":1},"y":["a",{"a":2}],"a":3}"#, "3"),
            (["a"], "{ \"a\" : \"x\" , \"b\" : 1 }", "x"),
            (["a"], #"{"a":""}"#, ""), (["a"], #"{"a":"q\"\\\/\n\t\r\b\f"}"#, "q\"\\/\n\t\r\u{8}\u{C}"),
            (["a"], #"{"a":"\u00e4\ud83d\ude00"}"#, "ä😀"),
            (["a"], #"{"a":"\ud83dx"}"#, "\u{FFFD}x"), (["a"], #"{"a":"\u12"}"#, nil), (["ä"], #"{"\u00e4":1}"#, "1"),
            (["a"], #"{"x":"}","a":"{"}"#, "{"),
            (["a"], #"{"a":1"#, nil), (["a"], #"{"a""#, nil), (["a"], #"{"a":"x"#, nil), (["a"], #"{"a":"x\"#, nil),
            (["a"], #"["a"]"#, nil), (["a"], #"{a:1}"#, nil),
            (["a"], #"{"a":-1.5e-3}"#, "-1.5e-3"),
        ] as [([String], String, String?)])
    func values(path: [String], props: String, expected: String?) { #expect(lookup(path, props) == expected) }

    @Test func `very deep nesting has no values, and crashes nothing`() {
        let deep = #"{"x":"# + String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000) + #","a":1}"#
        #expect(lookup(["a"], deep) == nil)
    }

    @Test func `mutated properties crash nothing, and sound ones give what a parser gives`() throws {
        let sound = #"{"sku":"A1","price":9.5,"n":{"deep":[1,{"x":"y"}],"k":"\u00e4\\"},"t":true,"k":"\"q\""}"#
        let parsed = try #require(try JSONSerialization.jsonObject(with: Data(sound.utf8)) as? [String: Any])
        #expect(lookup(["sku"], sound) == parsed["sku"] as? String && lookup(["k"], sound) == parsed["k"] as? String)
        #expect(lookup(["n", "k"], sound) == (parsed["n"] as? [String: Any])?["k"] as? String)
        var random = SeededRandom(seed: 2)
        for _ in 0..<20_000 {
            var bytes = Array(sound.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = Array(#"{}[]",:\u0 a1"#.utf8).randomElement(using: &random)!
            }
            bytes.removeLast(Int.random(in: 0...3, using: &random))
            for path in [["sku"], ["n", "k"], ["k"]] {
                bytes.withUnsafeBytes { PropertyReader(path: path).withText(in: $0) { _ in } }
            }
        }
    }
}
