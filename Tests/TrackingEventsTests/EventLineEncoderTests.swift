import Basics
import Foundation
import Testing
import TrackingEvents

@Suite struct EventLineEncoderTests {
    private static let id: EventID = {
        var random = SeededRandom(seed: 1)
        return EventID(milliseconds: 1_767_225_600_006, random: &random)
    }()

    private func tracked(
        _ name: String = "x", _ properties: TrackingProperties = [:], user: String? = "u17", session: String? = "s9",
        kind: StampedEvent.Kind = .track,
        system: String? = nil
    ) -> StampedEvent {
        StampedEvent(
            timeMilliseconds: 1_767_225_600_006, event: .event(name, properties), user: user, session: session, sequence: 17,
            id: Self.id, kind: kind, system: system)
    }

    private func text(_ event: StampedEvent, _ sensitivity: SensitivityPolicy = .drop) throws -> String {
        let bytes = try #require(EventLineEncoder(sensitivity: sensitivity).line(of: event))
        #expect(bytes.last == UInt8(ascii: "\n"))
        return try #require(String(validating: bytes.dropLast(), as: UTF8.self))
    }

    /// The text between the braces of `props`.
    private func props(_ properties: TrackingProperties, _ sensitivity: SensitivityPolicy = .drop) throws -> String {
        let line = try text(tracked("x", properties), sensitivity)
        let start = try #require(line.range(of: #""props":{"#))
        return String(line[start.upperBound...].dropLast(2))
    }

    private func parsed(_ event: StampedEvent) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text(event).utf8)) as? [String: Any])
    }

    @Test func `a line has its keys in the fixed order`() throws {
        let line = try text(tracked("cart_added", ["sku": "A1", "price": 9.5]))
        #expect(
            line
                == #"{"v":1,"t_ms":1767225600006,"name":"cart_added","user":"u17","session":"s9","seq":17,"id":"\#(Self.id)","props":{"sku":"A1","price":9.5}}"#
        )
    }

    @Test func `type and system stand between id and props`() throws {
        let line = try text(tracked("session_started", kind: .meta, system: "shop"))
        #expect(line.hasSuffix(#""id":"\#(Self.id)","type":"meta","system":"shop","props":{}}"#))
        #expect(try text(tracked(kind: .timing)).contains(#""type":"timing""#))
    }

    @Test func `a writer's own line has no user, session or number`() throws {
        let event = StampedEvent(timeMilliseconds: -5, event: .event("dropped"), id: Self.id, kind: .meta)
        #expect(try text(event) == #"{"v":1,"t_ms":-5,"name":"dropped","id":"\#(Self.id)","type":"meta","props":{}}"#)
    }

    private static let spellings: [(TrackingValue, String)] = [
        (TrackingValue.double(9), "9.0"), (TrackingValue.double(-0.0), "-0.0"), (TrackingValue.double(1e300), "1e+300"),
        (TrackingValue.double(.leastNonzeroMagnitude), "5e-324"),
        (TrackingValue.double(0.1), "0.1"), (TrackingValue.double(123_456_789.123), "123456789.123"),
        (TrackingValue.double(Double.nan), "null"), (TrackingValue.double(Double.infinity), "null"),
        (TrackingValue.double(-.infinity), "null"), (TrackingValue.int(Int64(0)), "0"), (TrackingValue.int(Int64(-7)), "-7"),
        (TrackingValue.int(Int64(1) << 53), "9007199254740992"),
        (TrackingValue.int((Int64(1) << 53) + 1), #""9007199254740993""#), (TrackingValue.int(Int64.min), #""-9223372036854775808""#),
        (TrackingValue.int(Int64.max), #""9223372036854775807""#), (UInt64.max.trackingValue, #""18446744073709551615""#),
        (UInt64(5).trackingValue, "5"),
        (TrackingValue.bool(true), "true"), (TrackingValue.bool(false), "false"), (TrackingValue.null, "null"),
        (TrackingValue.array(["a", 1, nil]), #"["a",1,null]"#), (TrackingValue.array([]), "[]"),
        (TrackingValue.object(["k": ["l": 2]]), #"{"k":{"l":2}}"#), (TrackingValue.object(TrackingProperties()), "{}"),
    ]

    @Test(arguments: spellings)
    func `each kind of value has one spelling`(value: TrackingValue, expected: String) throws {
        #expect(try props(["k": value]) == #""k":\#(expected)"#)
    }

    @Test(arguments: [1.0, 100, 1e15, 1e16, 1e17, 123_456_789_012_345_680, -3, 2.5e-7, .greatestFiniteMagnitude, .leastNonzeroMagnitude])
    func `a double carries a point or an exponent and reads back equal`(number: Double) throws {
        let text = String(try props(["k": .double(number)]).dropFirst(4))
        #expect(text.contains { ".eE".contains($0) })
        #expect(Double(text) == number)
    }

    @Test func `numbers that are not finite are counted`() {
        let bytes = ByteBuffer(capacity: 64)
        let event = tracked("x", ["a": .double(.nan), "b": .array([.double(.infinity), 1.5])])
        #expect(EventLineEncoder().append(event, to: bytes) == .written(nonFinite: 2))
    }

    @Test func `any text survives a strict parser`() throws {
        let texts = [
            "plain", "quote \" backslash \\ slash /", "\u{0}\u{1}\u{1F}\u{7F}", "line\nfeed\r\ttab", "ünïcödé 日本語 🛒 e\u{301}",
            "\u{2028}\u{2029}",
            "</script>", "\u{202E}right to left", String(repeating: "\"", count: 500),
        ]
        for text in texts {
            let object = try parsed(tracked(text.isEmpty ? "x" : String(text.prefix(20)), ["k": .string(text)], user: text, session: text))
            #expect(object["user"] as? String == text)
            #expect((object["props"] as? [String: Any])?["k"] as? String == text)
        }
    }

    @Test func `a key may be any text`() throws {
        #expect(try props(["a\"b\n": 1]) == #""a\"b\n":1"#)
        #expect(try props(["": 1]) == #""":1"#)
    }

    @Test func `a long text is cut before the character that exceeds the limit, and marked`() throws {
        let exact = String(repeating: "a", count: 1_024)
        #expect(try props(["k": .string(exact)]) == #""k":"\#(exact)""#)
        #expect(try props(["k": .string(exact + "b")]) == #""k":"\#(exact)","_cut":true"#)
        // Four bytes a character: 255 of them end at byte 1,023, and the limit of 1,024 would split the next one.
        let carts = "abc" + String(repeating: "🛒", count: 300)
        let cut = try props(["k": .string(carts), "after": 1])
        #expect(cut == #""k":"abc\#(String(repeating: "🛒", count: 255))","after":1,"_cut":true"#)
    }

    @Test func `long keys that are equal when cut are written once, with the first value`() throws {
        let long = String(repeating: "k", count: 1_024)
        #expect(try props([long: 1, long + "a": 2, long + "b": 3]) == #""\#(long)":1,"_cut":true"#)
        #expect(try props([long + "a": 1, long: 2]) == #""\#(long)":1,"_cut":true"#)
        // The cart has four bytes: the key that ends with it is cut before it, and becomes the second key.
        let carts = String(repeating: "k", count: 1_022)
        #expect(try props([carts + "🛒": 1, carts: 2, carts + "k": 3]) == #""\#(carts)":1,"\#(carts)k":3,"_cut":true"#)
        #expect(try props(["a": [long + "a": 1], "b": [long + "b": 2]]).hasSuffix(#"":2},"_cut":true"#), "each object has keys of its own")
    }

    @Test func `a long name is cut at 200 bytes, and marked`() throws {
        let line = try text(tracked(String(repeating: "n", count: 201)))
        #expect(line.contains(#""name":"\#(String(repeating: "n", count: 200))","#))
        #expect(line.hasSuffix(#""props":{"_cut":true}}"#))
    }

    @Test func `an empty name is written as unnamed`() throws {
        #expect(try text(tracked("")).contains(#""name":"unnamed""#))
    }

    @Test func `there are at most 128 keys, the mark of the cut included`() throws {
        func many(_ count: Int) -> TrackingProperties { TrackingProperties((0..<count).map { ("k\($0)", 1) }) }
        func keys(_ properties: TrackingProperties) throws -> [String: Any] {
            try #require(try parsed(tracked("x", properties))["props"] as? [String: Any])
        }
        #expect(try keys(many(128)).count == 128)
        #expect(try keys(many(128))["_cut"] == nil)
        for count in [129, 1_000] {
            let cut = try keys(many(count))
            #expect(cut.count == 128)
            #expect(cut["_cut"] as? Bool == true)
            #expect(cut["k126"] != nil && cut["k127"] == nil)
        }
        var full = many(128)
        full["k0"] = .string(String(repeating: "x", count: 2_000))
        #expect(try keys(full).count == 128)
        #expect(try keys(full)["_cut"] as? Bool == true)
    }

    @Test func `nested keys count, too`() throws {
        let inner = TrackingProperties((0..<100).map { ("i\($0)", 1) })
        let object = try #require(try parsed(tracked("x", ["a": .object(inner), "b": .object(inner)]))["props"] as? [String: Any])
        let total = object.count + ((object["a"] as? [String: Any])?.count ?? 0) + ((object["b"] as? [String: Any])?.count ?? 0)
        #expect(total == 128)
    }

    @Test func `props nest four levels deep and no deeper`() throws {
        #expect(try props(["a": ["b": ["c": ["d": 1]]]]) == #""a":{"b":{"c":{"d":1}}}"#)
        #expect(try props(["a": ["b": ["c": ["d": ["e": 1]]]]]) == #""a":{"b":{"c":{"d":null}}},"_cut":true"#)
        #expect(try props(["a": [[["x"]]]]) == #""a":[[["x"]]]"#)
        #expect(try props(["a": [[[["x"]]]]]) == #""a":[[[null]]],"_cut":true"#)
    }

    @Test func `a value a thousand levels deep is cut`() throws {
        var value: TrackingValue = 1
        for _ in 0..<1_000 { value = [value] }
        #expect(try props(["a": value]).hasSuffix(#","_cut":true"#))
    }

    @Test func `a sensitive value never reaches the line as it is`() throws {
        let properties: TrackingProperties = [
            "mail": .sensitive("a@b.c"), "plan": "pro", "list": .array(["x", .sensitive("y")]), "deep": ["phone": .sensitive(12)],
        ]
        #expect(try props(properties, .drop) == #""plan":"pro","list":["x"],"deep":{}"#)
        #expect(try props(properties, .mask) == #""mail":"***","plan":"pro","list":["x","***"],"deep":{"phone":"***"}"#)
    }

    @Test func `a line that would be too large is refused, and the buffer stays as it was`() {
        let long = String(repeating: "\u{1}", count: 1_024)
        let properties = TrackingProperties((0..<20).map { ("k\($0)", .string(long)) })
        let bytes = ByteBuffer(capacity: 8)
        bytes.append("before")
        guard case .tooLarge(let size) = EventLineEncoder().append(tracked("x", properties), to: bytes) else {
            Issue.record("a line of more than 100 KiB was written")
            return
        }
        #expect(size > EventLineLimits.lineBytes)
        #expect(bytes.text == "before")
        #expect(EventLineEncoder().line(of: tracked("x", properties)) == nil)
    }

    @Test func `the longest line that is allowed is written`() throws {
        // 32 texts of 1,000 bytes, and one that fills the line to the byte.
        func event(_ rest: Int) -> StampedEvent {
            var pairs = (0..<32).map { ("k\($0)", TrackingValue.string(String(repeating: "x", count: 1_000))) }
            pairs.append(("r", .string(String(repeating: "y", count: rest))))
            return tracked("x", TrackingProperties(pairs))
        }
        let base = try #require(EventLineEncoder().line(of: event(0))).count - 1
        let room = EventLineLimits.lineBytes - base
        #expect(room > 0 && room < 1_024)
        #expect(EventLineEncoder().line(of: event(room))?.count == EventLineLimits.lineBytes + 1)
        #expect(EventLineEncoder().line(of: event(room + 1))?.count == nil)
    }

    @Test func `random events give lines that a strict parser reads back as they were meant`() throws {
        var random = SeededRandom(seed: 99)
        for _ in 0..<500 {
            var expected: [String: String] = [:]
            var properties = TrackingProperties()
            for number in 0..<Int.random(in: 0...6, using: &random) {
                let scalars = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
                    Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &random))
                }
                let text = String(String.UnicodeScalarView(scalars))
                expected["k\(number)"] = text
                properties["k\(number)"] = .string(text)
            }
            let read = try #require(try parsed(tracked("x", properties))["props"] as? [String: String])
            // Compared as bytes: Swift's == would call canonically equal texts the same.
            #expect(read.mapValues { Array($0.utf8) } == expected.mapValues { Array($0.utf8) })
        }
    }
}
