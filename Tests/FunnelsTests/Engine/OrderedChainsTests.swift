import Testing
import TrackingEvents

@testable import Funnels

@Suite("Ordered chains")
struct OrderedChainsTests {
    private func definition(steps: Int, window: Int64, since: Int64? = nil, until: Int64? = nil) throws -> FunnelDefinition {
        try FunnelDefinition(
            steps: (0..<steps).map { FunnelStep("s\($0)") }, windowMilliseconds: window, since: since, until: until)
    }

    private func best(_ events: [StepEvent], _ definition: FunnelDefinition) -> [Int64] {
        let chains = OrderedChains(definition)
        var times: [Int64] = []
        events.sorted { $0.time < $1.time }
            .withUnsafeBufferPointer { events in
                chains.follow(events, dataEnd: 0) { chain in times = (0..<chain.depth).map { chain.times[$0] } }
            }
        return times
    }

    /// Steps are written as letters: `a` is step 1; an event of several steps has several letters.
    private func events(_ list: [(Int64, String)]) -> [StepEvent] {
        list.map { time, letters in
            StepEvent(time: time, steps: letters.utf8.reduce(0) { $0 | 1 << UInt32($1 - UInt8(ascii: "a")) })
        }
    }

    @Test(
        "small cases by hand",
        arguments: [
            ("nothing", 2, 10, [], []),
            ("no start", 2, 10, [(1, "b")], []),
            ("the window is inclusive", 2, 10, [(0, "a"), (10, "b")], [0, 10]),
            ("and not a millisecond longer", 2, 10, [(0, "a"), (11, "b")], [0]),
            ("the window is measured from step 1", 3, 10, [(0, "a"), (6, "b"), (12, "c")], [0, 6]),
            ("a later start replaces an earlier one", 2, 10, [(0, "a"), (5, "a"), (6, "b")], [5, 6]),
            ("but not a chain that got there first", 3, 10, [(0, "a"), (1, "b"), (2, "a"), (3, "b")], [0, 1]),
            ("an expired start is replaced", 3, 10, [(0, "a"), (1, "b"), (9, "a"), (10, "b"), (12, "c")], [9, 10, 12]),
            ("a step takes its first event", 3, 10, [(0, "a"), (1, "b"), (5, "b"), (6, "c")], [0, 1, 6]),
            ("one event takes one step", 2, 10, [(0, "ab")], [0]),
            ("repeated steps need repeated events", 3, 10, [(0, "abc"), (1, "abc"), (2, "abc")], [0, 1, 2]),
            ("within one millisecond any order counts", 3, 10, [(5, "c"), (5, "b"), (5, "a")], [5, 5, 5]),
            ("the later start of one millisecond counts", 2, 10, [(0, "a"), (5, "b"), (5, "a")], [5, 5]),
            ("events of one millisecond are shared out", 3, 10, [(0, "a"), (5, "bc"), (5, "b")], [0, 5, 5]),
            ("a start of the same millisecond leaves its event to no step", 2, 10, [(5, "ab"), (5, "a")], [5, 5]),
            ("the first conversion stands", 2, 10, [(0, "a"), (9, "b"), (20, "a"), (21, "b")], [0, 9]),
        ] as [(String, Int, Int64, [(Int64, String)], [Int64])])
    func smallCases(_ title: String, steps: Int, window: Int64, list: [(Int64, String)], expected: [Int64]) throws {
        #expect(best(events(list), try definition(steps: steps, window: window)) == expected, "\(title)")
    }

    @Test func `since and until choose starts and no later steps`() throws {
        let list = events([(0, "a"), (5, "a"), (6, "b"), (9, "a"), (10, "b")])
        #expect(best(list, try definition(steps: 2, window: 100, since: 1)) == [5, 6])
        #expect(best(list, try definition(steps: 2, window: 100, until: 5)) == [0, 6])
        #expect(best(list, try definition(steps: 2, window: 100, since: 6, until: 10)) == [9, 10])
        #expect(best(list, try definition(steps: 2, window: 100, since: 10)) == [])
    }

    @Test func `times at the ends of the clock overflow nothing`() throws {
        let list = events([(.min, "a"), (.max, "b")])
        #expect(best(list, try definition(steps: 2, window: .max)) == [.min])
        #expect(best(events([(.max - 1, "a"), (.max, "b")]), try definition(steps: 2, window: .max)) == [.max - 1, .max])
    }

    @Test func `all 32 steps can be reached, in one millisecond too`() throws {
        let spread = (0..<32).map { StepEvent(time: Int64($0), steps: 1 << UInt32($0)) }
        #expect(best(spread, try definition(steps: 32, window: 31)) == (0..<32).map(Int64.init))
        let together = (0..<32).map { StepEvent(time: 7, steps: 1 << UInt32($0)) }
        #expect(best(together, try definition(steps: 32, window: 0)) == Array(repeating: 7, count: 32))
        let any = (0..<40).map { StepEvent(time: Int64($0 / 20), steps: .max) }
        #expect(best(any, try definition(steps: 32, window: 1)) == Array(repeating: 0, count: 20) + Array(repeating: 1, count: 12))
    }

    /// Hundreds of small random keys; `flavour` chooses how many overlaps, repeats and ties there are.
    @Test("the fast engine agrees with the definition's text", arguments: 0..<8)
    func agreesWithTheOracle(flavour: Int) throws {
        var random = SeededRandom(seed: UInt64(1000 + flavour))
        var ties = 0
        for _ in 0..<600 {
            let steps = Int.random(in: 1...5, using: &random)
            let span: Int64 = flavour % 2 == 0 ? 5 : 14
            let window = Int64.random(in: 0...(span + 1), using: &random)
            let since = flavour >= 6 ? Int64.random(in: 0...3, using: &random) : nil
            let until = since.map { $0 + Int64.random(in: 1...5, using: &random) }
            var list: [StepEvent] = []
            for _ in 0..<Int.random(in: 0...10, using: &random) {
                var mask: UInt32 = 1 << UInt32.random(in: 0..<UInt32(steps), using: &random)
                if flavour % 4 >= 2 { mask |= UInt32.random(in: 0..<(1 << UInt32(steps)), using: &random) }
                let event = StepEvent(time: .random(in: 0...span, using: &random), steps: mask)
                if FunnelOracle.orderCount(of: list + [event]) <= 150 { list.append(event) }
            }
            if FunnelOracle.orderCount(of: list) > 1 { ties += 1 }
            let expected = FunnelOracle.best(list, steps: steps, window: window, since: since ?? .min, until: until ?? .max)
            let definition = try definition(steps: steps, window: window, since: since, until: until)
            let found = best(list, definition)
            #expect(found == expected, "\(list), \(steps) steps, window \(window), since \(since ?? -1), until \(until ?? -1)")
            if found != expected { return }
        }
        #expect(ties > 200)
    }

    /// Every list of up to four events of two steps within three milliseconds, for every window: no case is left to chance.
    @Test("every small case of two steps", arguments: [0, 1, 2] as [Int64])
    func everySmallCase(window: Int64) throws {
        let kinds = (0...2).flatMap { time in (1...3).map { StepEvent(time: Int64(time), steps: UInt32($0)) } }
        let definition = try definition(steps: 2, window: window)
        func check(_ list: [StepEvent], from kind: Int) {
            #expect(best(list, definition) == FunnelOracle.best(list, steps: 2, window: window), "\(list)")
            guard list.count < 4 else { return }
            for next in kind..<kinds.count { check(list + [kinds[next]], from: next) }
        }
        check([], from: 0)
    }

    @Test func `an engine keeps nothing of the key before`() throws {
        let chains = OrderedChains(try definition(steps: 2, window: 10))
        func depth(_ list: [(Int64, String)]) -> Int {
            var depth = 0
            events(list).withUnsafeBufferPointer { chains.follow($0, dataEnd: 0) { depth = $0.depth } }
            return depth
        }
        #expect(depth([(0, "a"), (1, "b")]) == 2 && depth([(1, "b")]) == 0 && depth([(3, "a"), (4, "a")]) == 1)
    }

    /// Finishes in a moment when the work is linear; quadratic work would take hours.
    @Test("a hundred thousand events of one key, in one millisecond or many", arguments: [true, false])
    func largeKeys(oneMillisecond: Bool) throws {
        var random = SeededRandom(seed: 7)
        let list = (0..<100_000).map {
            StepEvent(time: oneMillisecond ? 5 : Int64($0 / 3), steps: .random(in: 1..<16, using: &random))
        }
        let found = best(list, try definition(steps: 5, window: 1_000_000))
        #expect(found.count == 4)
        if oneMillisecond { #expect(found == [5, 5, 5, 5]) }
    }
}
