import LoopLogging
import Testing

/// What differs, on every shape of value that a state is made of.
@Suite struct StateDiffTests {
    struct Item: Equatable, Identifiable { var id: String, qty = 1 }
    struct Line: Equatable { var sku: String, qty = 1 }
    struct Cart: Equatable { var items: [Line] = [], note: String?, tags: Set<String> = [], prices: [String: Int] = [:] }
    enum Page: Equatable { case start, list([Int]), detail(sku: String, count: Int), mail(String), pair(Int, Int) }
    indirect enum Tree: Equatable { case leaf(Int), node(Tree, Tree) }
    struct Shop: Equatable { var cart = Cart(), page = Page.start, tree = Tree.leaf(1) }
    /// A type that is not `Equatable`.
    struct Loose { var name: String, items: [Opaque] = [], any: Any = 0, call: () -> Void = {} }
    struct Opaque { var number: Int }
    struct Point { var place: (x: Int, y: Int), pair: (Int, Int) }
    class Node { var value: Int, next: Node?; init(_ value: Int) { self.value = value } }
    final class Leaf: Node { var color = "red" }
    struct Secret: Equatable {
        var name: String
        @Sensitive var email: String
    }

    struct Card: LogSensitive { var number: String }
    struct Wallet { var card: Card?, name = "w" }

    private func text<Value>(_ old: Value, _ new: Value, limit: Int = 256) -> String {
        agreed(LogValues<Value, Void>(limit: limit)) { $0.text(ofChangesFrom: old, to: new) }
    }

    /// The text of a change that is made in place.
    private func text<Value>(_ old: Value, limit: Int = 256, _ change: (inout Value) -> Void) -> String {
        var new = old
        change(&new)
        return text(old, new, limit: limit)
    }

    @Test func `numbers, truth values and texts as a whole state`() {
        #expect(text(1, 2) == "1 → 2")
        #expect(text(true, false) == "true → false")
        #expect(text("a", "b") == #""a" → "b""#)
        #expect(text(1.5, 2) == "1.5 → 2.0")
    }

    @Test func `equal values have no changes`() {
        #expect(text(Shop(), Shop()) == "no change")
        #expect(text(Loose(name: "a"), Loose(name: "a")) == "no change")
        #expect(text(Double.nan, .nan) == "no change")
        #expect(text([1.0, .nan], [1.0, .nan]) == "no change")
    }

    @Test func `a property deep inside`() {
        let shop = Shop(cart: Cart(items: [Line(sku: "a"), Line(sku: "b"), Line(sku: "c")]))
        #expect(text(shop) { $0.cart.items[2].qty = 2 } == "cart.items[2].qty: 1 → 2")
    }

    @Test func `several properties in the order of the state's parts`() {
        #expect(
            text(Cart()) {
                $0.note = "n"
                $0.tags = ["x"]
                $0.items = [Line(sku: "a")]
            } == #"items[0]: + Line(sku: "a", qty: 1), note: nil → "n", tags: + "x""#)
    }

    @Test func `optionals that come, go and change inside`() {
        #expect(text(Int?.none, 3) == "nil → 3")
        #expect(text(Int?.some(3), nil) == "3 → nil")
        #expect(text(Int?.some(3), 4) == "3 → 4")
        #expect(text(Line?.some(Line(sku: "a")), Line(sku: "a", qty: 2)) == "qty: 1 → 2")
        #expect(text(Int??.some(nil), .some(1)) == "nil → 1")
    }

    @Test func `enums that change their case or their payload`() {
        #expect(text(Page.start, .list([1])) == "start → list([1])")
        #expect(text(Page.list([1, 2]), .list([1, 3])) == "list[1]: 2 → 3")
        #expect(text(Page.detail(sku: "a", count: 1), .detail(sku: "a", count: 2)) == "detail.count: 1 → 2")
        #expect(text(Page.pair(1, 2), .pair(1, 3)) == "pair.1: 2 → 3")
        #expect(text(Page.mail("a"), .mail("b")) == #"mail: "a" → "b""#)
        #expect(text(Shop()) { $0.page = .mail("x") } == #"page: start → mail("x")"#)
        #expect(text(Result<Int, Broken>.success(1), .failure(Broken(description: "no"))) == "success(1) → failure(no)")
    }

    @Test func `recursive enums`() {
        let tree = Tree.node(.leaf(1), .node(.leaf(2), .leaf(3)))
        #expect(text(tree, .node(.leaf(1), .node(.leaf(2), .leaf(4)))) == "node.1.node.1.leaf: 3 → 4")
    }

    @Test(arguments: [
        ([1, 2, 3], [1, 9, 3], "[1]: 2 → 9"),
        ([1, 2, 3], [1, 2, 3, 4], "[3]: + 4"),
        ([1, 2, 3], [0, 1, 2, 3], "[0]: + 0"),
        ([1, 2, 3], [1, 3], "[1]: − 2"),
        ([1, 2, 3, 4], [2, 3, 4, 5], "[0]: − 1, [3]: + 5"),
        ([1, 2, 3], [], "[0]: − 1, [1]: − 2, [2]: − 3"),
        ([1, 1, 1], [1, 1], "[2]: − 1"),
        ([1, 2, 3, 4, 5], [1, 8, 3, 9, 4, 5], "[1]: 2 → 8, [3]: + 9"),
    ])
    func `arrays with changes, insertions and removals`(old: [Int], new: [Int], expected: String) {
        #expect(text(old, new) == expected)
        #expect(text(old[...], new[...]) == expected)
        #expect(text(ContiguousArray(old), ContiguousArray(new)) == expected)
        #expect(text(old.map(Opaque.init), new.map(Opaque.init)).contains("+") == expected.contains("+"))
    }

    @Test func `elements with ids are followed by them`() {
        let old = [Item(id: "a"), Item(id: "b"), Item(id: "c")]
        #expect(
            text(old, [Item(id: "x"), Item(id: "a"), Item(id: "b", qty: 5), Item(id: "c")])
                == #"[0]: + Item(id: "x", qty: 1), [2].qty: 1 → 5"#)
        #expect(text(old, [Item(id: "z"), old[1], old[2]]) == #"[0]: − Item(id: "a", qty: 1), [0]: + Item(id: "z", qty: 1)"#)
    }

    @Test func `elements without an equality`() {
        let old = Loose(name: "a", items: [Opaque(number: 1), Opaque(number: 2)])
        #expect(text(old) { $0.items[1].number = 7 } == "items[1].number: 2 → 7")
        #expect(text(old) { $0.items.append(Opaque(number: 3)) } == "items[2]: + Opaque(number: 3)")
        #expect(text(old) { $0.items.removeFirst() } == "items[0]: − Opaque(number: 1)")
    }

    @Test func `arrays of arrays`() {
        #expect(text([[1, 2], [3]], [[1, 2], [3, 4]]) == "[1][1]: + 4")
    }

    @Test func `dictionaries by their keys, in order`() {
        let old = ["b": 1, "a": 1, "c": 1]
        #expect(text(old, ["a": 2, "c": 1, "d": 5]) == #"["a"]: 1 → 2, ["b"]: − 1, ["d"]: + 5"#)
        #expect(text([1: [1, 2]], [1: [1, 3]]) == "[1][1]: 2 → 3")
        #expect(text(["a": Opaque(number: 1)], ["a": Opaque(number: 2)]) == #"["a"].number: 1 → 2"#)
        #expect(text(Cart()) { $0.prices["x"] = 3 } == #"prices["x"]: + 3"#)
        #expect(text(["a": Int?.none], ["a": .some(1)]) == #"["a"]: nil → 1"#)
    }

    @Test func `collections of other makes by what they show of themselves`() {
        struct Deque: CustomReflectable {
            var items: [Int]
            var customMirror: Mirror { Mirror(self, unlabeledChildren: items, displayStyle: .collection) }
        }
        struct Table: CustomReflectable {
            var pairs: [(String, Int)]
            var customMirror: Mirror { Mirror(self, unlabeledChildren: pairs, displayStyle: .dictionary) }
        }
        #expect(text(Deque(items: [1, 2])) { $0.items[1] = 3 } == "[1]: 2 → 3")
        #expect(text(Deque(items: [1, 2])) { $0.items.append(9) } == "[2]: + 9")
        #expect(text(Deque(items: Array(0..<9))) { _ in } == "no change")
        #expect(text(Table(pairs: [("a", 1), ("b", 2)])) { $0.pairs[1].1 = 5 } == "[1].1: 2 → 5")
    }

    @Test func `sets by what came and went`() {
        #expect(text(["a", "b", "c"] as Set, ["c", "d", "e"]) == #"− "a", − "b", + "d", + "e""#)
    }

    #if os(Linux)
    // Elsewhere the type is newer than the oldest system that is supported.
    @Test func `elements of an inline array, where values are read in place`() {
        struct Fixed { var numbers: InlineArray<4, Int> = [1, 2, 3, 4], texts: InlineArray<2, String> = ["a", "b"], name = "x" }
        #expect(text(Fixed()) { $0.name = "y" } == #"name: "x" → "y""#)
        #expect(text([Fixed()]) { $0[0].name = "y" } == #"[0].name: "x" → "y""#)
        var changed = Fixed()
        changed.numbers[1] = 7
        changed.texts[0] = "acccccccccccccccccccc"
        let values = LogValues<Fixed, Void>().keepingLayouts()
        let texts = #"texts._storage[0]: "a" → "acccccccccccccccccccc""#
        #expect(values.text(ofChangesFrom: Fixed(), to: changed) == "numbers._storage[1]: 2 → 7, " + texts)
    }
    #endif

    @Test func `tuples, with labels and without`() {
        let old = Point(place: (1, 2), pair: (3, 4))
        #expect(text(old) { $0.place.y = 5 } == "place.y: 2 → 5")
        #expect(text(old) { $0.pair.1 = 5 } == "pair.1: 4 → 5")
    }

    @Test func `values of any type`() {
        let old = Loose(name: "a", any: 1)
        #expect(text(old) { $0.any = "x" } == #"any: 1 → "x""#)
        #expect(text(old) { $0.any = 2 } == "any: 1 → 2")
        #expect(text(old) { $0.any = Opaque(number: 1) } == "any: 1 → Opaque(number: 1)")
        #expect(text(old) { $0.call = { print() } } == "no change")
    }

    @Test func `objects that differ, with what they inherit`() {
        let old = Leaf(1)
        let new = Leaf(2)
        new.color = "blue"
        #expect(text(old, new) == #"color: "red" → "blue", value: 1 → 2"#)
        #expect(text(old, old) == "no change")
    }

    @Test func `objects in a circle`() {
        func ring(_ value: Int) -> Node {
            let first = Node(1)
            first.next = Node(value)
            first.next?.next = first
            return first
        }
        let (old, new) = (ring(2), ring(3))
        #expect(text(old, new) == "next.value: 2 → 3")
        old.next?.next = nil
        new.next?.next = nil
    }

    @Test func `values of the language and of Foundation are shown whole`() {
        #expect(text(1..<3, 1..<5) == "Range(1..<3) → Range(1..<5)")
        #expect(text(Duration.seconds(1), .seconds(2)) == "1.0 seconds → 2.0 seconds")
    }

    @Test func `sensitive values are seen to change and never shown`() {
        let old = Secret(name: "Ann", email: "ann@example.com")
        #expect(text(old) { $0.email = "eve@example.com" } == "email: *** → ***")
        #expect(text(old) { $0.name = "Eve" } == #"name: "Ann" → "Eve""#)
        #expect(text(Wallet(), Wallet(card: Card(number: "4111"))) == "card: nil → ***")
        #expect(text(Wallet(card: Card(number: "4111")), Wallet(card: Card(number: "4222"), name: "v")) == #"name: "w" → "v""#)
        #expect(text([Sensitive("a")], [Sensitive("a"), Sensitive("b")]) == "[1]: + ***")
        #expect(text(["k": Sensitive(1)], ["k": Sensitive(2)]) == #"["k"]: *** → ***"#)
        #expect(text([Sensitive("a"): 1], [Sensitive("a"): 2]) == "[***]: 1 → 2")
    }

    @Test func `equality of the type's own counts, and what only it sees is admitted`() {
        struct Lenient: Equatable {
            var shown = 1
            static func == (a: Lenient, b: Lenient) -> Bool { true }
        }
        struct Blind: Equatable, CustomReflectable {
            var hidden = 1
            var customMirror: Mirror { Mirror(self, children: []) }
        }
        #expect(text(Lenient(), Lenient(shown: 2)) == "no change")
        #expect(text(Blind(), Blind(hidden: 2)) == "changed, in what cannot be seen")
    }

    @Test func `keys and texts cannot break the line`() {
        #expect(text(["a\n\u{1B}[2J": 1], ["a\n\u{1B}[2J": 2]).allSatisfy { !$0.isNewline && $0 != "\u{1B}" })
        #expect(text("a", "b\r\n\u{202E}").unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
    }
}
