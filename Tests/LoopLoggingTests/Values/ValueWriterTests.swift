import LoopLogging
import Testing

/// Values as they stand in a line.
@Suite struct ValueWriterTests {
    struct Product { var sku: String, price: Double? }
    struct Named: CustomStringConvertible { var description: String }
    struct Debugged: CustomDebugStringConvertible { var debugDescription: String }
    enum Move { case go, to(Int), at(x: Int, y: Int), pair(Int, String), wrapped(Product) }
    final class Object {}
    struct Login {
        var name: String
        @Sensitive var password: String
    }

    struct Card: LogSensitive { var number: String }
    /// A type that describes itself and is sensitive all the same.
    struct Chatty: LogSensitive {
        var description: String
        var debugDescription: String { description }
    }

    private func text(_ value: Any, limit: Int = 256) -> String {
        agreed(LogValues<Any, Void>(limit: limit)) { $0.text(ofState: value) }
    }

    @Test func `plain values`() {
        #expect(text("a text") == "a text")
        #expect(text(3) == "3")
        #expect(text(2.5) == "2.5")
        #expect(text(true) == "true")
        #expect(text(Int?.none as Any) == "nil")
        #expect(text(Int?.some(3) as Any) == "Optional(3)")
        #expect(text(()) == "()")
        #expect(text("c" as Character) == "c")
    }

    @Test func `values as the standard library prints them`() {
        #expect(text(Move.go) == "go")
        #expect(text(Move.to(3)) == "to(3)")
        #expect(text(Move.at(x: 1, y: 2)) == "at(x: 1, y: 2)")
        #expect(text(Move.pair(1, "a")) == #"pair(1, "a")"#)
        #expect(text(Move.wrapped(Product(sku: "a", price: nil))) == #"wrapped(Product(sku: "a", price: nil))"#)
        #expect(text([1, 2]) == "[1, 2]")
        #expect(text(["a"]) == #"["a"]"#)
        #expect(text([String: Int]()) == "[:]")
        #expect(text(["a": 1]) == #"["a": 1]"#)
        #expect(text(["a"] as Set) == #"["a"]"#)
        #expect(text((1, b: "x")) == #"(1, b: "x")"#)
        #expect(text(1..<3) == "1..<3")
        #expect(text(Object()).hasSuffix("Object"))
        #expect(text(Int.self) == "Int")
    }

    @Test func `descriptions of the value's own come first`() {
        #expect(text(Named(description: "me")) == "me")
        #expect(text([Named(description: "me")]) == "[me]")
        #expect(text(Debugged(debugDescription: "dbg")) == "dbg")
    }

    @Test func `sensitive values wherever they stand`() {
        let login = Login(name: "ann", password: "geheim")
        let values: [Any] = [
            login, [login], ["k": login], Sensitive("geheim"), (Sensitive("geheim") as Sensitive<String>?) as Any,
            [Sensitive("geheim"): "k"],
            Move?.none as Any, (login, 1), Card(number: "geheim"), [Card(number: "geheim")] as [Card?] as Any,
            Chatty(description: "geheim"),
            [Chatty(description: "geheim")], Result<Card, Broken>.success(Card(number: "geheim")),
        ]
        for value in values {
            #expect(!text(value).contains("geheim"))
            #expect(!String(describing: value).contains("geheim") || value is Chatty || value is [Chatty])
        }
        #expect(text(login) == #"Login(name: "ann", password: ***)"#)
        #expect(text(Sensitive("geheim")) == "***")
        var dumped = ""
        dump(login, to: &dumped)
        #expect(!dumped.contains("geheim"))
    }

    @Test func `a wrapped value is there for whoever asks for it`() {
        var login = Login(name: "ann", password: "a")
        login.password = "b"
        #expect(login.password == "b")
        #expect(Sensitive(1) == Sensitive(1))
        #expect(Set([Sensitive(1), Sensitive(1)]).count == 1)
    }

    @Test func `a value is cut and no more of it is looked at than is shown`() {
        final class Count { var asked = 0 }
        struct Endless: Sequence, IteratorProtocol, CustomReflectable {
            let count: Count
            mutating func next() -> Int? {
                count.asked += 1
                return count.asked
            }
            var customMirror: Mirror {
                let count = count
                return Mirror(
                    self,
                    unlabeledChildren: (0..<1_000_000).lazy.map { (number: Int) -> Int in
                        count.asked += 1
                        return number
                    }, displayStyle: .collection)
            }
        }
        let count = Count()
        #expect(text(Endless(count: count), limit: 20) == "[0, 1, 2, 3, 4, 5, 6…")
        #expect(count.asked < 100)
        #expect(text(String(repeating: "x", count: 5_000_000), limit: 5) == "xxxxx…")
        #expect(text([String(repeating: "x", count: 5_000_000)], limit: 5) == #"["xxx…"#)
    }

    @Test func `depth is bounded`() {
        indirect enum Tree { case leaf, node(Tree) }
        let tree = (0..<1_000).reduce(Tree.leaf) { tree, _ in .node(tree) }
        #expect(text(tree, limit: 100_000).contains("…"))
    }

    @Test(arguments: ["\n", "\r", "\t", "\u{1B}[31m", "\u{0}", "\u{7F}", "\u{85}", "\u{202E}", "\u{2066}", "\u{2028}"])
    func `characters that move the cursor or turn the text are shown and not done`(character: String) {
        for value in [character, [character], ["k": character], Move.pair(1, character), Named(description: character)] as [Any] {
            let shown = text(value)
            #expect(
                shown.unicodeScalars.allSatisfy { scalar in
                    !(scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value || [0x2028, 0x202E, 0x2066].contains(scalar.value))
                })
        }
    }
}
