import Testing
import TrackingEvents

@testable import Funnels

@Suite("Counting attempts")
struct AttemptChainsTests {
    private func depths(_ list: [(Int64, String)], _ rig: EngineRig) -> [Int] {
        rig.chains(EngineRig.events(list)).map(\.depth).sorted(by: >)
    }

    @Test(
        "small cases by hand",
        arguments: [
            ("each start opens one", [(0, "a"), (1, "a"), (2, "a")], [1, 1, 1]),
            ("the oldest takes the step", [(0, "a"), (1, "a"), (2, "b"), (9, "b"), (10, "c"), (11, "c")], [3, 3]),
            ("an attempt whose window is over takes none", [(0, "a"), (5, "a"), (12, "b")], [2, 1]),
            ("one event goes to one attempt", [(0, "a"), (1, "a"), (2, "b")], [2, 1]),
            ("the deepest step takes it first", [(0, "a"), (1, "b"), (2, "a"), (3, "bc")], [3, 1]),
            ("the next round is another attempt", [(0, "a"), (1, "b"), (2, "c"), (3, "a"), (4, "b")], [3, 2]),
            ("one millisecond, any order", [(0, "c"), (0, "b"), (0, "a"), (0, "a")], [3, 1]),
        ] as [(String, [(Int64, String)], [Int])])
    func smallCases(_ title: String, list: [(Int64, String)], expected: [Int]) throws {
        #expect(depths(list, try EngineRig(3, window: 10, counting: .attempts)) == expected, "\(title)")
    }

    @Test func `an event that takes a step can open an attempt as well`() throws {
        let rig = try EngineRig(2, window: 10, counting: .attempts)
        #expect(depths([(0, "ab"), (1, "ab"), (2, "ab")], rig) == [2, 2, 1])
    }

    @Test func `exclusions end attempts, or take them out`() throws {
        let ending = try EngineRig(3, window: 10, counting: .attempts, exclusions: [(1...2, false)])
        let spoiling = try EngineRig(3, window: 10, counting: .attempts, exclusions: [(1...2, true)])
        let list: [(Int64, String)] = [(0, "a"), (1, "b"), (2, "a"), (3, "x"), (4, "c"), (5, "a"), (6, "b")]
        #expect(depths(list, ending) == [3, 2, 1] && depths(list, spoiling) == [3, 2])
        #expect(depths([(0, "a"), (11, "x")], spoiling) == [1])
    }

    @Test func `an open attempt is one that could go on`() throws {
        let rig = try EngineRig(2, window: 10, counting: .attempts)
        let chains = rig.chains(EngineRig.events([(0, "a"), (5, "a"), (6, "b"), (8, "a")]), dataEnd: 12)
        #expect(chains.map(\.isOpen) == [false, true, true])
        #expect(rig.chains(EngineRig.events([(0, "a"), (5, "a")]), dataEnd: 10).map(\.isOpen) == [false, true])
        // One that begins after the end of the data could, too, and an event that comes too late does not change that.
        #expect(rig.chains(EngineRig.events([(0, "a"), (5, "a"), (30, "b")]), dataEnd: 3).map(\.isOpen) == [true, true])
    }

    /// Keeps all attempts side by side in a list and shows each event to all of them.
    private func oracle(_ events: [StepEvent], steps: Int, optional: [Bool], window: Int64) -> [[Int: Int64]] {
        let text = ModeOracle(optional: optional, window: window)
        var attempts: [ModeOracle.Attempt] = []
        for event in events {
            let wanting = attempts.indices.filter { attempts[$0].last < steps - 1 && text.hasTime(attempts[$0], at: event.time) }
            let targets = wanting.compactMap { place in text.target(after: attempts[place].last, event).map { (place, $0) } }
            if let deepest = targets.map(\.1).max(), let mover = targets.first(where: { $0.1 == deepest }) {
                attempts[mover.0].taken[deepest] = event.time
                attempts[mover.0].last = deepest
            }
            if event.steps & 1 == 1 { attempts.append(ModeOracle.Attempt(taken: [0: event.time])) }
        }
        return attempts.map(\.taken)
    }

    private func sorted(_ chains: [[Int: Int64]]) -> [[Int64]] {
        chains.map { taken in (0..<8).map { taken[$0] ?? -1 } }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    @Test("the engine agrees with a list of all attempts", arguments: 0..<4)
    func agreesWithTheOracle(flavour: Int) throws {
        var random = SeededRandom(seed: UInt64(6000 + flavour))
        for _ in 0..<500 {
            let steps = Int.random(in: 1...5, using: &random)
            let optional = (0..<steps).map { $0 > 0 && flavour & 1 != 0 && Bool.random(using: &random) }
            let window = Int64.random(in: 0...20, using: &random)
            var key = RandomKey(random: random, steps: steps, span: 30)
            (key.overlaps, key.isTieFree) = (flavour & 2 != 0, true)
            let events = key.events(atMost: 20).sorted { $0.time < $1.time }
            random = key.random
            let rig = try EngineRig(steps, optional: optional, window: window, counting: .attempts)
            let found = sorted(rig.chains(events).map(\.taken))
            let expected = sorted(oracle(events, steps: steps, optional: optional, window: window))
            #expect(found == expected, "\(events), optional \(optional), window \(window)")
            if found != expected { return }
        }
    }

    @Test("among the orders of one millisecond's events, the one that brings most attempts to each step counts", arguments: 0..<2)
    func ties(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(7000 + seed))
        for _ in 0..<400 {
            let steps = Int.random(in: 1...4, using: &random)
            let window = Int64.random(in: 0...8, using: &random)
            let events = RandomKey(random: random, steps: steps, span: 4).drawn(atMost: 9, &random)
            func counts(_ depths: [Int]) -> [Int] { (1...steps).map { step in depths.count { $0 >= step } } }
            let optional = Array(repeating: false, count: steps)
            let all = FunnelOracle.orders(of: events)
                .map { counts(oracle($0, steps: steps, optional: optional, window: window).map(\.count)) }
            let found = counts(try EngineRig(steps, window: window, counting: .attempts).chains(events).map(\.depth))
            let expected = all.max { $0.lexicographicallyPrecedes($1) }
            #expect(found == expected, "\(events), window \(window)")
            if found != expected { return }
        }
    }

    @Test func `a hundred thousand attempts side by side are a moment's work`() throws {
        let starts = (0..<100_000).map { StepEvent(time: Int64($0), steps: 1) }
        let ends = (0..<100_000).map { StepEvent(time: Int64(100_000 + $0), steps: 2) }
        let chains = try EngineRig(2, window: 1_000_000, counting: .attempts).chains(starts + ends)
        #expect(chains.count == 100_000 && chains.allSatisfy { $0.depth == 2 && $0.taken[1] == ($0.taken[0] ?? 0) + 100_000 })
    }
}

extension RandomKey {
    /// Random events; `random` is set to the generator as it is afterwards.
    func drawn(atMost most: Int, _ random: inout SeededRandom) -> [StepEvent] {
        var key = self
        let events = key.events(atMost: most)
        random = key.random
        return events
    }
}
