import LoopLogging
import TestSupport
import Testing

/// States of megabytes: what is shown stays short, and what is not shown is admitted.
@Suite struct StateDiffBoundsTests {
    private static let many = isNight ? 1_000_000 : 100_000

    struct Opaque { var number: Int }
    struct Big { var numbers: [Int], text = "", opaque: [Opaque] = [], table: [Int: Int] = [:] }
    final class Chain { let next: Chain?, end: Int; init(_ next: Chain?, _ end: Int = 0) { (self.next, self.end) = (next, end) } }

    private func changes<Value>(_ old: Value, limit: Int = 256, _ change: (inout Value) -> Void) -> LogChanges {
        var new = old
        change(&new)
        return agreed(LogValues<Value, Void>(limit: limit)) { $0.changes(from: old, to: new) }
    }

    @Test func `one of very many numbers`() {
        let big = Big(numbers: Array(0..<Self.many))
        #expect(changes(big) { $0.numbers[77_777] = -1 }.text == "numbers[77777]: 77777 → -1")
        #expect(changes(big) { $0.numbers.remove(at: 50_000) }.text == "numbers[50000]: − 50000")
        #expect(changes(big) { $0.numbers.insert(7, at: 3) }.text == "numbers[3]: + 7")
    }

    @Test func `all of very many numbers`() {
        let found = changes(Big(numbers: Array(0..<Self.many))) { big in big.numbers = big.numbers.map { $0 + 1 } }
        #expect(found.shown.count + found.more >= 1 && found.shown.count <= 16)
        #expect(found.text.utf8.count < 4_000)
        let cleared = changes(Big(numbers: Array(0..<Self.many))) { $0.numbers = [] }
        #expect(cleared.shown.count == 16 && cleared.more == Self.many - 16)
        let replaced = changes(Big(numbers: Array(0..<Self.many))) { $0.numbers = Array(-10..<0) }
        #expect(replaced.text == "numbers: \(Self.many) of \(Self.many) elements replaced by 10")
        let moved = changes(Big(numbers: Array(0..<100_000))) { big in big.numbers.swapAt(0, 99_999) }
        #expect(moved.text == "numbers[0]: 0 → 99999, numbers[99999]: 99999 → 0")
    }

    @Test func `values without an equality end the comparison in time`() {
        let found = changes(Big(numbers: [], opaque: (0..<300_000).map(Opaque.init))) { $0.opaque[299_999].number = -1 }
        #expect(!found.isComplete)
        #expect(found.text.hasSuffix("… the rest was not compared"))
        let early = changes(Big(numbers: [], opaque: (0..<300_000).map(Opaque.init))) { $0.opaque[2].number = -1 }
        #expect(early.text == "opaque[2].number: 2 → -1, … the rest was not compared")
        #expect(!early.isComplete)
        #expect(!changes(Big(numbers: [], opaque: (0..<300_000).map(Opaque.init))) { $0.opaque.append(Opaque(number: 1)) }.isComplete)
    }

    @Test func `large dictionaries`() {
        let table = Dictionary(uniqueKeysWithValues: (0..<50_000).map { ($0, $0) })
        #expect(changes(Big(numbers: [], table: table)) { $0.table[77] = 0 }.text == "table[77]: 77 → 0")
        let all = changes(Big(numbers: [], table: table)) { big in big.table = big.table.mapValues { $0 + 1 } }
        #expect(all.shown.count == 16 && all.more == 50_000 - 16)
        let larger = Dictionary(uniqueKeysWithValues: (0..<100_000).map { ($0, $0) })
        #expect(changes(Big(numbers: [], table: larger)) { $0.table[100_000] = 0 }.text == "table: changed, 100000 → 100001 entries")
        #expect(changes(Big(numbers: [], table: larger)) { $0.table[5] = 0 }.text == "table: changed, 100000 entries")
        #expect(changes(Set(0..<100_000)) { $0.insert(-1) }.text == "changed, 100000 → 100001 entries")
    }

    @Test func `dictionaries of values without an equality end the comparison in time`() {
        let table = Dictionary(uniqueKeysWithValues: (0..<60_000).map { ($0, Opaque(number: $0)) })
        let found = changes(table) { $0[60_000] = Opaque(number: -1) }
        #expect(found.shown.contains { $0.path.hasPrefix("[60000]") } && !found.isComplete)
        #expect(changes(table.filter { $0.key < 100 }) { $0[7]?.number = -7 }.text == "[7].number: 7 → -7")
    }

    @Test func `a long text is shown from where it begins to differ`() {
        let long = String(repeating: "0123456789", count: isNight ? 100_000 : 20_000)
        let found = changes(Big(numbers: [], text: long + "abc")) { $0.text = long + "xyz" }
        #expect(found.text == #"text: …"890123456789abc" → …"890123456789xyz""#)
        let grown = changes(Big(numbers: [], text: long)) { $0.text += String(repeating: "é", count: 5_000) }
        #expect(grown.shown.count == 1)
        #expect(grown.text.unicodeScalars.count < 700)
    }

    @Test func `a limit below zero is a limit of zero`() {
        let same = String(repeating: "x", count: 40)
        func text(_ limit: Int) -> String {
            agreed(LogValues<String, Void>(limit: limit)) { $0.text(ofChangesFrom: same + "a", to: same + "b") }
        }
        #expect(text(-5) == text(0))
    }

    @Test func `so many changes are shown and the others counted`() {
        let found = LogValues<[Int], Void>().changes(from: Array(0..<40), to: Array((0..<40).map { $0 + 100 }), max: 3)
        #expect(found.text == "[0]: 0 → 100, [1]: 1 → 101, [2]: 2 → 102, … 37 more")
        let wide = LogValues<[String], Void>(limit: 10).changes(from: [], to: [String(repeating: "x", count: 1_000)])
        #expect(wide.text == #"[0]: + "xxxxxxxxx…"#)
    }

    @Test func `depth ends the comparison`() {
        func chain(_ end: Int) -> Chain { (0..<200).reduce(Chain(nil, end)) { next, _ in Chain(next) } }
        let found = LogValues<Chain, Void>().changes(from: chain(1), to: chain(2))
        #expect(found.shown.isEmpty && !found.isComplete)
        #expect(found.text == "… the rest was not compared")
    }

    @Test func `an unchanged state of megabytes costs nothing that shows`() {
        let big = Big(numbers: Array(0..<1_000_000), text: String(repeating: "x", count: 1_000_000))
        for _ in 0..<200 { #expect(changes(big) { _ in }.isEmpty) }
    }
}
