import Testing
import TrackingEvents

@testable import Funnels

/// `Tools/conformance/funnel_differential.py` asks the real engine. These tests hold what it answered, and what needs no engine.
@Suite("As windowFunnel counts")
struct WindowFunnelTests {
    private typealias Mode = FunnelCompat.WindowFunnelMode

    private func level(_ list: [(Int64, String)], steps: Int = 3, window: Int64 = 10, _ modes: Set<Mode>) throws -> Int {
        try EngineRig(steps, window: window, compat: .clickhouse(modes)).chain(EngineRig.events(list))?.depth ?? 0
    }

    @Test(
        "what windowFunnel answers",
        arguments: [
            ("one event fills equal steps", [], [(0, "abc")], 3), ("but once only each under strict_once", [.once], [(0, "abc")], 1),
            ("nor under strict_increase", [.increase], [(0, "abc")], 1), ("the window is inclusive", [], [(0, "a"), (10, "b")], 2),
            ("and no longer", [], [(0, "a"), (11, "b")], 1), ("ties in any order", [], [(0, "c"), (0, "b"), (0, "a")], 3),
            ("times that rise", [.increase], [(0, "a"), (0, "b"), (1, "b"), (1, "c"), (2, "c")], 3),
            ("a repeated step ends", [.deduplication], [(0, "a"), (1, "b"), (2, "b"), (3, "c")], 2),
            ("a repeated start does not", [.deduplication], [(0, "a"), (1, "a"), (2, "b"), (3, "c")], 3),
            ("another event ends", [.order], [(0, "a"), (1, "-"), (2, "b")], 1),
            ("before the start it does not", [.order], [(0, "-"), (1, "a"), (2, "b")], 2),
            ("a step too early ends", [.order], [(0, "a"), (1, "c"), (2, "b")], 1),
            ("an earlier step does not", [.order], [(0, "a"), (1, "b"), (2, "a"), (3, "c")], 3),
            ("without strict_order nothing ends", [], [(0, "a"), (1, "-"), (2, "c"), (3, "b")], 2),
            ("distinct events in one millisecond", [.once], [(0, "a"), (5, "bc"), (5, "bc")], 3),
            ("shared out", [.once], [(0, "abc"), (0, "a"), (0, "b")], 3),
            ("no start, no level", [.order, .once], [(0, "b"), (1, "c")], 0),
            ("order and once", [.order, .once], [(0, "a"), (1, "b"), (2, "-"), (3, "c")], 2),
            ("deduplication and once", [.deduplication, .once], [(0, "a"), (1, "b"), (2, "b")], 2),
        ] as [(String, [FunnelCompat.WindowFunnelMode], [(Int64, String)], Int)])
    func answers(_ title: String, modes: [FunnelCompat.WindowFunnelMode], list: [(Int64, String)], expected: Int) throws {
        #expect(try level(list, Set(modes)) == expected, "\(title)")
    }

    /// The deepest step, by following every sequence of distinct events, as `strict_once` is documented.
    private func once(_ events: [StepEvent], steps: Int, window: Int64, increases: Bool) -> Int {
        func deepest(_ used: [Int], _ start: Int64, _ last: Int64) -> Int {
            guard used.count < steps else { return steps }
            var best = used.count
            for (place, event) in events.enumerated() where !used.contains(place) && event.steps >> UInt32(used.count) & 1 == 1 {
                guard event.time >= last, event.time - start <= window, !increases || event.time > last else { continue }
                best = max(best, deepest(used + [place], start, event.time))
            }
            return best
        }
        return events.indices.filter { events[$0].steps & 1 == 1 }
            .map { deepest([$0], events[$0].time, events[$0].time) }.max() ?? 0
    }

    @Test("strict_once follows every sequence of distinct events", arguments: [false, true])
    func onceAgreesWithTheOracle(increases: Bool) throws {
        var random = SeededRandom(seed: increases ? 81 : 80)
        for _ in 0..<1000 {
            let steps = Int.random(in: 1...5, using: &random)
            let window = Int64.random(in: 0...10, using: &random)
            var key = RandomKey(random: random, steps: steps, span: 8)
            (key.overlaps, key.mostOrders) = (true, .max)
            let events = key.drawn(atMost: 8, &random)
            let modes: Set<Mode> = increases ? [.once, .increase] : [.once]
            let found = try EngineRig(steps, window: window, compat: .clickhouse(modes)).chain(events)?.depth ?? 0
            let expected = once(events, steps: steps, window: window, increases: increases)
            #expect(found == expected, "\(events), window \(window)")
            if found != expected { return }
        }
    }

    @Test func `where no event fits two steps all modes that end nothing agree with the plain engine`() throws {
        var random = SeededRandom(seed: 82)
        for _ in 0..<1000 {
            let steps = Int.random(in: 1...5, using: &random)
            let window = Int64.random(in: 0...10, using: &random)
            var key = RandomKey(random: random, steps: steps, span: 12)
            key.mostOrders = .max
            let events = key.drawn(atMost: 12, &random)
            let plain = try EngineRig(steps, window: window).chain(events)?.depth ?? 0
            for modes in [[], [.once]] as [Set<Mode>] {
                let found = try EngineRig(steps, window: window, compat: .clickhouse(modes)).chain(events)?.depth ?? 0
                #expect(found == plain, "\(events), window \(window), \(modes)")
            }
        }
    }

    @Test("no mode but none lets more through", arguments: 0..<16)
    func modesOnlyTake(set: Int) throws {
        let modes = Set(Mode.allCases.enumerated().filter { set >> $0.offset & 1 == 1 }.map(\.element))
        var random = SeededRandom(seed: UInt64(90 + set))
        for _ in 0..<300 {
            let steps = Int.random(in: 1...5, using: &random)
            var key = RandomKey(random: random, steps: steps, span: 10)
            (key.overlaps, key.hasOthers, key.mostOrders) = (true, true, .max)
            let events = key.drawn(atMost: 10, &random)
            let strict = try EngineRig(steps, window: 6, compat: .clickhouse(modes)).chain(events)?.depth ?? 0
            let free = try EngineRig(steps, window: 6, compat: .clickhouse([])).chain(events)?.depth ?? 0
            #expect(strict <= free, "\(events)")
        }
    }

    @Test func `since and until choose starts, and a key that ended is not open`() throws {
        let list: [(Int64, String)] = [(0, "a"), (5, "a"), (6, "b")]
        func chain(since: Int64? = nil, until: Int64? = nil, _ modes: Set<Mode> = []) throws -> EngineRig.Chain? {
            try EngineRig(3, window: 10, since: since, until: until, compat: .clickhouse(modes))
                .chains(EngineRig.events(list), dataEnd: 8).first
        }
        for modes in [[], [.once]] as [Set<Mode>] {
            #expect(try chain(modes)?.taken == [0: 5, 1: 6] && chain(until: 5, modes)?.taken == [0: 0, 1: 6])
            #expect(try chain(since: 6, modes) == nil && chain(modes)?.isOpen == true)
        }
        let ended = try EngineRig(3, window: 10, compat: .clickhouse([.order])).chains(EngineRig.events([(0, "a"), (1, "-")]), dataEnd: 2)
        #expect(ended.map(\.isOpen) == [false])
    }

    @Test(
        "a hundred thousand events of one key, in one millisecond or many",
        arguments: [[], [.once], [.once, .increase]] as [[FunnelCompat.WindowFunnelMode]])
    func largeKeys(modes: [FunnelCompat.WindowFunnelMode]) throws {
        var random = SeededRandom(seed: 9)
        for divisor in [3, 1_000_000] {
            let events = (0..<100_000).map { StepEvent(time: Int64($0 / divisor), steps: .random(in: 1..<16, using: &random)) }
            let found = try EngineRig(5, window: 1_000_000, compat: .clickhouse(Set(modes))).chain(events)?.depth
            #expect(found == (modes.contains(.increase) && divisor > 3 ? 1 : 4))
        }
    }
}
