import Foundation
import Testing
import TrackingEvents

@testable import Funnels

@Suite("Optional steps, exclusions, step windows and strict order")
struct GeneralChainsTests {
    @Test(
        "optional steps by hand",
        arguments: [
            ("skipped", "010", [(0, "a"), (2, "c")], [0: 0, 2: 2]),
            ("taken", "010", [(0, "a"), (1, "b"), (2, "c")], [0: 0, 1: 1, 2: 2]),
            ("too late: the step behind it is taken", "010", [(0, "a"), (1, "c"), (2, "b")], [0: 0, 2: 1]),
            ("one event, the required step takes it", "010", [(0, "a"), (1, "bc")], [0: 0, 2: 1]),
            ("the optional step's second event is nothing", "010", [(0, "a"), (1, "b"), (2, "b"), (3, "c")], [0: 0, 1: 1, 2: 3]),
            ("in one millisecond as many as can be", "010", [(0, "a"), (5, "c"), (5, "b")], [0: 0, 1: 5, 2: 5]),
            ("several in a row, the middle one skipped", "0110", [(0, "a"), (1, "c"), (2, "d")], [0: 0, 2: 1, 3: 2]),
            ("last step", "001", [(0, "a"), (1, "b")], [0: 0, 1: 1]),
            ("last step taken", "001", [(0, "a"), (1, "b"), (2, "c")], [0: 0, 1: 1, 2: 2]),
            ("a required one does not wait for two", "0110", [(0, "a"), (3, "d"), (4, "b"), (5, "d")], [0: 0, 3: 3]),
            (
                "a later start replaces an earlier one also over a skipped step", "010", [(0, "a"), (1, "b"), (2, "a"), (3, "c")],
                [0: 2, 2: 3]
            ),
        ] as [(String, String, [(Int64, String)], [Int: Int64])])
    func optional(_ title: String, optional: String, list: [(Int64, String)], expected: [Int: Int64]) throws {
        let flags = optional.map { $0 == "1" }
        let rig = try EngineRig(flags.count, optional: flags, window: 10)
        #expect(rig.chain(EngineRig.events(list))?.taken == expected, "\(title)")
    }

    @Test(
        "a step window that the window already keeps changes nothing, the times included",
        arguments: [[false, false, false], [false, true, false]], [6, 7, 1_000_000] as [Int64])
    func idleStepWindow(optional: [Bool], stepWindow: Int64) throws {
        // Both orders of the first millisecond lead to step 3: in one of them step 2 is taken in that millisecond, in the other later.
        let events = EngineRig.events([(0, "ab"), (0, "b"), (4, "b"), (5, "c")])
        let without = try EngineRig(3, optional: optional, window: 6)
        let with = try EngineRig(3, optional: optional, window: 6, stepWindow: stepWindow)
        #expect(without.chain(events)?.taken == [0: 0, 1: 0, 2: 5])
        #expect(with.chain(events) == without.chain(events))
    }

    @Test(
        "exclusions that end an attempt, by hand",
        arguments: [
            ("it counts up to where it was", nil, [(0, "a"), (1, "x"), (2, "b")], 1),
            ("another attempt may do better", nil, [(0, "a"), (1, "x"), (2, "a"), (3, "b")], 2),
            ("before the start it means nothing", nil, [(0, "x"), (1, "a"), (2, "b")], 2),
            ("an order in which the attempt does not meet it counts", 2...3, [(0, "a"), (0, "b"), (1, "x"), (2, "b"), (3, "c")], 3),
            ("in the start's millisecond it comes first", nil, [(1, "a"), (1, "x"), (2, "b")], 2),
            ("in the next step's millisecond too", nil, [(0, "a"), (2, "b"), (2, "x")], 1),
            ("after the last step it means nothing", nil, [(0, "a"), (1, "b"), (2, "c"), (3, "x")], 3),
            ("between others it means nothing", 2...3, [(0, "a"), (1, "x"), (2, "b"), (3, "c")], 3),
            ("between its own it ends", 2...3, [(0, "a"), (1, "b"), (2, "x"), (3, "c")], 2),
            ("an attempt that has left a step is not on it", 1...2, [(0, "a"), (1, "b"), (2, "x"), (3, "c")], 3),
            ("what it ended takes no step again", 2...3, [(0, "a"), (1, "b"), (2, "x"), (3, "b"), (4, "c")], 2),
            ("an event can be step and exclusion", 1...2, [(0, "a"), (1, "bx"), (2, "c")], 1),
            ("of two attempts the one on its steps ends", 1...2, [(0, "a"), (1, "b"), (2, "a"), (3, "x"), (4, "c")], 3),
        ] as [(String, ClosedRange<Int>?, [(Int64, String)], Int)])
    func ending(_ title: String, steps: ClosedRange<Int>?, list: [(Int64, String)], expected: Int) throws {
        let rig = try EngineRig(3, window: 10, exclusions: [(steps, false)])
        #expect(rig.chain(EngineRig.events(list))?.depth == expected, "\(title)")
    }

    @Test(
        "exclusions that spoil an attempt, by hand",
        arguments: [
            ("alone it takes the key out", nil, [(0, "a"), (1, "x"), (2, "b")], 0),
            ("without the next step too", nil, [(0, "a"), (1, "x")], 0),
            ("a clean attempt as deep keeps it in", nil, [(0, "a"), (1, "x"), (2, "a")], 1),
            ("an attempt that expired before it is clean", nil, [(0, "a"), (31, "a"), (32, "x")], 1),
            ("one that is still open is not", nil, [(0, "a"), (5, "a"), (6, "x")], 0),
            ("a clean attempt less deep does not help", nil, [(0, "a"), (20, "a"), (21, "x"), (22, "b")], 0),
            ("it counts as reaching one step more, no further", nil, [(0, "a"), (1, "x"), (2, "b"), (3, "c"), (20, "a"), (21, "b")], 2),
            ("after its window it spoils nothing", nil, [(0, "a"), (11, "x")], 1),
            ("between its steps only", 2...3, [(0, "a"), (1, "x"), (2, "b")], 2),
            ("what has converted stays", nil, [(0, "a"), (1, "b"), (2, "c"), (3, "a"), (4, "x")], 3),
            (
                "a later start of the same depth that is spoilt leaves an earlier one clean", nil,
                [(0, "a"), (5, "a"), (6, "b"), (11, "x")], 2
            ),
            (
                "also where it gets no further than that", nil, [(0, "a"), (5, "a"), (6, "b"), (11, "x"), (12, "a"), (17, "a"), (18, "x")],
                2
            ),
            ("but not where the spoilt one gets further", nil, [(0, "a"), (5, "a"), (6, "b"), (11, "x"), (12, "c")], 0),
            ("as deep as what was spoilt a step before", 2...3, [(0, "a"), (1, "b"), (2, "x"), (3, "a"), (4, "b")], 2),
        ] as [(String, ClosedRange<Int>?, [(Int64, String)], Int)])
    func spoiling(_ title: String, steps: ClosedRange<Int>?, list: [(Int64, String)], expected: Int) throws {
        let rig = try EngineRig(3, window: 10, exclusions: [(steps, true)])
        #expect(rig.chain(EngineRig.events(list))?.depth ?? 0 == expected, "\(title)")
    }

    @Test(
        "strict order by hand",
        arguments: [
            ("nothing between", [(0, "a"), (1, "b"), (2, "c")], 3), ("another event between", [(0, "a"), (1, "-"), (2, "b")], 1),
            ("a step's repetition between", [(0, "a"), (1, "b"), (2, "b"), (3, "c")], 2),
            ("a new start ends the attempt before", [(0, "a"), (1, "b"), (2, "a"), (3, "c")], 2),
            ("and begins its own", [(0, "a"), (1, "a"), (2, "b"), (3, "c")], 3),
            ("a later step between", [(0, "a"), (1, "c"), (2, "b")], 1),
            ("others before and after", [(0, "-"), (1, "a"), (2, "b"), (3, "-")], 2),
            ("in one millisecond the order is free", [(0, "c"), (0, "b"), (0, "a")], 3),
            ("others of the start's millisecond came before it", [(0, "-"), (0, "a"), (1, "b"), (2, "c")], 3),
            ("others of a step's millisecond came after it", [(0, "a"), (1, "-"), (1, "b"), (2, "c")], 2),
            ("how much the start's millisecond takes is free", [(0, "a"), (0, "b"), (1, "b"), (2, "c")], 3),
            ("the last step's millisecond can hold anything", [(0, "a"), (1, "b"), (2, "c"), (2, "-"), (2, "b")], 3),
        ] as [(String, [(Int64, String)], Int)])
    func strict(_ title: String, list: [(Int64, String)], expected: Int) throws {
        #expect(try EngineRig(3, window: 10, order: .strict).chain(EngineRig.events(list))?.depth == expected, "\(title)")
    }

    @Test func `a step's first match stands and is not renewed for the step window`() throws {
        let rig = try EngineRig(3, window: 100, stepWindow: 5)
        #expect(rig.chain(EngineRig.events([(0, "a"), (3, "b"), (7, "b"), (10, "c")]))?.taken == [0: 0, 1: 3])
        #expect(rig.chain(EngineRig.events([(0, "a"), (5, "b"), (10, "c")]))?.taken == [0: 0, 1: 5, 2: 10])
        #expect(rig.chain(EngineRig.events([(0, "a"), (6, "b")]))?.taken == [0: 0])
        // The first `b` shares the start's millisecond, so that it may have come before the start.
        #expect(rig.chain(EngineRig.events([(0, "a"), (0, "b"), (4, "b"), (9, "c")]))?.taken == [0: 0, 1: 4, 2: 9])
        #expect(rig.chain(EngineRig.events([(0, "a"), (4, "a"), (6, "b"), (9, "c")]))?.taken == [0: 4, 1: 6, 2: 9])
    }

    /// Hundreds of small random keys for each flavour; flavours differ in optional steps, overlaps, strictness and windows.
    @Test("the engine agrees with the definition's text", arguments: 0..<16)
    func agreesWithTheOracle(flavour: Int) throws {
        var random = SeededRandom(seed: UInt64(2000 + flavour))
        let isStrict = flavour % 2 == 1
        var deep = 0
        for round in 0..<500 {
            let steps = Int.random(in: 1...5, using: &random)
            let overlaps = flavour & 14 == 2
            let optional = (0..<steps).map { $0 > 0 && flavour & 4 != 0 && Bool.random(using: &random) }
            let window = Int64.random(in: 0...12, using: &random)
            let stepWindow = flavour & 8 != 0 ? Int64.random(in: 0...6, using: &random) : nil
            var exclusions: [ClosedRange<Int>] = []
            if steps > 1 && round % 2 == 0 {
                let first = Int.random(in: 1..<steps, using: &random)
                exclusions = [first...Int.random(in: first + 1...steps, using: &random), 1...steps]
            }
            var key = RandomKey(random: random, steps: steps, span: round % 2 == 0 ? 6 : 14)
            (key.overlaps, key.hasOthers, key.exclusions) = (overlaps, isStrict, exclusions.count)
            let events = key.events(atMost: 9)
            random = key.random
            let oracle = ModeOracle(
                optional: optional, window: window, stepWindow: stepWindow, isStrict: isStrict,
                exclusions: exclusions.map { ($0.lowerBound - 1..<$0.upperBound - 1, false) })
            let rig = try EngineRig(
                steps, optional: optional, window: window, stepWindow: stepWindow, order: isStrict ? .strict : .ordered,
                exclusions: exclusions.map { ($0, false) })
            let found = rig.chains(events, GeneralChains(rig.definition)).first?.taken
            let expected = oracle.best(events)?.taken
            // Orders that get as deep, as early, from the same start are equally favourable: then other steps may have been taken.
            let isSame = flavour < 4 && exclusions.isEmpty ? found == expected : found.map(merits) == expected.map(merits)
            #expect(isSame, "\(found) \(expected) \(events), optional \(optional), \(window) \(stepWindow ?? -1), \(exclusions)")
            if !isSame { return }
            if found?.count ?? 0 > 2 { deep += 1 }
        }
        #expect(deep > 5)
    }

    /// Names repeat, events share a millisecond, and exclusions may be steps, too. So it matters where an attempt stops; where exclusions
    /// spoil, it also matters what the same order does to all other attempts.
    @Test("with repeated and optional steps, ties and exclusions the most favourable order counts", arguments: 0..<16)
    func repeatedNames(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(9000 + seed))
        let (isStrict, spoils) = (seed & 2 != 0, seed & 4 != 0)
        // `LOOPTRAIL_ROUNDS` sets another number of rounds.
        let rounds = ProcessInfo.processInfo.environment["LOOPTRAIL_ROUNDS"].flatMap { Int($0) } ?? 120
        var removed = 0
        for _ in 0..<rounds {
            let names = (0..<Int.random(in: 2...5, using: &random)).map { _ in "abx".randomElement(using: &random)! }
            let optional = names.indices.map { $0 > 0 && seed & 1 != 0 && Int.random(in: 0..<3, using: &random) == 0 }
            let (window, stepWindow) = (
                Int64.random(in: 2...5, using: &random), seed & 8 != 0 ? Int64.random(in: 0...3, using: &random) : nil
            )
            let first = Int.random(in: 1..<names.count, using: &random)
            let exclusions = [(first...Int.random(in: first + 1...names.count, using: &random), spoils), (1...names.count, !spoils)]
            let events = (0..<Int.random(in: 2...7, using: &random)).map { _ in
                let name = "aabbxy".randomElement(using: &random)!
                var event = StepEvent(time: .random(in: 0...4, using: &random), steps: 0)
                for (step, wanted) in names.enumerated() where wanted == name { event.steps |= 1 << UInt32(step) }
                if name == "x" { event.exclusions = 1 }
                if name == "y" && spoils { event.exclusions = 2 }
                return event
            }
            if FunnelOracle.orderCount(of: events) > 800 { continue }
            let oracle = ModeOracle(
                optional: optional, window: window, stepWindow: stepWindow, isStrict: isStrict,
                exclusions: exclusions.map { ($0.lowerBound - 1..<$0.upperBound - 1, $1) }.prefix(spoils ? 2 : 1).map { $0 })
            let rig = try EngineRig(
                names.count, optional: optional, window: window, stepWindow: stepWindow, order: isStrict ? .strict : .ordered,
                exclusions: exclusions.prefix(spoils ? 2 : 1).map { ($0, $1) })
            let found = rig.chains(events, GeneralChains(rig.definition)).first?.taken
            let expected = oracle.best(events)?.taken
            #expect(
                found.map(merits) == expected.map(merits),
                "\(found) \(expected) \(names) \(optional) \(window) \(stepWindow ?? -1) \(exclusions) \(events)")
            if found.map(merits) != expected.map(merits) { return }
            if found == nil && events.contains(where: { $0.steps & 1 == 1 }) { removed += 1 }
        }
        #expect(spoils == (removed > 0))
    }

    @Test(
        "an exclusion spoils only if every order of a millisecond's events meets it",
        arguments: [
            ("every order meets it", 4, 8, [(0, "ac"), (0, "bd"), (1, "bd"), (7, "x")], nil, 0),
            ("of two starts in one millisecond both meet it", 3, 100, [(0, "ab"), (0, "ab"), (6, "b"), (7, "bx")], nil, 0),
            ("one order does not meet it", 3, 8, [(0, "a"), (0, "b"), (1, "x"), (2, "c")], 2...3, 1),
        ] as [(String, Int, Int64, [(Int64, String)], ClosedRange<Int>?, Int)])
    func spoilingInAnyOrder(
        _ title: String, steps: Int, window: Int64, list: [(Int64, String)], held: ClosedRange<Int>?, expected: Int
    ) throws {
        let rig = try EngineRig(steps, window: window, exclusions: [(held, true)])
        #expect(rig.chain(EngineRig.events(list))?.depth ?? 0 == expected, "\(title)")
    }

    @Test func `where exclusions spoil, the order in which lines of one millisecond stand decides nothing`() throws {
        // In one order of the lines an attempt can still go on, in the other none can. The key is open whichever line comes first.
        let list: [(Int64, String)] = [(0, "a"), (0, "a"), (0, "b"), (3, "a")]
        let rig = try EngineRig(2, window: 7, exclusions: [(nil, true)])
        for list in [list, [list[2], list[1], list[0], list[3]]] {
            #expect(rig.chains(EngineRig.events(list), dataEnd: 6).map(\.isOpen) == [true])
        }
        var random = SeededRandom(seed: 9200)
        var open = 0
        for _ in 0..<500 {
            var key = RandomKey(random: random, steps: 3, span: 4)
            (key.overlaps, key.exclusions) = (true, 1)
            let events = key.events(atMost: 7)
            random = key.random
            let rig = try EngineRig(3, window: 5, exclusions: [(nil, true)])
            let chains = rig.chains(events, dataEnd: 6)
            #expect(chains == rig.chains(events.reversed(), dataEnd: 6), "\(events)")
            if chains.first?.isOpen == true { open += 1 }
        }
        #expect(open > 20)
    }

    @Test func `an exclusion that spoils and does not occur changes nothing, the times of all steps included`() throws {
        var random = SeededRandom(seed: 9100)
        for _ in 0..<500 {
            var key = RandomKey(random: random, steps: 4, span: 12)
            let events = key.events(atMost: 9)
            random = key.random
            let (plain, spoiling) = (try EngineRig(4, window: 8), try EngineRig(4, window: 8, exclusions: [(nil, true)]))
            #expect(plain.chains(events) == spoiling.chains(events), "\(events)")
            let (timed, timedSpoiling) = (
                try EngineRig(4, window: 8, stepWindow: 4), try EngineRig(4, window: 8, stepWindow: 4, exclusions: [(nil, true)])
            )
            #expect(timed.chains(events, dataEnd: 14) == timedSpoiling.chains(events, dataEnd: 14), "\(events)")
        }
    }

    @Test func `events of one millisecond count even where they have too many orders to try`() throws {
        let rig = try EngineRig(12, window: 8, exclusions: [(nil, true)])
        let letters = "abcdefghijkl"
        let moment = letters.flatMap { letter in (0..<3).map { _ in (Int64(0), String(letter)) } }
        #expect(rig.chain(EngineRig.events(moment.reversed() + [(1, "x")]))?.depth == 12)
    }

    @Test("in strict order, too, a chain is found through a millisecond with many kinds of events", arguments: 10...14)
    func manyKinds(count: Int) throws {
        let letters = "abcdefghijklmn".prefix(count).map(String.init)
        func at(_ time: Int64, _ letters: [String]) -> [(Int64, String)] { letters.reversed().map { (time, $0) } }
        let (first, behind) = (at(0, ["a"]), Array(letters.dropFirst()))
        let beginning = at(0, letters.dropLast() + ["-"])
        let lists: [[(Int64, String)]] = [
            // The attempt waits for `b`. An event that fits nothing can come last, or each event comes twice.
            first + at(1, behind + ["-"]),
            first + at(1, behind + behind),
            // `bc` fits two steps. `b` takes the earlier one, because it fits no other.
            first + at(1, ["bc", "b"] + behind.dropFirst(2)),
            // The attempt begins in millisecond 0: `-` can come first there, or all but `a` do and come again later.
            beginning + at(1, letters.suffix(1)),
            beginning + behind.enumerated().map { (Int64($0.offset + 1), $0.element) },
        ]
        let rig = try EngineRig(count, window: 100, order: .strict)
        #expect(lists.map { rig.chain(EngineRig.events($0))?.depth } == lists.map { _ in count })
    }

    @Test(
        "an attempt may leave out an event that comes, in the same millisecond, before the one it waits for",
        arguments: [
            ("bbax", "0000", [(1, "ab"), (2, "ab"), (2, "c"), (3, "dx"), (3, "c")]),
            ("aabx", "0010", [(0, "ab"), (2, "c"), (2, "ab"), (3, "dx")]),
        ] as [(String, String, [(Int64, String)])])
    func waiting(_ steps: String, optional: String, list: [(Int64, String)]) throws {
        let rig = try EngineRig(4, optional: optional.map { $0 == "1" }, window: 1000, exclusions: [(3...4, false)])
        #expect(rig.chain(EngineRig.events(list))?.depth == 4)
    }

    private func merits(_ taken: [Int: Int64]) -> [Int64] {
        let last = taken.keys.max() ?? -1
        return [Int64(last), taken[last] ?? 0, taken[0] ?? 0]
    }

    @Test("the general engine counts plain funnels as the plain engine does", arguments: 0..<4)
    func agreesWithThePlainEngine(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(3000 + seed))
        for _ in 0..<500 {
            let steps = Int.random(in: 1...6, using: &random)
            var key = RandomKey(random: random, steps: steps, span: 30)
            (key.overlaps, key.mostOrders) = (seed % 2 == 1, .max)
            let events = key.events(atMost: 12)
            random = key.random
            let rig = try EngineRig(steps, window: Int64.random(in: 0...20, using: &random), since: 3, until: 25)
            let (plain, general) = (rig.chains(events), rig.chains(events, GeneralChains(rig.definition)))
            #expect(plain == general, "\(events)")
        }
    }

    @Test("spoilt attempts agree with the definition's text", arguments: 0..<8)
    func spoiltAgreesWithTheOracle(flavour: Int) throws {
        var random = SeededRandom(seed: UInt64(4000 + flavour))
        var (removed, kept) = (0, 0)
        for _ in 0..<800 {
            let steps = Int.random(in: 2...5, using: &random)
            let optional = (0..<steps).map { $0 > 0 && flavour & 1 != 0 && Bool.random(using: &random) }
            let first = Int.random(in: 1..<steps, using: &random)
            let exclusions = [
                (first...Int.random(in: first + 1...steps, using: &random), true), (1...steps, flavour & 2 != 0),
            ]
            let window = Int64.random(in: 0...20, using: &random)
            let stepWindow = flavour & 4 != 0 ? Int64.random(in: 0...8, using: &random) : nil
            var key = RandomKey(random: random, steps: steps, span: 30)
            (key.exclusions, key.isTieFree) = (2, true)
            let events = key.events(atMost: 14)
            random = key.random
            let oracle = ModeOracle(
                optional: optional, window: window, stepWindow: stepWindow,
                exclusions: exclusions.map { ($0.lowerBound - 1..<$0.upperBound - 1, $1) })
            let rig = try EngineRig(
                steps, optional: optional, window: window, stepWindow: stepWindow, exclusions: exclusions.map { ($0, $1) })
            let (found, expected) = (rig.chain(events)?.taken, oracle.best(events)?.taken)
            #expect(found == expected, "\(events), optional \(optional), window \(window) \(stepWindow ?? -1), \(exclusions)")
            if found != expected { return }
            let hadStart = events.contains { $0.steps & 1 == 1 }
            if hadStart && found == nil { removed += 1 } else if found != nil { kept += 1 }
        }
        #expect(removed > 5 && kept > 20)
    }

    @Test(
        "a window is open while an attempt that has not ended could go on",
        arguments: [
            ([(0, "a"), (5, "b")], FunnelDefinition.Order.ordered, false, nil, 9, true),
            ([(0, "a"), (5, "b")], .ordered, false, nil, 10, false), ([(0, "a"), (3, "b")], .ordered, false, 3, 5, true),
            ([(0, "a"), (3, "b")], .ordered, false, 3, 6, false), ([(0, "a"), (5, "x")], .ordered, false, nil, 6, false),
            ([(0, "a"), (5, "x"), (6, "a")], .ordered, false, nil, 7, true), ([(0, "a"), (5, "-")], .strict, false, nil, 6, false),
            ([(0, "a"), (5, "b")], .strict, false, nil, 6, true), ([(0, "a"), (5, "b")], .any, false, nil, 14, true),
            ([(0, "a"), (5, "b")], .any, false, nil, 15, false),
            // What comes after the end of the data does not change what was open then, unless it ends an attempt.
            ([(7, "a")], .ordered, false, nil, 5, true), ([(0, "a"), (20, "b")], .ordered, false, nil, 5, true),
            ([(0, "a"), (20, "b")], .ordered, true, nil, 5, true), ([(0, "a"), (20, "x")], .ordered, true, nil, 5, true),
            ([(0, "a"), (7, "x")], .ordered, false, nil, 5, false), ([(0, "a"), (4, "b")], .ordered, false, 3, 2, true),
            ([(0, "a"), (20, "-")], .strict, false, nil, 5, true), ([(0, "a"), (20, "x")], .any, false, nil, 5, true),
            ([(0, "a"), (7, "x")], .any, false, nil, 5, false),
        ] as [([(Int64, String)], FunnelDefinition.Order, Bool, Int64?, Int64, Bool)])
    func open(
        list: [(Int64, String)], order: FunnelDefinition.Order, spoils: Bool, stepWindow: Int64?, dataEnd: Int64, expected: Bool
    ) throws {
        let rig = try EngineRig(3, window: 10, stepWindow: stepWindow, order: order, exclusions: [(nil, spoils)])
        #expect(rig.chains(EngineRig.events(list), dataEnd: dataEnd).first?.isOpen == expected)
    }
}
