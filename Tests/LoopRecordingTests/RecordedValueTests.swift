import Foundation
import LoopLogging
import Testing

@testable import LoopRecording

@Suite struct RecordedValueTests {
    enum Size: String, Codable { case small, large }
    enum Shape: Codable, Equatable { case none, circle(radius: Double), named(String, Int) }

    struct Inner: Codable, Equatable {
        var id: Int
        var text: String
        var maybe: Int?
    }

    final class Base: Codable { var a = 1 }

    /// Nested containers and a super encoder, as hand-written code uses them.
    struct Manual: Codable, Equatable {
        var numbers = [1, 2], name = "n"

        enum Keys: String, CodingKey { case outer, list, name }

        init() {}

        init(from decoder: any Decoder) throws {
            let outer = try decoder.container(keyedBy: Keys.self).nestedContainer(keyedBy: Keys.self, forKey: .outer)
            var list = try outer.nestedUnkeyedContainer(forKey: .list)
            numbers = []
            while !list.isAtEnd { numbers.append(try list.decode(Int.self)) }
            name = try String(from: decoder.container(keyedBy: Keys.self).superDecoder(forKey: .name))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            var outer = container.nestedContainer(keyedBy: Keys.self, forKey: .outer)
            var list = outer.nestedUnkeyedContainer(forKey: .list)
            for number in numbers { try list.encode(number) }
            try name.encode(to: container.superEncoder(forKey: .name))
        }
    }

    struct Everything: Codable {
        var bool = true, int = -3, int8 = Int8.min, uint64 = UInt64.max, double = 0.1, float: Float = 0.1, whole = 5.0
        var text = "a\"\\/\n\u{1F600}\u{7}", empty = "", optional: Int?, some: Int? = 4
        var list = [1, 2, 3], none: [Int] = [], nested = [[1], []],
            inners = [Inner(id: 1, text: "x", maybe: nil), Inner(id: 2, text: "y", maybe: 7)]
        var byName = ["b": 1, "a~/": 2, "": 3], byNumber = [2: "two", 1: "one"]
        var size = Size.large, shapes = [Shape.none, .circle(radius: 2), .named("n", 3)]
        var date = Date(timeIntervalSinceReferenceDate: 12.5), uuid = UUID(uuidString: "00000000-0000-4000-8000-000000000001")!
        var manual = Manual(), nan = Double.nan, far = -Double.infinity, optionals: [Int?] = [1, nil]
        var data: [UInt8] = [0, 255]
    }

    static var values: [any Codable] {
        [
            Everything(), Everything?.none, 5, "text", [Everything()], ["k": Everything()], Manual(), Base(),
            Inner(id: 0, text: "", maybe: nil), [String](),
        ]
    }

    /// The object of a JSON text, as Foundation reads it.
    private func object(_ json: Data) throws -> NSObject {
        try #require(try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed) as? NSObject)
    }

    @Test(arguments: values.indices)
    func `values are encoded as Foundation's encoder does it`(index: Int) throws {
        let value = Self.values[index]
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        func compare<Value: Codable>(_ value: Value) throws {
            let tree = try RecordingEncoding(hiding: []).encode(value)
            #expect(try object(Data(tree.json.utf8)) == object(try encoder.encode(value)))
            // A value that is decoded from the text encodes to the same text.
            let parsed = try #require(RecordedValue.parse(tree.json))
            #expect(parsed == tree)
            let again = try RecordingEncoding(hiding: []).encode(ValueDecoder(value: parsed).decode(Value.self))
            #expect(again.json == tree.json)
        }
        try compare(value)
    }

    @Test func `sets and dictionaries of other keys are written in a fixed order`() throws {
        let encoding = RecordingEncoding(hiding: [])
        let pairs = Dictionary(uniqueKeysWithValues: (0..<50).map { (Size(rawValue: $0 % 2 == 0 ? "small" : "large")!, $0) }.suffix(2))
        #expect(try encoding.encode(pairs).json == #"["large",49,"small",48]"#)
        #expect(try encoding.encode(Set([3, 1, 2])).json == "[1,2,3]")
        #expect(try encoding.encode(["b": 1, "a": 2]).json == #"{"a":2,"b":1}"#)
    }

    @Test func `equal parts of the last tree are taken over, also where elements came and went`() throws {
        let encoding = RecordingEncoding(hiding: [])
        var state = (0..<40).map { Inner(id: $0, text: "t\($0)", maybe: nil) }
        let before = try encoding.encode(state)
        state.remove(at: 3)
        state[20].text = "new"
        state.insert(Inner(id: 99, text: "in", maybe: 1), at: 30)
        let after = try encoding.encode(state, instead: before)
        #expect(after.json == (try RecordingEncoding(hiding: []).encode(state).json))
        let kept = after.elements.filter { part in before.elements.contains { RecordedValue.areIdentical($0, part) } }
        #expect(kept.count == 38)
        #expect(RecordedValue.areIdentical(try encoding.encode(state, instead: after), after))
    }

    @Test func `an object that is changed in place is encoded again`() throws {
        final class Cell: Codable, Equatable {
            var value = 1
            static func == (a: Cell, b: Cell) -> Bool { a === b }
        }
        let encoding = RecordingEncoding(hiding: [])
        let cell = Cell()
        let before = try encoding.encode(cell)
        cell.value = 2
        #expect(try encoding.encode(cell, instead: before).json == #"{"value":2}"#)
    }

    @Test func `a value that nests too deep is a short error, and does not overflow the stack`() throws {
        indirect enum Chain: Codable { case end, link(Chain) }
        var chain = Chain.end
        for _ in 0..<1_000 { chain = .link(chain) }
        let error = #expect(throws: EncodingError.self) { try RecordingEncoding(hiding: []).encode(chain) }
        #expect("\(try #require(error))".utf8.count < 300)
        #expect(RecordedValue.parse(String(repeating: "[", count: 10_000)) == nil)
    }

    /// A value that holds another as its single value, so that both have one path.
    private indirect enum Wrap: Encodable {
        case end, around(Wrap), object([String: Wrap])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .end: try container.encode("end")
            case .around(let wrap): try container.encode(wrap)
            case .object(let members): try container.encode(members)
            }
        }
    }

    @Test func `single values that nest too deep are an error, too, also inside other values`() throws {
        let limit = 120
        func wrapped(_ count: Int) -> Wrap { (0..<count).reduce(.end) { wrap, _ in .around(wrap) } }
        let encoding = RecordingEncoding(hiding: [])
        #expect(try encoding.encode(wrapped(limit)).json == #""end""#)
        #expect(throws: EncodingError.self) { try encoding.encode(wrapped(1_000)) }
        #expect(throws: EncodingError.self) { try encoding.encode(["a": [wrapped(1_000)]]) }
    }

    @Test func `objects may nest as deep as before when a single value wraps each of them`() throws {
        let nested = (0..<119).reduce(Wrap.end) { wrap, _ in .object(["a": wrap]) }
        let json = try RecordingEncoding(hiding: []).encode(nested).json
        #expect(json.hasSuffix(#"{"a":"end"}"# + String(repeating: "}", count: 118)))
    }

    // MARK: Masks

    struct Secretive: Codable, Equatable {
        struct Card: Codable, Equatable, LogSensitive { var number = "4111-secret" }
        struct Person: Codable, Equatable {
            @Sensitive var mail = "secret@example.org"
            var phone = "secret-1", name = "Ada"
        }
        var card = Card(), people = [Person(), Person()], byName = ["a/b": Person()]
        var maybe: Sensitive<Int>? = Sensitive(77_321)
    }

    @Test func `nothing of a sensitive value or of a hidden path is in the tree, and the paths are named`() throws {
        let encoding = RecordingEncoding(hiding: ["/people/*/phone", "/byName/a~1b/phone", "/nowhere"])
        let json = try encoding.encode(Secretive()).json
        #expect(!json.contains("secret") && !json.contains("77321"))
        #expect(json.contains("Ada"))
        let expected = [
            "/card", "/people/0/mail", "/people/0/phone", "/people/1/mail", "/people/1/phone", "/byName/a~1b/mail", "/byName/a~1b/phone",
            "/maybe",
        ]
        #expect(Set(encoding.hidden) == Set(expected))
        let open = try RecordingEncoding(hiding: nil).encode(Secretive())
        #expect(open.json.contains("secret@example.org"))
        #expect(try ValueDecoder(value: open).decode(Secretive.self) == Secretive())
        // Other encoders get the sensitive value itself.
        #expect(String(decoding: try JSONEncoder().encode(Secretive()), as: UTF8.self).contains("secret@example.org"))
    }

    /// Hands its encoder on, as a box around one value does.
    private struct Box<Value: Encodable>: Encodable {
        var value: Value

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    @Test func `a sensitive value in a box that hands its encoder on is hidden, and its path is named`() throws {
        struct Holder: Encodable {
            var box = Box(value: Sensitive("secret")), boxes = [Box(value: Box(value: Sensitive(["secret"])))], plain = Box(value: "seen")
        }
        let encoding = RecordingEncoding(hiding: [])
        #expect(try encoding.encode(Holder()).json == #"{"box":"***","boxes":["***"],"plain":"seen"}"#)
        #expect(encoding.hidden == ["/box", "/boxes/0"])
        let open = #"{"box":"secret","boxes":[["secret"]],"plain":"seen"}"#
        #expect(try RecordingEncoding(hiding: nil).encode(Holder()).json == open)
        #expect(try object(try JSONEncoder().encode(Holder())) == object(Data(open.utf8)), "other encoders get the value itself")
    }

    private struct Mail: Codable, Hashable, LogSensitive, CodingKeyRepresentable {
        var text: String
        var codingKey: any CodingKey { text.codingKey }

        init(_ text: String) { self.text = text }

        init?(codingKey: some CodingKey) { text = codingKey.stringValue }
    }

    @Test func `a dictionary is hidden as a whole where its sensitive keys would be the keys of an object`() throws {
        let numbers = [Mail("secret@example.org"): 1]
        let encoding = RecordingEncoding(hiding: [])
        #expect(try encoding.encode(["people": numbers]).json == #"{"people":"***"}"#)
        #expect(encoding.hidden == ["/people"])
        #expect(try RecordingEncoding(hiding: nil).encode(numbers).json == #"{"secret@example.org":1}"#)
    }

    @Test(arguments: ["/\u{1F3FD}", "/*", "\u{1F3FD}"]) func `a key that begins with a mark is hidden as any other`(path: String) throws {
        #expect(try RecordingEncoding(hiding: [path]).encode(["\u{1F3FD}": "secret"]).json == "{\"\u{1F3FD}\":\"***\"}")
    }

    private class Payment: Encodable {}
    private final class CardPayment: Payment, LogSensitive {
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode("secret")
        }
    }

    @Test func `an object of a sensitive subclass is hidden where its superclass is declared`() throws {
        let encoding = RecordingEncoding(hiding: [])
        #expect(try encoding.encode(["all": [Payment(), CardPayment()]]).json == #"{"all":[{},"***"]}"#)
        #expect(encoding.hidden == ["/all/1"])
        #expect(try RecordingEncoding(hiding: nil).encode([CardPayment() as Payment]).json == #"["secret"]"#)
    }

    @Test func `pairs whose keys are hidden stand in the order of their values`() throws {
        struct Mail: Hashable, Encodable, LogSensitive { var text: String }
        let numbers = Dictionary(uniqueKeysWithValues: (1...9).map { (Mail(text: "\($0)"), $0) })
        let json = (1...9).map { #""***",\#($0)"# }.joined(separator: ",")
        #expect(try RecordingEncoding(hiding: []).encode(numbers).json == "[\(json)]")
    }

    @Test func `hidden parts of elements that moved are named at their new places`() throws {
        let encoding = RecordingEncoding(hiding: [])
        var people = [Secretive.Person(), Secretive.Person(phone: "2")]
        let before = try encoding.encode(people)
        people.insert(Secretive.Person(phone: "3"), at: 0)
        _ = try encoding.encode(people, instead: before)
        #expect(encoding.hidden.contains("/2/mail"))
    }

    private enum Asked: Codable { case login(user: String, password: String) }

    @Test(arguments: ["/login", "login", "/*", "/login/*", "/login/password"])
    func `a hidden part is hidden with all that stands in it`(path: String) throws {
        let encoding = RecordingEncoding(hiding: [path])
        let tree = try encoding.encode(Asked.login(user: "ada", password: "secret"))
        #expect(!tree.json.contains("secret") && tree.json.contains(#""***""#) && !encoding.hidden.isEmpty)
    }

    @Test func `a number beyond doubles is a text`() {
        #expect(RecordedValue.parse(#"{"x":1e400,"y":-1e400,"z":1e300}"#)?.json == #"{"x":"1e400","y":"-1e400","z":1e+300}"#)
    }

    @Test func `what is hidden in a dictionary without an order is named by its place in the sorted elements`() throws {
        let encoding = RecordingEncoding(hiding: [])
        let ids = (0..<8).map { UUID(uuidString: "00000000-0000-4000-8000-00000000000\($0)")! }
        for long in ids {
            let texts = ids.map { id in (id, String(repeating: "a", count: id == long ? 20_000 : 1)) }
            let tree = try encoding.encode(["x": Dictionary(uniqueKeysWithValues: texts)])
            let path = try #require(encoding.hidden.first)
            #expect(tree[path: path]?.text?.utf8.count == 16_384 && encoding.hidden.count == 1)
        }
    }

    @Test func `a path with an index hides what stands there in every element of a set`() throws {
        struct Person: Codable, Hashable { var id: Int, mail: String }
        let people = Set((0..<5).map { Person(id: $0, mail: "mail\($0)") })
        let tree = try RecordingEncoding(hiding: ["/people/0/mail"]).encode(["people": people])
        #expect(tree["people"]?.elements.count == 5 && !tree.json.contains("mail0") && !tree.json.contains("mail4"))
        let list = try RecordingEncoding(hiding: ["/0/mail"]).encode([Person(id: 0, mail: "mail0"), Person(id: 1, mail: "mail1")])
        #expect(!list.json.contains("mail0") && list.json.contains("mail1"))
    }

    @Test func `a long text is cut, and its path is named`() throws {
        let encoding = RecordingEncoding(hiding: [])
        let tree = try encoding.encode(["a": String(repeating: "é", count: 20_000)])
        #expect(tree["a"]?.text?.utf8.count == 16_384 && encoding.hidden == ["/a"])
    }
}
