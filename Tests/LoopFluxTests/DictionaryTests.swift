import LoopFlux
import Testing

@Suite struct DictionaryTests {
    @Test func `getOrPut puts what is missing and keeps what is there`() {
        var counts: [String: Int] = [:]
        var calls = 0
        func made(_ value: Int) -> Int {
            calls += 1
            return value
        }
        #expect(counts.getOrPut("a", defaultValue: made(1)) == 1)
        #expect(counts == ["a": 1])
        #expect(counts.getOrPut("a", defaultValue: made(2)) == 1)
        #expect(counts["b", orPut: made(3)] == 3)
        #expect(counts["b", orPut: made(4)] == 3)
        #expect(counts == ["a": 1, "b": 3])
        #expect(calls == 2)
    }

    @Test func `a value that is known to be there needs no unwrapping`() {
        let counts = ["a": 1]
        let sum: Int = counts[unwrapping: "a"] + 1
        #expect(sum == 2)
        let missing: Int? = counts[unwrapping: "b"]
        #expect(missing == nil)
    }
}

/// Compares by rank alone, and is equal by both.
private struct Ranked: Comparable {
    let rank: Int
    let name: String
    static func < (a: Ranked, b: Ranked) -> Bool { a.rank < b.rank }
}

@Suite struct OrderedSetTests {
    /// All ways to insert the numbers 0 to 3 up to five times, against the standard library.
    @Test func `holds each element once, from least to greatest`() {
        for length in 0...5 {
            var inserted = Array(repeating: 0, count: length)
            while true {
                let set = OrderedSet(inserted)
                let expected = Set(inserted).sorted()
                #expect(Array(set) == expected)
                #expect(set.min() == expected.first && set.max() == expected.last)
                for element in 0...3 { #expect(set.contains(element) == expected.contains(element)) }
                for element in 0...3 { #expect(set.firstIndex(of: element) == expected.firstIndex(of: element)) }
                guard let place = inserted.lastIndex(where: { $0 < 3 }) else { break }
                inserted[place] += 1
                for later in inserted.indices where later > place { inserted[later] = 0 }
            }
        }
    }

    @Test func `says whether it put in or took away`() {
        var set: OrderedSet = [3, 1]
        #expect(set.insert(2) == true)
        #expect(set.insert(2) == false)
        #expect(set.insert(contentsOf: [1, 2]) == false)
        #expect(set.insert(contentsOf: [2, 4]) == true)
        #expect(set.remove(1) == true)
        #expect(set.remove(1) == false)
        #expect(Array(set) == [2, 3, 4])
    }

    @Test(arguments: [(0, nil, nil), (1, 10, 30), (2, 20, 20), (3, 30, 10), (4, nil, nil), (-1, nil, nil)] as [(Int, Int?, Int?)])
    func `counts from both ends`(k: Int, smallest: Int?, largest: Int?) {
        let set: OrderedSet = [20, 30, 10]
        #expect(set.kSmallest(k) == smallest)
        #expect(set.kLargest(k) == largest)
    }

    @Test func `elements of one rank stand in the order in which they came`() {
        var set = OrderedSet<Ranked>()
        for name in ["b", "a", "c"] { set.insert(Ranked(rank: 1, name: name)) }
        set.insert(Ranked(rank: 0, name: "z"))
        #expect(set.insert(Ranked(rank: 1, name: "a")) == false)
        #expect(set.map(\.name) == ["z", "b", "a", "c"])
        #expect(set.firstIndex(of: Ranked(rank: 1, name: "c")) == 3)
        set.remove(Ranked(rank: 1, name: "a"))
        #expect(set.map(\.name) == ["z", "b", "c"])
    }

    @Test func `is a value`() {
        let first: OrderedSet = [1]
        var second = first
        second.insert(2)
        #expect(first.count == 1)
        #expect(first != second)
    }
}
