import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct SeenIDsTests {
    /// A batch of ids as a reader makes it. An empty text stands for a line without an id.
    private struct Batch {
        var ids: [Fingerprint] = []
        var span = IDSpan()

        init(_ texts: some Sequence<String>, knowsTexts: Bool = true) {
            for text in texts {
                ids.append(text.isEmpty ? .none : .of(text))
                if text.isEmpty { continue }
                span.note(knowsTexts ? Array(text.utf8).withUnsafeBytes { IDSpan.beginning(of: $0) } : 0)
            }
        }
    }

    /// The places of the repeated ids of each batch.
    private func repeated(_ batches: [[String]], knowsTexts: Bool = true) -> [[Int]] {
        var seen = SeenIDs()
        return batches.map { texts in
            let batch = Batch(texts, knowsTexts: knowsTexts)
            var places: [Int] = []
            seen.insert(batch.ids, in: batch.span) { places.append($0) }
            return places
        }
    }

    @Test(
        "an id counts once, whether batches lie apart, overlap, or come in any order",
        arguments: [
            ([], []), ([[]], [[]]), ([["", ""]], [[]]), ([["a"], ["b"], ["c"]], [[], [], []]), ([["a", "b", "a"]], [[2]]),
            ([["a", "b"], ["b", "c"], ["c", "d"]], [[], [0], [0]]), ([["c"], ["b"], ["a"], ["a", "b", "c"]], [[], [], [], [0, 1, 2]]),
            ([["a"], ["b"], ["c"], ["b"]], [[], [], [], [0]]), ([["a", "z"], ["m"], ["n"], ["m", "n", "a"]], [[], [], [], [0, 1, 2]]),
            ([["a"], ["", "a", ""], ["b", "", "b", "b"]], [[], [1], [2, 3]]),
            ([["a"], ["d"], ["b", "c"], ["e"], ["c"]], [[], [], [], [], [0]]),
            // These ids are alike in their first sixteen bytes.
            ([["0193d5a0-7c11-7abc"], ["0193d5a0-7c11-7abd"], ["0193d5a0-7c11-7abc"]], [[], [], [0]]),
            ([["a\0"], ["a"], ["a\0\0"], ["a"]], [[], [], [], [0]]),
        ] as [([[String]], [[Int]])])
    func once(batches: [[String]], expected: [[Int]]) {
        #expect(repeated(batches) == expected)
        #expect(repeated(batches, knowsTexts: false) == expected)
    }

    @Test("batches of any spans have the repetitions that a set finds", arguments: 0..<12 as Range<UInt64>)
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        // Times rise, as of one writer, up to a jitter that the seed decides. With every fourth seed any id may reach far back.
        let (jitter, reach) = ([1, 40, 4_000][Int(seed % 3)], seed % 4 == 3 ? 100_000 : 0)
        var time = 1_000_000
        let batches = (0..<60).map { _ in
            (0..<Int.random(in: 0...120, using: &random)).map { _ in
                time += Int.random(in: 0...20, using: &random)
                let at = time - Int.random(in: 0..<jitter, using: &random) - (reach == 0 ? 0 : Int.random(in: 0...reach, using: &random))
                return random.next() % 50 == 0 ? "" : "\(at)-0000-7000-8000"
            }
        }
        var known: Set<String> = []
        let expected = batches.map { batch in batch.indices.filter { !batch[$0].isEmpty && !known.insert(batch[$0]).inserted } }
        #expect(expected.contains { !$0.isEmpty })
        #expect(repeated(batches) == expected)
        #expect(repeated(batches, knowsTexts: false) == expected)
    }

    @Test("batches with and without known texts are counted together, whenever room is reserved", arguments: 0..<6 as Range<UInt64>)
    func mixed(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var seen = SeenIDs()
        var known: Set<String> = []
        var time = 1_000_000
        for _ in 0..<80 {
            let texts = (0..<40).map { _ in
                time += 1
                return random.next() % 20 == 0 ? "\(Int.random(in: 1_000_000...time, using: &random))-id" : "\(time)-id"
            }
            let batch = Batch(texts, knowsTexts: random.next() % 3 != 0)
            if random.next() % 10 == 0 { seen.reserve(500) }
            var places: [Int] = []
            seen.insert(batch.ids, in: batch.span) { places.append($0) }
            #expect(places == texts.indices.filter { !known.insert(texts[$0]).inserted })
        }
    }

    @Test("each repetition in a batch is found, however many there are", arguments: [1, 63, 64, 65, 400])
    func repetitions(count: Int) {
        let texts = (0..<1_000).map { "id-\(10_000 + $0)" } + (0..<count).map { "id-\(10_000 + $0 * 2)" }
        let expected = [Array(1_000..<1_000 + count), [0], []]
        #expect(repeated([texts, ["id-10500", "id-99999"], ["id-99999-9"]]) == expected)
    }

    @Test func `the ids of a batch that has few of them are counted`() {
        let texts = (0..<3_000).map { $0 % 100 == 0 ? "id-\(10_000 + $0)" : "" }
        #expect(repeated([texts, ["id-20000"], texts]) == [[], [], texts.indices.filter { $0 % 100 == 0 }])
    }

    @Test func `a batch larger than any of a reader is counted like others`() {
        let texts = (0..<100_001).map { "id-\(200_000 + $0)" }
        #expect(repeated([texts + ["id-200007"], ["id-300000"], ["id-300001"]]) == [[100_001], [0], []])
    }

    @Test func `a batch with many repetitions is counted like one with few`() {
        let texts = (0..<5_000).map { "id-\(10_000 + $0 / 5)" }
        let places = texts.indices.filter { $0 % 5 != 0 }
        #expect(repeated([texts, ["id-09999", "id-10999"], ["id-20000"]]) == [places, [1], []])
    }

    @Test(
        "the numbers made of ids' first bytes have the order of those bytes",
        arguments: [
            ("", "a"), ("a", "b"), ("a", "aa"), ("0193d5a0-7c11-7a", "0193d5a0-7c12-70"), ("Z", "a"), ("a", "é"),
            ("aaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaa"), ("a", "aaaaaaaaaaaaaaaaaaaaaaaa"),
        ])
    func order(smaller: String, larger: String) {
        func beginning(_ text: String) -> UInt128 { Array(text.utf8).withUnsafeBytes { IDSpan.beginning(of: $0) } }
        #expect(beginning(smaller) < beginning(larger))
    }
}
