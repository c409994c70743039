import Testing
import TrackingEvents

@testable import Funnels

@Suite("Steps in any order")
struct AnyOrderChainsTests {
    @Test(
        "small cases by hand",
        arguments: [
            ("one step", [(0, "b")], 1), ("the last first", [(0, "c"), (1, "b"), (2, "a")], 3),
            ("repetitions are one", [(0, "a"), (1, "a")], 1),
            ("the window is inclusive", [(0, "c"), (10, "a")], 2), ("and not a millisecond longer", [(0, "c"), (11, "a")], 1),
            ("any window will do", [(0, "a"), (9, "b"), (15, "c"), (19, "a")], 3), ("one event is one step", [(0, "ab")], 1),
            ("shared out so that most are filled", [(0, "ab"), (1, "a")], 2), ("one millisecond", [(0, "c"), (0, "a"), (0, "b")], 3),
            ("nothing", [], 0),
        ] as [(String, [(Int64, String)], Int)])
    func smallCases(_ title: String, list: [(Int64, String)], expected: Int) throws {
        #expect(try EngineRig(3, window: 10, order: .any).chain(EngineRig.events(list))?.depth ?? 0 == expected, "\(title)")
    }

    @Test func `each bar's times are those of the first window that reaches it`() throws {
        let rig = try EngineRig(3, window: 10, order: .any)
        let engine = rig.definition.engine()
        var times: [[Int64]] = []
        EngineRig.events([(0, "a"), (4, "b"), (20, "c"), (21, "b"), (26, "a")])
            .withUnsafeBufferPointer { events in
                engine.follow(events, dataEnd: 30) { chain in
                    times = (0..<chain.depth).map { [chain.times[$0], chain.sinceFirst[$0], chain.sincePrevious[$0]] }
                    #expect(chain.start == 20)
                }
            }
        #expect(times == [[0, 0, 0], [4, 4, 4], [26, 6, 5]])
    }

    @Test("exclusions cut windows, or take the key out", arguments: [false, true])
    func exclusions(spoils: Bool) throws {
        let rig = try EngineRig(3, window: 10, order: .any, exclusions: [(nil, spoils)])
        func depth(_ list: [(Int64, String)]) -> Int { rig.chain(EngineRig.events(list))?.depth ?? 0 }
        #expect(depth([(0, "a"), (1, "x"), (2, "b")]) == (spoils ? 0 : 1))
        #expect(depth([(0, "a"), (1, "x"), (2, "c"), (3, "b"), (4, "a")]) == 3)
        #expect(depth([(0, "a"), (1, "b"), (2, "x"), (20, "c")]) == (spoils ? 0 : 2))
        #expect(depth([(0, "a"), (1, "b"), (2, "x"), (20, "c"), (21, "a")]) == 2)
        #expect(depth([(0, "a"), (1, "b"), (2, "c"), (3, "x")]) == 3)
        #expect(depth([(0, "a"), (11, "x")]) == 1)
        #expect(depth([(0, "x"), (0, "a"), (1, "b")]) == 2)
    }

    /// The most steps that distinct events can fill, by trying every event for every step.
    private func most(_ events: ArraySlice<StepEvent>, _ free: UInt32) -> Int {
        guard let event = events.first else { return 0 }
        let rest = events.dropFirst()
        var best = most(rest, free)
        for step in 0..<32 where (free & event.steps) >> UInt32(step) & 1 == 1 {
            best = max(best, 1 + most(rest, free & ~(1 << UInt32(step))))
        }
        return best
    }

    @Test("the engine agrees with every window tried by itself", arguments: 0..<8)
    func agreesWithTheOracle(flavour: Int) throws {
        var random = SeededRandom(seed: UInt64(5000 + flavour))
        for _ in 0..<400 {
            let steps = Int.random(in: 1...5, using: &random)
            let window = Int64.random(in: 0...12, using: &random)
            let since = flavour & 2 != 0 ? Int64.random(in: 0...6, using: &random) : nil
            let until = since.map { $0 + Int64.random(in: 1...9, using: &random) }
            var key = RandomKey(random: random, steps: steps, span: flavour & 1 == 0 ? 8 : 30)
            (key.overlaps, key.mostOrders) = (flavour & 4 != 0, .max)
            let events = key.events(atMost: 9).sorted { $0.time < $1.time }
            random = key.random
            var deepest = 0
            for start in events where start.time >= since ?? .min && start.time < until ?? .max {
                let inside = events.filter { $0.time >= start.time && $0.time - start.time <= window }
                deepest = max(deepest, most(inside[...], .max))
            }
            let rig = try EngineRig(steps, window: window, order: .any, since: since, until: until)
            let found = rig.chain(events)?.depth ?? 0
            #expect(found == deepest, "\(events), window \(window), \(since ?? -1) to \(until ?? -1)")
            if found != deepest { return }
        }
    }

    @Test func `a hundred thousand events of one key are a moment's work`() throws {
        var random = SeededRandom(seed: 8)
        let events = (0..<100_000).map { StepEvent(time: Int64($0 / 3), steps: .random(in: 1..<16, using: &random)) }
        #expect(try EngineRig(5, window: 1_000_000, order: .any).chain(events)?.depth == 4)
    }
}
