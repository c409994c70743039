import EventFiles
import Testing
import TrackingEvents

@testable import Funnels

@Suite("Property catalogue")
struct PropertyCatalogueTests {
    private func catalogue(_ lines: [TestLine], _ run: PropertyRun = PropertyRun(name: "a"), batchSize: Int = 3) -> PropertyCatalogue {
        var accumulator = PropertyAccumulator(run)
        TestPass.read(lines, batchSize) {
            PropertyBatch(run, expecting: $0)
        } consume: {
            accumulator.take($0)
        }
        return accumulator.answer(ReadResult())
    }

    private func key(_ title: String, _ catalogue: PropertyCatalogue) throws -> PropertyCatalogue.Key {
        try #require(catalogue.keys.first { $0.title == title })
    }

    @Test("short values of two properties of one event are not taken for each other", arguments: 1...40)
    func neighbours(number: Int) throws {
        // A fault once mixed the path's seed into the bits of a short text, so that `items` 3 counted as `coupons` 2.
        let lines = (0..<8).map {
            TestLine("a", Int64($0), props: "{\"items\":\(number),\"coupons\":\(number ^ Int($0)),\"more\":\"\($0)\"}")
        }
        let found = catalogue(lines, batchSize: 8)
        #expect(found.keys.map(\.present) == [8, 8, 8])
        #expect(try key("coupons", found).distinct == 8 && key("more", found).distinct == 8 && key("items", found).distinct == 1)
    }

    @Test("keys, kinds and values of one event, however the lines are divided", arguments: 1...7)
    func everything(batchSize: Int) throws {
        let lines = [
            TestLine("a", 1, id: "1", props: #"{"plan":"pro","price":10,"sale":true,"tags":["x"],"where":{"city":"Rome","far":{"x":1}}}"#),
            TestLine("a", 2, id: "2", props: #"{"plan":"free","price":9.5,"sale":null,"where":{"city":"Rome"}}"#),
            TestLine("a", 3, id: "2", props: #"{"plan":"twice"}"#), TestLine("b", 4, props: #"{"plan":"not mine"}"#),
            TestLine("a", 5, user: "", props: #"{"plan":"pro","price":-1.5e3,"where":"here"}"#), TestLine("a", 6),
            TestLine("session_started", 7, kind: .meta, props: #"{"app":"x"}"#),
        ]
        let found = catalogue(lines, batchSize: batchSize)
        #expect(found.events == 4 && found.input.events == 6 && found.input.duplicates == 1 && found.input.withoutKey == 1)
        #expect(found.keys.map(\.title) == ["plan", "price", "where", "sale", "where.city", "tags", "where.far", "where.far.x"])
        #expect(found.keys.map(\.present) == [3, 3, 3, 2, 2, 1, 1, 1])
        let plan = try key("plan", found)
        #expect(plan.kinds == [.string: 3] && plan.distinct == 2 && plan.isDistinctExact && plan.areTopExact)
        #expect(plan.top == [.init(text: "pro", kind: .string, count: 2), .init(text: "free", kind: .string, count: 1)])
        let price = try key("price", found)
        #expect(price.kinds == [.int: 1, .double: 2] && price.distinct == 3 && price.minimum == -1500 && price.maximum == 10)
        #expect(try key("sale", found).kinds == [.bool: 1, .null: 1] && key("sale", found).distinct == 1)
        #expect(try key("where", found).kinds == [.object: 2, .string: 1])
        #expect(try key("tags", found).kinds == [.array: 1] && key("tags", found).distinct == 0)
        #expect(found.unseenName == nil && !found.hasMoreKeys)
    }

    @Test(
        "a long text is shown up to its last whole character, and is counted by all of its text",
        arguments: [(1024, "", 1024), (1023, "é", 1023), (1022, "é", 1024), (1021, "😀", 1021), (1022, "😀", 1022), (1020, "😀", 1024)])
    func longTexts(letters: Int, last: String, shown: Int) throws {
        let text = String(repeating: "a", count: letters) + last
        let found = try key(
            "x",
            catalogue([
                TestLine("a", 1, props: #"{"x":"\#(text)one"}"#), TestLine("a", 2, props: #"{"x":"\#(text)two"}"#),
                TestLine("a", 3, props: #"{"x":"\#(text)two"}"#),
            ]))
        #expect(found.distinct == 2 && found.top.map(\.count) == [2, 1])
        for value in found.top { #expect(value.text.utf8.count == shown && text.hasPrefix(value.text)) }
        // A text that fits is whole, whether it is written with escapes or not.
        let whole = String(repeating: "é", count: 512)
        for written in [whole, String(repeating: #"\u00e9"#, count: 512)] {
            #expect(try key("x", catalogue([TestLine("a", 1, props: #"{"x":"\#(written)"}"#)])).top.map(\.text) == [whole])
        }
    }

    @Test func `keys that look alike stand in the order of their bytes, whichever line came first`() {
        let lines = ["\u{EB}", "e\u{308}"].map { TestLine("a", 1, props: "{\"\($0)\":1}") }
        for lines in [lines, lines.reversed()] {
            #expect(catalogue(lines).keys.map { Array($0.path[0].utf8) } == [Array("e\u{308}".utf8), Array("\u{EB}".utf8)])
        }
    }

    @Test func `values of different kinds are different, and equally frequent ones are sorted by text`() throws {
        let lines = [#"{"x":1}"#, #"{"x":"1"}"#, #"{"x":true}"#, #"{"x":"true"}"#, #"{"x":1.0}"#, #"{"x":"b"}"#].enumerated().map {
            TestLine("a", Int64($0.offset), props: $0.element)
        }
        let x = try key("x", catalogue(lines, PropertyRun(name: "a", top: 10)))
        #expect(x.distinct == 6)
        #expect(
            x.top.map(\.text) == ["1", "1", "1.0", "b", "true", "true"]
                && x.top.map(\.kind) == [.string, .int, .double, .string, .string, .bool])
    }

    @Test func `of a key that stands twice the last value counts, as it does for property tests`() throws {
        let found = catalogue([TestLine("a", 1, props: #"{"x":1,"x":"two"}"#), TestLine("a", 2, props: #"{"x":3}"#)])
        #expect(try key("x", found).kinds == [.string: 1, .int: 1] && key("x", found).present == 2)
        // The keys inside the first value are gone with it.
        let replaced = catalogue([TestLine("a", 1, props: #"{"q":{"k":1},"q":2,"o":{"k":1},"o":{"l":{"m":2}}}"#)])
        #expect(replaced.keys.map(\.title).sorted() == ["o", "o.l", "o.l.m", "q"])
    }

    @Test(
        "properties that are not JSON are left out, and their event counts",
        arguments: ["", "{", #"{"x":}"#, #"{"x":1,"y"}"#, #"{"o":{"x":1},"y":nul}"#, "[1]", "7"])
    func malformed(props: String) {
        let found = catalogue([TestLine("a", 1, props: props), TestLine("a", 2, props: #"{"z":1}"#)])
        #expect(found.events == 2 && found.keys.map(\.title) == ["z"])
    }

    @Test func `escapes are undone, hostile keys are quoted as the grammar wants them`() throws {
        let found = catalogue([
            TestLine("a", 1, props: #"{"a.b":"\u0041\n","x>y":{"":1}}"#), TestLine("a", 2, props: #"{"a\u002eb":"A\n"}"#),
        ])
        #expect(Set(found.keys.map(\.title)) == [#""a.b""#, #""x>y""#, #""x>y".''"#.replacingQuotes])
        #expect(try key(#""a.b""#, found).top == [.init(text: "A\n", kind: .string, count: 2)])
    }

    @Test func `time chooses events`() throws {
        let lines = (0..<10).map { TestLine("a", $0, props: #"{"t":\#($0)}"#) }
        let found = catalogue(lines, PropertyRun(name: "a", range: try TimeRange(since: 3, until: 7)))
        #expect(found.events == 4)
        #expect(try key("t", found).minimum == 3 && key("t", found).maximum == 6)
        #expect(throws: FunnelDefinitionError.emptyTimeRange(since: 7, until: 7)) { try TimeRange(since: 7, until: 7) }
    }

    @Test func `a name that no event has is told with the nearest`() {
        #expect(catalogue([TestLine("cart_added", 1)], PropertyRun(name: "cart_aded")).unseenName?.nearest == "cart_added")
        // A name that an event has is not told.
        #expect(catalogue([TestLine("a", 1)]).unseenName == nil)
    }

    @Test func `where no session begins in the range, the line that begins one is still known`() throws {
        let lines = [TestLine("session_started", 1, session: "s", kind: .meta, props: #"{"app":"x"}"#), TestLine("a", 9, session: "s")]
        for range in [TimeRange.all, try TimeRange(since: 5, until: nil)] {
            var run = PropertyRun.sessions
            run.range = range
            let found = catalogue(lines, run)
            #expect(found.events == (range == .all ? 1 : 0) && found.unseenName == nil)
            #expect(catalogue([lines[1]], run).unseenName?.name == "session_started")
        }
    }

    @Test func `a long value is cut between characters, and long ones that differ late are different`() throws {
        let long = String(repeating: "é", count: 600)
        let lines = ["x", "y"].enumerated().map { TestLine("a", Int64($0.offset), props: #"{"s":"\#(long)\#($0.element)"}"#) }
        let s = try key("s", catalogue(lines))
        #expect(s.distinct == 2 && s.top.allSatisfy { $0.text == String(repeating: "é", count: 512) })
    }

    @Test func `a catalogue says that there are more keys than it lists`() {
        let lines = (0..<1100).map { TestLine("a", Int64($0), props: #"{"k\#($0)":1}"#) }
        for batchSize in [50, 2000] {
            let found = catalogue(lines, batchSize: batchSize)
            #expect(found.keys.count == PropertyCatalogue.keyLimit && found.hasMoreKeys)
        }
    }

    @Test func `objects within objects are followed to a fixed depth`() {
        let deep = (0..<60).reduce("1") { inner, level in #"{"k\#(level)":\#(inner)}"# }
        let found = catalogue([TestLine("a", 1, props: deep)])
        #expect(found.keys.count == PathTable.depthLimit && found.keys.allSatisfy { $0.kinds == [.object: 1] })
    }

    @Test func `the number of very many values is estimated, and the frequent ones are found`() throws {
        var random = SeededRandom(seed: 7)
        var lines: [TestLine] = []
        for number in 0..<60_000 {
            lines.append(
                TestLine("a", Int64(number), props: #"{"id":"\#(number)","word":"\#(number % 5 == 0 ? "often" : String(random.next()))"}"#))
        }
        let found = catalogue(lines, batchSize: 5000)
        let id = try key("id", found)
        #expect(!id.isDistinctExact && abs(Double(id.distinct) - 60_000) < 60_000 * 0.05)
        #expect(id.top.isEmpty && !id.areTopExact)
        let word = try key("word", found)
        #expect(word.top.first?.text == "often" && !word.areTopExact)
        let count = try #require(word.top.first?.count)
        #expect(count <= 12_000 && count > 11_900)
    }
}

extension String {
    /// With `"` for each `'`.
    fileprivate var replacingQuotes: String { String(map { $0 == "'" ? "\"" : $0 }) }
}

@Suite("Counting different values")
struct DistinctCounterTests {
    @Test("exact up to the limit, within five per cent beyond it", arguments: [0, 1, 1000, 4096, 4097, 50_000, 400_000])
    func estimate(count: Int) {
        var counter = DistinctCounter()
        var random = SeededRandom(seed: UInt64(count) + 1)
        for _ in 0..<count {
            let fingerprint = random.next()
            counter.insert(Fingerprint(high: 0, low: fingerprint), limit: 4096)
            counter.insert(Fingerprint(high: 0, low: fingerprint), limit: 4096)
        }
        #expect(counter.isExact == (count <= 4096))
        #expect(abs(counter.count - count) <= (count <= 4096 ? 0 : count / 20))
    }

    @Test func `the order changes nothing`() {
        var random = SeededRandom(seed: 3)
        let fingerprints = (0..<20_000).map { _ in random.next() }
        let counts = [fingerprints, fingerprints.reversed(), fingerprints.sorted(), fingerprints.shuffled(using: &random)].map { order in
            var counter = DistinctCounter()
            for fingerprint in order { counter.insert(Fingerprint(high: 0, low: fingerprint), limit: 500) }
            return counter.count
        }
        #expect(Set(counts).count == 1)
    }
}

@Suite("Frequent values")
struct ValueTallyTests {
    @Test("no count is too high, and none is too low by more than `missed`", arguments: 1...20)
    func bounds(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var tally = ValueTally()
        var truth: [UInt64: Int] = [:]
        for _ in 0..<5000 {
            // Small numbers are much more frequent.
            let value = UInt64.random(in: 0...UInt64.random(in: 1...400, using: &random), using: &random) + 1
            let count = Int.random(in: 1...3, using: &random)
            truth[value, default: 0] += count
            tally.add(
                .init(path: 0, kind: .int, fingerprint: Fingerprint(high: 0, low: value), text: Array("\(value)".utf8)), count: count,
                limit: 20)
        }
        #expect(tally.missed > 0)
        let told = tally.top(1000)
        #expect(told.count <= 40)
        for value in told {
            let real = truth[UInt64(value.text) ?? 0] ?? 0
            #expect(value.count <= real && value.count + tally.missed >= real)
        }
        // Every value that is more frequent than twice `missed` is told.
        for (value, count) in truth where count > tally.missed * 2 { #expect(told.contains { $0.text == "\(value)" }) }
    }
}
