import Foundation
import LoopCore
import LoopLogging
import Testing

/// Kept layouts read values in place and print what reflection prints of them.
@Suite struct LaidOutValuesTests {
    struct Plain: Equatable {
        var id = 7, name = "Ada \"A.\" O'Hara\n", count: UInt8 = 3, price = 12.5, isOpen = true, note: String?, page: Int64 = -3
        var ratio: Float = 0.25
        let city = "Zürich 🦊", tag: Character = "c"
    }
    struct Loose { var plain = Plain(), any: Any = 1, equatable: any Equatable = "e", error: (any Error)?, object: AnyObject? }
    struct Nested { var plain = Plain(), more: [Plain] = [], best: Plain?, deep: [[Int?]] = [[1, nil], []] }
    struct Box<Value> { var value: Value, list: [Value], last: Value? }
    struct Node: Equatable { var value = 1, children: [Node] = [] }
    class Object { var number = 1 }
    struct Weak { weak var object: Object?; unowned let owner: Object; var number = 1 }
    struct Calling { var number = 1, call: () -> Void = {}, type: Any.Type = Int.self }
    struct Shy: Equatable {
        @Sensitive var mail = "s3cr3t"
        var _plain = 1
        var _maybe: Sensitive<Int>?
    }
    struct Wrapped { var shy = Shy(), card: Card? = Card(), cards = [Card()] }
    struct Card: LogSensitive, Equatable { var number = "s3cr3t" }
    struct Spoken: CustomStringConvertible, Equatable { var number = 1; var description: String { "spoken \(number)" } }
    struct Written: CustomDebugStringConvertible { var number = 1; var debugDescription: String { "written \(number)" } }
    struct Mirrored: CustomReflectable { var number = 1; var customMirror: Mirror { Mirror(self, children: ["shown": number]) } }
    struct Talkers { var spoken = Spoken(), written = Written(), mirrored = Mirrored() }
    struct Empty: Equatable {}
    struct Packed { var a: UInt8 = 1, b: Int64 = 2, c: Bool = true, d: Int16 = 3, e: Empty = Empty(), f: (Int8, x: Double) = (1, 2) }
    struct Lenient: Equatable {
        var shown = 1
        static func == (a: Lenient, b: Lenient) -> Bool { true }
    }
    struct Strict: Equatable {
        var shown = 1
        static func == (a: Strict, b: Strict) -> Bool { false }
    }
    enum Mode: Equatable { case idle, busy, `default` }
    enum Raw: String { case on, off }
    enum Page: Equatable {
        case start, one(Int), labelled(only: Int), two(Int, named: String), list([Plain]), maybe(Plain?), shy(Card), none
    }
    indirect enum Tree { case leaf(Int), node(Tree, Tree) }
    enum Odd: CustomStringConvertible {
        case one(Int)
        var description: String { "odd" }
    }
    enum Erased { case any(Any), error(any Error), call(() -> Void), object(Object), nothing }
    enum Carried {
        case text(String), nested(Page), pair(Int, any: Any), mixed(a: any Error, _b: Card, _c: Int), maybe(String?), void(Void), empty(
            Empty)
        case deep(Tree), sub(Object), packed(Packed), weak(Weak), flag(Bool), result(Result<Int, Broken>), generic(Box<String>)
        indirect case boxed(Int, name: String)
        case nothing
    }
    enum Choice<First, Second> { case first(First), second(Second), both(First, Second), neither }
    struct Other: Error {}
    enum Single { case only(Int) }
    enum Optioned: Equatable { case some(Bool?), more(Bool??) }
    final class Heir: Object { var more = 2 }
    struct Modes {
        var mode = Mode.idle, raw = Raw.on, page = Page.start, tree = Tree.leaf(1), odd = Odd.one(1), maybe: Mode?, erased = Erased.any(1)
    }
    struct Kept {
        var ids: Set<Int> = [3], table: [String: Plain] = [:], slice: ArraySlice<Int> = [1], url: URL?,
            date = Date(timeIntervalSince1970: 0)
    }

    private func check<State>(_ states: State..., sourceLocation: SourceLocation = #_sourceLocation) {
        for limit in [0, 1, 7, 40, 256, 10_000] {
            let values = LogValues<State, State>(limit: limit)
            for state in states {
                _ = agreed(values, sourceLocation: sourceLocation) { $0.text(ofState: state) }
                _ = agreed(values, sourceLocation: sourceLocation) { $0.text(ofEvent: state) }
                _ = agreed(values, sourceLocation: sourceLocation) { $0.text(ofNameOf: state) }
                #expect(!values.keepingLayouts().text(ofState: state).contains("s3cr3t"), sourceLocation: sourceLocation)
                for other in states {
                    let changes = agreed(values, sourceLocation: sourceLocation) { $0.changes(from: state, to: other) }
                    #expect(!changes.text.contains("s3cr3t"), sourceLocation: sourceLocation)
                }
            }
        }
    }

    private func changed<State>(_ state: State, _ change: (inout State) -> Void) -> State {
        var state = state
        change(&state)
        return state
    }

    @Test func `plain fields`() {
        let plain = Plain()
        check(
            plain, changed(plain) { $0.count += 1 },
            Plain(id: .min, name: "", count: .max, price: .nan, note: "n", page: .max, ratio: .infinity))
        check(Packed(), Packed(a: 2, b: .min, c: false, d: -1, e: Empty(), f: (9, x: .nan)))
        check(Empty(), Empty())
    }

    @Test func `numbers, truth values and texts by themselves`() {
        check(Int.min, 0, .max)
        check(UInt64.max, 0)
        check(Double.nan, -.zero, 0, .infinity, 1e300, 0.1, .signalingNaN)
        check(Float.nan, 1, .pi)
        check(true, false)
        check(
            "", "a", "it's \"q\" \\ \n\r\t\0", "\u{301}e", "e\u{301}", "\u{1B}[2J\u{202E}\u{2066}\u{85}\u{7F}", "🦊👨‍👩‍👧",
            String(repeating: "é", count: 500))
        check(Int?.none, 1, 2)
        check(Int??.none, .some(nil), .some(.some(1)))
    }

    @Test func `nested structs, arrays, optionals and generics`() {
        let plain = Plain()
        check(
            Nested(), Nested(more: [plain, plain], best: plain),
            Nested(more: [changed(plain) { $0.id = 1 }], best: changed(plain) { $0.note = "x" }, deep: []))
        check([Plain](), [plain], [plain, changed(plain) { $0.id = 2 }])
        check(Box(value: 1, list: [], last: nil), Box(value: 2, list: [1], last: 3))
        check(Box(value: "a", list: ["b"], last: "c"), Box(value: "x", list: [], last: nil))
        check(
            Box(value: Box(value: 1, list: [1], last: 1), list: [], last: nil),
            Box(value: Box(value: 2, list: [1], last: nil), list: [], last: nil))
        check(Node(), Node(children: [Node(value: 2, children: [Node()])]), Node(children: [Node(value: 2, children: [Node(value: 9)])]))
        check((1, "a"), (2, "a"))
        check((x: 1, y: Plain()), (x: 1, y: changed(Plain()) { $0.id = 1 }))
        check(
            Kept(), Kept(ids: [], table: ["a": plain], slice: [1, 2], url: URL(string: "http://a.b"), date: Date(timeIntervalSince1970: 9)))
    }

    @Test func `enums with and without payloads`() {
        check(Mode.idle, .busy, .default)
        check(Raw.on, .off)
        check(
            Page.start, .one(1), .one(2), .labelled(only: 1), .labelled(only: 2), .two(1, named: "a"), .two(1, named: "b"),
            .list([Plain()]), .list([]),
            .maybe(nil), .maybe(Plain()), .shy(Card()), .shy(Card(number: "s3cr3t2")), .none)
        check(Page?.none, .some(.none), .some(.start), .some(.one(1)))
        check(Tree.leaf(1), .node(.leaf(1), .leaf(2)), .node(.leaf(1), .node(.leaf(2), .leaf(3))))
        check(Odd.one(1), .one(2))
        check(Erased.any(1), .any("a"), .any(Plain()), .error(Broken(description: "no")), .call {}, .object(Object()), .nothing)
        check(Modes(), Modes(mode: .busy, raw: .off, page: .one(1), tree: .leaf(2), odd: .one(2), maybe: .idle, erased: .nothing))
    }

    @Test func `enums with payloads of every kind`() {
        let owner = Object()
        // Each case comes twice: what the first one taught must hold for the second, whatever is boxed in it.
        check(
            Carried.text("a\"b"), .text("c"), .nested(.one(1)), .nested(.start), .nested(.two(1, named: "x")), .pair(1, any: 2),
            .pair(1, any: "b"), .pair(1, any: Card()), .mixed(a: Broken(description: "x"), _b: Card(), _c: 1),
            .mixed(a: Other(), _b: Card(), _c: 2), .maybe(nil), .maybe("x"), .void(()), .empty(Empty()), .deep(.leaf(1)),
            .deep(.node(.leaf(1), .leaf(2))), .nothing)
        check(
            Carried.sub(owner), .sub(Heir()), .packed(Packed()), .packed(Packed(a: 2, f: (3, x: 4))),
            .weak(Weak(object: owner, owner: owner)),
            .flag(true), .flag(false), .result(.success(1)), .result(.failure(Broken(description: "no"))),
            .generic(Box(value: "v", list: ["w"], last: nil)), .boxed(1, name: "a"), .boxed(2, name: "b"))
        check(Choice<Int, String>.first(1), .first(2), .second("a"), .both(1, "b"), .neither)
        check(
            Choice<Any, any Error>.first(1), .first("a"), .second(Broken(description: "a")), .second(Other()), .both(1, Other()), .neither)
        check(Choice<Object, Card>.first(Object()), .first(Heir()), .second(Card()), .both(Object(), Card()), .neither)
        check(
            Choice<Choice<Int, Bool>, Choice<String?, Never?>>.first(.first(1)), .first(.neither), .second(.first(nil)),
            .second(.second(nil)))
        check(Single.only(1), .only(2))
        check(Optioned.some(nil), .some(true), .more(nil), .more(.some(nil)), .more(false))
        withExtendedLifetime(owner) {}
    }

    @Test func `fields whose equal bytes do not prove them equal`() {
        struct Tricky: Equatable {
            var text = "same", number = 1.5, maybe: Double?, strict = Strict(), some: Int? = 1, wide: String??, tail = UInt8(1)
        }
        check(Tricky(), Tricky(), Tricky(number: .nan), Tricky(number: .nan), Tricky(maybe: .nan), Tricky(maybe: .nan, tail: 2))
        check(Tricky(wide: .some(nil)), Tricky(wide: "a"), Tricky(some: nil), Tricky(some: 2), Tricky(number: -0.0), Tricky(number: 0))
        // One text in two forms, and with its bytes elsewhere.
        check(
            Tricky(text: "é"), Tricky(text: "e\u{301}"), Tricky(text: String(repeating: "a", count: 40)),
            Tricky(text: "a" + String(repeating: "a", count: 39)))
    }

    @Test func `values that cannot be read in place`() {
        let (one, two) = (Object(), Object())
        check(Weak(object: one, owner: one), Weak(object: nil, owner: one), Weak(object: two, owner: two, number: 2))
        check(Calling(), Calling(number: 2, type: String.self))
        check(
            Loose(), Loose(any: Plain(), equatable: 2, error: Broken(description: "x"), object: two), Loose(any: Plain(id: 1), equatable: 3)
        )
        check(one, two)
        check(1 as Any, "a", Plain(), Mode.busy, Page.one(1), Object())
        check(1 as any Equatable, Plain())
        check(AnyHashable(1), AnyHashable("a"))
        withExtendedLifetime((one, two)) {}
    }

    @Test func `types that describe themselves`() {
        check(Spoken(), Spoken(number: 2))
        check(Written(), Written(number: 2))
        check(Mirrored(), Mirrored(number: 2))
        check(Talkers(), Talkers(spoken: Spoken(number: 2), written: Written(number: 2), mirrored: Mirrored(number: 2)))
        check(1..<2, 1..<3)
    }

    @Test func `sensitive values`() {
        check(Shy(), Shy(mail: "s3cr3t2"), Shy(_plain: 2, _maybe: Sensitive(1)), Shy(_maybe: Sensitive(2)))
        check(
            Wrapped(), Wrapped(card: nil, cards: []),
            Wrapped(shy: Shy(mail: "s3cr3t2"), card: Card(number: "s3cr3t2"), cards: [Card(), Card()]))
        check(Card(), Card(number: "s3cr3t2"))
        check([Card?.none], [Card()])
    }

    @Test func `the type's own equality counts`() {
        check(Lenient(), Lenient(shown: 2))
        check(Strict(), Strict())
        check([Lenient()], [Lenient(shown: 2)])
        check(Box(value: Strict(), list: [], last: nil), Box(value: Strict(), list: [], last: nil))
    }

    @Test func `depth is bounded alike`() {
        func chain(_ depth: Int, _ end: Int) -> Node { (0..<depth).reduce(Node(value: end)) { node, _ in Node(children: [node]) } }
        check(chain(5, 1), chain(5, 2))
        check(chain(40, 1), chain(40, 2))
        check(chain(80, 1), chain(80, 2))
    }

    @Test func `a line inside of a line, and lines made on many threads at once`() async {
        let inner = LogValues<Plain, Void>().keepingLayouts()
        let expected = inner.text(ofState: Plain())
        let nested = LogValues<Plain, Void>(limit: 1_000, state: { "<\(inner.text(ofState: $0))>" }).keepingLayouts()
        #expect(nested.text(ofState: Plain()) == "<\(expected)>")
        await withTaskGroup(of: Set<String>.self) { group in
            for _ in 0..<4 { group.addTask { Set((0..<500).map { _ in inner.text(ofState: Plain()) }) } }
            for await texts in group { #expect(texts == [expected]) }
        }
    }
}
