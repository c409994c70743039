import Basics
import EventFiles
import Testing
import TrackingEvents

@testable import Funnels

@Suite("Paths")
struct PathsTests {
    private func paths(_ lines: [TestLine], _ definition: PathsDefinition, batchSize: Int = 3) -> EventPaths {
        var accumulator = PathsAccumulator(definition)
        let key = KeyReader(definition.key)
        TestPass.read(lines, batchSize) {
            CatalogueBatch(key, joins: definition.joins, expecting: $0)
        } consume: {
            accumulator.take($0)
        }
        return accumulator.answer(ReadResult())
    }

    /// The tree as text: `b 2 (c 1 ($ 1), $ 1)`, where `$` is the end.
    private func text(_ nodes: [EventPaths.Node]) -> String {
        nodes.map { node in
            let name =
                switch node.place {
                case .event(let name): name
                case .end: "$"
                case .other(let names): "other\(names)"
                }
            return "\(name) \(node.count)" + (node.next.isEmpty ? "" : " (\(text(node.next)))")
        }.joined(separator: ", ")
    }

    /// Each text is one user's events, a second apart: `a b c`. A `.` is a second without an event.
    private func lines(_ users: [String]) -> [TestLine] {
        users.enumerated().flatMap { user, names in
            names.split(separator: " ").enumerated().filter { $0.element != "." }
                .map { TestLine(String($0.element), Int64($0.offset) * 1000, user: "u\(user)") }
        }
    }

    @Test("what comes next, the most frequent first, however the lines are divided", arguments: [1, 2, 5, 100])
    func tree(batchSize: Int) {
        let found = paths(lines(["a b c d e", "a b", "x a c", "a", "b c"]), PathsDefinition(from: "a", depth: 2), batchSize: batchSize)
        #expect(found.starts == 4)
        #expect(text(found.next) == "b 2 (c 1, $ 1), c 1 ($ 1), $ 1")
        #expect(found.next.map(\.ofStarts) == [0.5, 0.25, 0.25] && found.next[0].next.map(\.ofPrevious) == [0.5, 0.5])
        #expect(found.next[0].fromPrevious?.p50 == 1000 && found.next[2].fromPrevious == nil)
    }

    @Test(arguments: [
        (PathsDefinition.Count.users, false, "a 1 (b 1 (a 1 (c 1)))"), (.users, true, "b 1 (a 1 (c 1 ($ 1)))"),
        (.attempts, false, "a 1 (b 1 (a 1 (c 1))), b 1 (a 1 (c 1 ($ 1))), c 1 ($ 1)"),
        (.attempts, true, "b 2 (a 2 (c 2 ($ 2))), c 1 ($ 1)"),
    ])
    func `a key starts once or at each start, and repeats stay or merge`(count: PathsDefinition.Count, merges: Bool, expected: String) {
        let found = paths(lines(["a a b a c"]), PathsDefinition(from: "a", depth: 4, count: count, mergesRepeats: merges))
        #expect(text(found.next) == expected)
        #expect(found.starts == (count == .users ? 1 : 3))
    }

    @Test(arguments: [PathsDefinition.Direction.after, .before])
    func `each start of a long run of one event costs no more than a start of a short one`(direction: PathsDefinition.Direction) {
        let definition = PathsDefinition(from: "a", direction: direction, count: .attempts, mergesRepeats: true)
        /// The least processor time of this thread in several runs: what else the machine does makes one dearer, never cheaper.
        func cost(_ count: Int) -> Int64 {
            let events = (0..<count).map { PathEvent(time: Int64($0), name: 0) }
            var least = Int64.max
            for _ in 0..<3 {
                var follower = PathFollower(definition, from: 0, names: [Array("a".utf8)], dataEnd: 0)
                let start = systemNanoseconds(CLOCK_THREAD_CPUTIME_ID)
                events.withUnsafeBufferPointer { follower.follow($0) }
                least = min(least, systemNanoseconds(CLOCK_THREAD_CPUTIME_ID) - start)
            }
            return least
        }
        // 16 times as many starts. If each walked through the rest of the run, it would cost 256 times as much.
        #expect(cost(8_000) < cost(500) * 80)
    }

    @Test(arguments: 0..<60 as Range<UInt64>) func `merged repeats are passed over from every start, in both directions`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let names = (0..<30).map { _ in ["a", "b", "c"].randomElement(using: &random) ?? "a" }
        let direction = seed % 2 == 0 ? PathsDefinition.Direction.after : .before
        let window = Int64.random(in: 0...9, using: &random) * 1000
        var expected: [String: Int] = [:]
        for start in names.indices where names[start] == "a" {
            let others = direction == .after ? Array(start + 1..<names.count) : (0..<start).reversed()
            var path = ["a"]
            for other in others where path.count < 4 && Int64(abs(other - start)) * 1000 <= window && names[other] != path[path.count - 1] {
                path.append(names[other])
                expected[path.joined(), default: 0] += 1
            }
            if path.count < 4 { expected[path.joined() + "$", default: 0] += 1 }
        }
        var found: [String: Int] = [:]
        func note(_ nodes: [EventPaths.Node], after path: String) {
            for node in nodes {
                let name = if case .event(let name) = node.place { name } else { "$" }
                found[path + name] = node.count
                note(node.next, after: path + name)
            }
        }
        let definition = PathsDefinition(from: "a", direction: direction, windowMilliseconds: window, count: .attempts, mergesRepeats: true)
        note(paths(lines([names.joined(separator: " ")]), definition).next, after: "a")
        #expect(found == expected)
    }

    @Test(arguments: [(Int64(0), "$ 1"), (1999, "b 1 ($ 1)"), (2000, "b 1 (c 1 ($ 1))"), (.max, "b 1 (c 1 (d 1))")])
    func `the window is measured from the start and includes its end`(window: Int64, expected: String) {
        #expect(text(paths(lines(["a b c d"]), PathsDefinition(from: "a", windowMilliseconds: window)).next) == expected)
    }

    @Test func `within a millisecond the start comes first and the rest by name, whatever the order of the lines`() {
        var random = SeededRandom(seed: 5)
        let all = ["z", "m", "c", "b"].map { TestLine($0, 7) } + [TestLine("early", 6)]
        for _ in 0..<20 {
            let found = paths(all.shuffled(using: &random), PathsDefinition(from: "m", depth: 5))
            #expect(text(found.next) == "b 1 (c 1 (z 1 ($ 1)))")
        }
    }

    @Test func `the time range chooses starts, not what follows`() throws {
        let definition = PathsDefinition(from: "a", range: try TimeRange(since: 1000, until: 3000))
        #expect(text(paths(lines(["a b a c d e"]), definition).next) == "c 1 (d 1 (e 1))")
        #expect(paths(lines(["a b c a"]), definition).starts == 0)
    }

    @Test func `rare events are put together, with their times, and the end stays apart`() {
        let all = lines(["a b", "a b", "a b", "a c", "a c", "a d", "a e", "a", "a"])
        #expect(text(paths(all, PathsDefinition(from: "a", depth: 1, top: 2)).next) == "b 3, c 2, other2 2, $ 2")
        let byShare = paths(all, PathsDefinition(from: "a", depth: 1, leastShare: 0.2))
        #expect(text(byShare.next) == "b 3, c 2, other2 2, $ 2" && byShare.next[2].fromPrevious?.n == 2)
        #expect(text(paths(all, PathsDefinition(from: "a", depth: 1)).next) == "b 3, c 2, d 1, e 1, $ 2")
    }

    @Test func `duplicates count once, events without a key are left out and counted, meta lines are no events`() {
        let found = paths(
            [
                TestLine("a", 0, id: "1"), TestLine("b", 1, id: "2"), TestLine("b", 2, id: "2"), TestLine("c", 3, user: ""),
                TestLine("session_started", 1, kind: .meta), TestLine("d", 4),
            ], PathsDefinition(from: "a"))
        #expect(text(found.next) == "b 1 (d 1 ($ 1))")
        #expect(found.input.duplicates == 1 && found.input.withoutKey == 1 && found.input.events == 5)
    }

    @Test func `the key can be the session or a property`() {
        let all = [
            TestLine("a", 0, user: "u", session: "s1", props: #"{"cart":7}"#),
            TestLine("b", 1, user: "u", session: "s2", props: #"{"cart":7}"#),
            TestLine("c", 2, user: "v", session: "s1"),
        ]
        #expect(text(paths(all, PathsDefinition(from: "a", key: .session)).next) == "c 1 ($ 1)")
        #expect(text(paths(all, PathsDefinition(from: "a", key: .property(["cart"]))).next) == "b 1 ($ 1)")
    }

    @Test func `an anonymous id and the user it became are one, wherever the line stands, unless that is turned off`() {
        let all = [
            TestLine("a", 0, user: "a-1"), TestLine("b", 1, user: "u"), TestLine("c", 2, user: "a-1"),
            TestLine("identified", 1, user: "u", kind: .meta, props: #"{"anonymous":"a-1"}"#),
        ]
        #expect(text(paths(all, PathsDefinition(from: "a")).next) == "b 1 (c 1 ($ 1))")
        #expect(text(paths(all.reversed(), PathsDefinition(from: "a")).next) == "b 1 (c 1 ($ 1))")
        #expect(text(paths(all, PathsDefinition(from: "a", identify: false)).next) == "c 1 ($ 1)")
        #expect(text(paths(all, PathsDefinition(from: "a", key: .session)).next) == "")
    }

    @Test func `paths whose window goes beyond the data are told as open`() {
        // The data ends at 9,000.
        let all = lines(["a . . b", ". . . . . . . . . x", ". . . . . . . a"])
        #expect(paths(all, PathsDefinition(from: "a", windowMilliseconds: 3000)).windowOpen == 1)
        #expect(paths(all, PathsDefinition(from: "a", windowMilliseconds: 2000)).windowOpen == 0)
        #expect(paths(all, PathsDefinition(from: "a", windowMilliseconds: 60_000)).windowOpen == 2)
        #expect(paths(all, PathsDefinition(from: "a", windowMilliseconds: 60_000, depth: 1)).windowOpen == 1)
    }

    @Test func `one wrong clock closes no window`() {
        let (second, day) = (1000 as Int64, 86_400_000 as Int64)
        let all = (0..<1001).map { TestLine($0 == 1000 ? "a" : "b", Int64($0) * second) } + [TestLine("b", 400 * day, user: "wrong")]
        let found = paths(all, PathsDefinition(from: "a", windowMilliseconds: 2 * second))
        #expect(found.windowOpen == 1 && found.input.dataEnd?.eventsBehind == 1)
        #expect(found.input.dataEnd?.milliseconds == 1000 * second)
        // A path that begins after the end of the data is open, too.
        let wrong = Array(all.dropLast()) + [TestLine("a", 400 * day, user: "wrong")]
        #expect(paths(wrong, PathsDefinition(from: "a", windowMilliseconds: 2 * second)).windowOpen == 2)
    }

    @Test func `a name that no event has is told with the nearest, and there are no paths`() {
        let found = paths(lines(["cart_added b"]), PathsDefinition(from: "cart_aded"))
        #expect(found.starts == 0 && found.next.isEmpty && found.unseenName == UnseenName(name: "cart_aded", nearest: "cart_added"))
        #expect(paths([], PathsDefinition(from: "a")).unseenName?.nearest == nil)
    }

    @Test func `a backward path has what came before, the nearest first, up to the key's first event`() {
        let before = PathsDefinition(from: "d", direction: .before, depth: 2)
        let found = paths(lines(["a b c d e", "c d", "b c d", "d a", "x"]), before)
        #expect(found.starts == 4)
        #expect(text(found.next) == "c 3 (b 2, $ 1), $ 1")
        #expect(found.next[0].fromPrevious?.p50 == 1000)
        // Where a key has the start twice, the first counts.
        #expect(text(paths(lines(["a d b d"]), before).next) == "a 1 ($ 1)")
        // A window that begins before the data does is open: events may be missing from it.
        #expect(found.windowOpen == 2)
        #expect(
            paths(lines(["a b c d e", "c d"]), PathsDefinition(from: "d", direction: .before, windowMilliseconds: 1000)).windowOpen == 0)
    }

    @Test func `backwards within a millisecond the start comes last, whatever the order of the lines`() {
        let all = ["a", "m", "z"].map { TestLine($0, 5) } + [TestLine("b", 4)]
        var random = SeededRandom(seed: 3)
        for _ in 0..<6 {
            let found = paths(all.shuffled(using: &random), PathsDefinition(from: "m", direction: .before, depth: 5))
            #expect(text(found.next) == "z 1 (a 1 (b 1 ($ 1)))")
        }
    }

    /// Counts the paths of each user as a list of names, in the plainest way.
    private func oracle(_ lines: [TestLine], _ definition: PathsDefinition) -> [[String]: Int] {
        var counts: [[String]: Int] = [:]
        for events in Dictionary(grouping: lines, by: \.user).values {
            let isForwards = definition.direction == .after
            func rank(_ line: TestLine) -> (Int64, Int, String) {
                (line.time, (line.name == definition.from) == isForwards ? 0 : 1, line.name)
            }
            let inTime = events.sorted { rank($0) < rank($1) }
            let firstStart = inTime.firstIndex { $0.name == definition.from }
            let sorted = isForwards ? inTime : inTime.reversed()
            for (place, start) in sorted.enumerated() where start.name == definition.from {
                let isFirst = firstStart == (isForwards ? place : sorted.count - 1 - place)
                if definition.count == .users && !isFirst { continue }
                var path: [String] = []
                for event in sorted[(place + 1)...] where abs(event.time - start.time) <= definition.windowMilliseconds {
                    if definition.mergesRepeats && event.name == (path.last ?? definition.from) { continue }
                    path.append(event.name)
                }
                path = Array(path.prefix(definition.depth))
                for length in 1...definition.depth where length <= path.count { counts[Array(path[..<length]), default: 0] += 1 }
                if path.count < definition.depth { counts[path + ["$"], default: 0] += 1 }
            }
        }
        return counts
    }

    @Test("random events give the same tree as counting by hand", arguments: 0..<200 as Range<UInt64>)
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let lines = (0..<Int.random(in: 1...60, using: &random)).map { _ in
            TestLine(
                ["a", "b", "c", "d"].randomElement(using: &random) ?? "a", Int64.random(in: 0...20, using: &random),
                user: "u\(Int.random(in: 0...3, using: &random))")
        }
        let definition = PathsDefinition(
            from: "a", direction: seed % 2 == 0 ? .after : .before, windowMilliseconds: Int64.random(in: 0...20, using: &random),
            depth: Int.random(in: 1...4, using: &random),
            count: Bool.random(using: &random) ? .users : .attempts, mergesRepeats: Bool.random(using: &random))
        var counts: [[String]: Int] = [:]
        func collect(_ nodes: [EventPaths.Node], _ before: [String]) {
            for node in nodes {
                if case .event(let name) = node.place {
                    counts[before + [name]] = node.count
                    collect(node.next, before + [name])
                } else {
                    counts[before + ["$"]] = node.count
                }
            }
        }
        let found = paths(lines, definition, batchSize: Int.random(in: 1...9, using: &random))
        collect(found.next, [])
        #expect(counts == oracle(lines, definition))
    }
}
