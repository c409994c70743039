import Foundation
import Testing
import TrackingEvents

@Suite struct PropertyReaderTests {
    /// A value with its text, so that it can be compared.
    private enum Seen: Equatable {
        case missing, null
        case bool(Bool)
        case number(Double, String)
        case string(String)
        case object(String)
        case array(String)
    }

    private func value(_ path: [String], _ properties: String) -> Seen {
        Array(properties.utf8).withUnsafeBytes { bytes in
            guard let value = PropertyReader(path: path).value(in: bytes) else { return .missing }
            let text = value.text.string(in: bytes)
            return switch value.kind {
            case .null: .null
            case .bool(let truth): .bool(truth)
            case .number: .number(JSONNumber.double(value.text.bytes(in: bytes)), text)
            case .string: .string(text)
            case .object: .object(text)
            case .array: .array(text)
            }
        }
    }

    private static let sample =
        #"{"sku":"A1","price":9.50,"n":null,"yes":true,"no":false,"loop":{"us":12,"deep":{"er":"x"}},"list":[1,{"us":3}],"":7,"a.b":1,"\u0071":"esc\n"}"#

    @Test func `values of all kinds are found at their paths`() {
        #expect(value(["sku"], Self.sample) == .string("A1"))
        #expect(value(["price"], Self.sample) == .number(9.5, "9.50"))
        #expect(value(["n"], Self.sample) == .null)
        #expect(value(["yes"], Self.sample) == .bool(true))
        #expect(value(["no"], Self.sample) == .bool(false))
        #expect(value(["loop"], Self.sample) == .object(#"{"us":12,"deep":{"er":"x"}}"#))
        #expect(value(["loop", "us"], Self.sample) == .number(12, "12"))
        #expect(value(["loop", "deep", "er"], Self.sample) == .string("x"))
        #expect(value(["list"], Self.sample) == .array(#"[1,{"us":3}]"#))
        #expect(value([""], Self.sample) == .number(7, "7"))
        #expect(value(["a.b"], Self.sample) == .number(1, "1"))
        #expect(value(["q"], Self.sample) == .string("esc\n"))
        #expect(value([], "{}") == .object("{}"))
    }

    @Test(arguments: [
        ["none"], ["sku", "x"], ["list", "us"], ["n", "x"], ["loop", "none"], ["loop", "deep", "er", "x"], ["skus"], ["sk"], ["er"],
    ])
    func `a path that leads nowhere is missing`(path: [String]) {
        #expect(value(path, Self.sample) == .missing)
    }

    @Test func `the last of equal keys counts, at every depth`() {
        #expect(value(["a"], #"{"a":1,"b":2,"a":"x"}"#) == .string("x"))
        #expect(value(["a", "b"], #"{"a":{"b":1},"a":{"c":2}}"#) == .missing)
        #expect(value(["a", "b"], #"{"a":{"b":1,"b":2},"a":{"b":3,"b":4}}"#) == .number(4, "4"))
        #expect(value(["a"], #"{"a":1,"\u0061":2}"#) == .number(2, "2"))
    }

    @Test(arguments: [
        "", "[]", "x", "{", #"{"a"#, #"{"a":"#, #"{"a":1"#, #"{"a":1,"#, #"{"a":1,"b":}"#, #"{"a":1 "b":2}"#, #"{"a":tru}"#, #"{"a":01}"#,
        #"{"a":"\x"}"#,
    ])
    func `broken properties have no values`(properties: String) {
        #expect(value(["a"], properties) == .missing)
    }

    @Test func `white space may stand anywhere`() {
        #expect(value(["a", "b"], "{ \t\"a\" : { \"x\" : [ 1 , 2 ] , \"b\" : -1.5e2 } }") == .number(-150, "-1.5e2"))
    }

    @Test func `depth is bounded and costs no stack`() {
        let deep = String(repeating: "[", count: 1_000_000)
        #expect(value(["a"], "{\"x\":\(deep),\"a\":1}") == .missing)
        let nested = String(repeating: #"{"a":"#, count: 100) + "1" + String(repeating: "}", count: 100)
        #expect(value(Array(repeating: "a", count: 100), nested) == .number(1, "1"))
    }
}
