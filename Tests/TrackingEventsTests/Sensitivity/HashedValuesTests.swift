import Basics
import Foundation
import Testing

@testable import TrackingEvents

/// The hash that stands on the line in place of a sensitive value. The expected codes are from Python's `hmac`.
@Suite struct HashedValuesTests {
    private static let key = "0123456789abcdef0123456789abcdef"

    private func line(_ properties: TrackingProperties, key: String = HashedValuesTests.key) throws -> String {
        let encoder = EventLineEncoder(sensitivity: .hash(try HashingKey(key)))
        var random = SeededRandom(seed: 1)
        let event = StampedEvent(timeMilliseconds: 1, event: .event("x", properties), id: EventID(milliseconds: 1, random: &random))
        return String(decoding: try #require(encoder.line(of: event)), as: UTF8.self)
    }

    private func hash(_ value: TrackingValue, key: String = HashedValuesTests.key) throws -> String {
        let parsed = try JSONSerialization.jsonObject(with: Data(line(["k": .sensitive(value)], key: key).utf8)) as? [String: Any]
        return try #require((parsed?["props"] as? [String: Any])?["k"] as? String)
    }

    @Test(arguments: [
        (TrackingValue.string("a@b.c"), "3886181b3f62cb86a889165310b9fd1359155fe99a53ae3f03be7f10eb23d698"),
        (.int(12), "7bbcb6af84008b8a0869cb43a888548fb66a6902033ff6ba3b9da5ce27cddd51"),
        (.string("12"), "7bbcb6af84008b8a0869cb43a888548fb66a6902033ff6ba3b9da5ce27cddd51"),
        (.double(9), "d08f69ec483fc49018f271ae7694b06a4d40717dd8f18cd3dd2dcc05d3c05bfa"),
        (.array(["x", 1]), "2715cbf899236b00860ebc248eb47644293feed739ae69d5a676be4fb4cb6468"),
        (.bool(true), "2ebc4929adf1d9e0918cdc309ebf64bb0f49f05e520074573f5d108df2717ddd"),
        (.sensitive("a@b.c"), "3886181b3f62cb86a889165310b9fd1359155fe99a53ae3f03be7f10eb23d698"),
        (.string(String(repeating: "x", count: 2_000)), "73f193e58cf0cee03382bb217f263c634f0f2a3d7d70bd3e3d34b8d820b3e8d7"),
    ])
    func `a value is hashed as its text or its JSON`(value: TrackingValue, code: String) throws {
        #expect(try hash(value) == code)
    }

    /// Each pair differs only where a line would be cut (1,024 bytes of text, 128 keys, four levels), or in `_cut`, the mark of a cut.
    @Test(arguments: [
        (
            TrackingValue.array([.string(String(repeating: "x", count: 2_000) + "a")]),
            TrackingValue.array([.string(String(repeating: "x", count: 2_000) + "b")])
        ),
        (manyKeys(last: 1), manyKeys(last: 2)),
        (nested(10, 1), nested(10, 2)),
        (.object(["_cut": 1]), .object(["_cut": 2])),
        (longKeys("a", "b"), longKeys("a")),
    ])
    func `values that differ have hashes that differ, however large they are`(one: TrackingValue, other: TrackingValue) throws {
        #expect(try hash(one) != hash(other))
        #expect(try hash(one) == hash(one))
    }

    @Test func `a hashed value may be larger than a line, and is not marked as cut`() throws {
        let huge = TrackingValue.array((0..<5_000).map { .string("value \($0)") })
        let text = try line(["k": .sensitive(huge), "after": 1])
        #expect(text.utf8.count < 300 && !text.contains("_cut") && text.contains(#""after":1"#))
    }

    @Test func `deep nesting does not crash the hash`() throws {
        #expect(try hash(Self.nested(5_000, 1)).count == 64)
    }

    /// Keys that differ only behind the limit.
    private static func longKeys(_ ends: String...) -> TrackingValue {
        .object(TrackingProperties(ends.map { (String(repeating: "k", count: 1_100) + $0, TrackingValue.string("x")) }))
    }

    private static func manyKeys(last: Int64) -> TrackingValue {
        .object(TrackingProperties((0..<200).map { ("k\($0)", .int($0 == 199 ? last : 0)) }))
    }

    private static func nested(_ depth: Int, _ inner: TrackingValue) -> TrackingValue {
        (0..<depth).reduce(inner) { value, level in level % 2 == 0 ? .array([value]) : .object(["k": value]) }
    }

    @Test func `every value keeps its key and place, and nothing of it is on the line`() throws {
        let text = try line([
            "mail": .sensitive("anna@example.org"), "plan": "pro", "list": .array(["x", .sensitive(777_123)]),
            "deep": ["phone": .sensitive(.array(["+49", 30]))], "after": 1,
        ])
        let parsed = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let props = try #require(parsed["props"] as? [String: Any])
        #expect(props.count == 5 && props["plan"] as? String == "pro" && props["after"] as? Int == 1)
        #expect((props["mail"] as? String)?.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        for secret in ["anna", "777123", "+49", Self.key] { #expect(!text.contains(secret)) }
    }

    @Test func `another key gives another hash, the same key the same`() throws {
        let other = "fedcba9876543210"
        #expect(try hash("a@b.c") == hash("a@b.c"))
        #expect(try hash("a@b.c") != hash("a@b.c", key: other))
        #expect(try HashingKey(other) == HashingKey(other))
        #expect(try HashingKey(other) != HashingKey(Self.key))
    }

    @Test func `a key that can be guessed is refused, and the message says what to do`() {
        for bytes in [0, 1, 15] {
            #expect(throws: HashingKeyError.tooShort(bytes: bytes)) { try HashingKey([UInt8](repeating: 7, count: bytes)) }
        }
        #expect(throws: Never.self) { try HashingKey([UInt8](repeating: 7, count: 16)) }
        #expect("\(HashingKeyError.tooShort(bytes: 3))".contains("openssl rand"))
    }

    @Test func `no text of a key shows it`() throws {
        let key = try HashingKey(Self.key)
        var dumped = ""
        dump(SensitivityPolicy.hash(key), to: &dumped)
        for text in [dumped, "\(key)", String(reflecting: SensitivityPolicy.hash(key))] {
            #expect(!text.contains("0123") && !text.contains("SIMD") && text.contains("secret"))
        }
    }

    @Test func `a buffer that must grow for the digits hashes the right bytes`() throws {
        let expected = try hash(.array(["x", 1]))
        let encoder = EventLineEncoder(sensitivity: .hash(try HashingKey(Self.key)))
        var random = SeededRandom(seed: 1)
        let id = EventID(milliseconds: 1, random: &random)
        for padding in 0..<200 {
            let bytes = ByteBuffer(capacity: 16)
            let padded = StampedEvent(
                timeMilliseconds: 1,
                event: .event("x", ["p": .string(String(repeating: "p", count: padding)), "k": .sensitive(.array(["x", 1]))]),
                id: id)
            guard case .written = encoder.append(padded, to: bytes) else {
                Issue.record("not written")
                continue
            }
            #expect(bytes.text.contains(#""k":"\#(expected)""#), "\(padding)")
        }
    }
}
