import Foundation
import Testing
import TrackingEvents

@testable import Funnels

@Suite("Visits of a key")
struct VisitFoldTests {
    private func visits(
        _ steps: String, _ lines: [TestLine], key: FunnelKey = .user, order: FunnelDefinition.Order = .ordered, window: Int64 = 7_200_000,
        stepWindow: Int64? = nil, breakdown: String? = nil, since: Int64? = nil, until: Int64? = nil, mature: Bool = false
    ) throws -> FunnelResult {
        let definition = try FunnelDefinition(
            steps: FunnelStep.parse(steps), windowMilliseconds: window, stepWindowMilliseconds: stepWindow, key: key, order: order,
            counting: .visits,
            breakdown: breakdown.map { try FunnelBreakdown.parse($0) }, since: since, until: until)
        return TestPass.funnel(mature ? definition.counting(.mature) : definition, lines)
    }

    private static let minute: Int64 = 60_000

    private func line(_ name: String, _ minutes: Int64, _ session: String = "", user: String = "u", _ props: String = "{}") -> TestLine {
        TestLine(name, minutes * Self.minute, user: user, session: session, props: props)
    }

    @Test func `each session with a start is a visit, whose later steps may lie in other sessions`() throws {
        let result = try visits("a > b", [line("a", 0, "s"), line("a", 1, "s"), line("a", 2, "t"), line("b", 90, "r")])
        #expect(result.steps.map(\.count) == [2, 2])
        // `b` comes too late for the start of the first session.
        #expect(try visits("a > b", [line("a", 0, "s"), line("a", 50, "t"), line("b", 130, "r")]).steps.map(\.count) == [2, 1])
    }

    @Test func `without a session, starts less than half an hour apart are one visit`() throws {
        #expect(try visits("a > b", [line("a", 0), line("a", 29), line("a", 58), line("a", 88)]).steps.map(\.count) == [2, 0])
    }

    @Test func `a visit belongs to the time of its first start in all data, and all of its starts count`() throws {
        let lines = [line("a", 0, "s"), line("a", 60, "s"), line("b", 150, "s"), line("a", 70, "t")]
        let (early, late) = (try visits("a > b", lines, until: 30 * Self.minute), try visits("a > b", lines, since: 30 * Self.minute))
        #expect(early.steps.map(\.count) == [1, 1] && late.steps.map(\.count) == [1, 1])
    }

    @Test func `a visit is mature if its last start is`() throws {
        let lines = [line("a", 0, "s"), line("a", 50, "s"), line("a", 0, "t", user: "v"), line("z", 121, "t", user: "v")]
        #expect(try visits("a > b", lines, mature: true).steps.map(\.count) == [1, 0])
    }

    @Test func `by session a start is mature when its session has been silent, whatever the window`() throws {
        let lines = [line("a", 0, "s"), line("z", 20, "s"), line("a", 5, "t"), line("z", 60, "t"), line("z", 61, "r")]
        // Session `t` may go on, so that only the start of `s` is mature. By user, no start is.
        #expect(try visits("a > b", lines, key: .session, mature: true).steps.map(\.count) == [1, 0])
        #expect(try visits("a > b", lines, mature: true).steps.map(\.count) == [0, 0])
        let users = try FunnelDefinition(steps: FunnelStep.parse("a > b"), key: .session)
        #expect(TestPass.funnel(users.counting(.mature), lines).entered == 1)
        // A start whose session is over is not open, either.
        #expect(try visits("a > b", lines, key: .session).windowOpen == 1 && visits("a > b", lines).windowOpen == 2)
        #expect(TestPass.funnel(users, lines).windowOpen == 1 && TestPass.funnel(users.counting(.mature), lines).windowOpen == 0)
    }

    @Test func `a visit's group is the first value of its own events`() throws {
        let lines = [
            line("a", 0, "s"), line("b", 1, "s", #"{"p":"x"}"#), line("a", 2, "t", #"{"p":"y"}"#), line("b", 3, "t", #"{"p":"z"}"#),
            line("z", 500, "u"),
        ]
        let result = try visits("a > b", lines, breakdown: "p")
        #expect(result.groups.map(\.value).sorted() == ["x", "y"] && result.groups.allSatisfy { $0.steps[1].count == 1 })
        let known = result.visits?.cells.reduce(0) { $0 + $1.knownAtStart }
        #expect(known == 1)
    }

    @Test func `settings that visits cannot be counted with are refused`() throws {
        for (order, key, hold) in [(.any, .user, nil), (.ordered, .system, nil), (.ordered, .user, ["p"])]
            as [(FunnelDefinition.Order, FunnelKey, [String]?)]
        {
            #expect(throws: FunnelDefinitionError.self) {
                try FunnelDefinition(steps: FunnelStep.parse("a > b"), key: key, order: order, hold: hold, counting: .visits)
            }
        }
    }

    /// Passes events on to an engine, and counts them.
    private final class CountingEngine: ChainEngine {
        let engine: any ChainEngine
        var count = 0
        var rules: ChainRules {
            get { engine.rules }
            set { engine.rules = newValue }
        }

        init(_ engine: any ChainEngine) { self.engine = engine }

        func follow(_ events: UnsafeBufferPointer<StepEvent>, dataEnd: Int64, _ body: (FunnelChain) -> Void) {
            count += events.count
            engine.follow(events, dataEnd: dataEnd, body)
        }
    }

    @Test("a visit is followed as far as its starts can reach, not through its whole window", arguments: [false, true])
    func reach(isStrict: Bool) throws {
        let definition = try FunnelDefinition(
            steps: FunnelStep.parse("a > b > z"), windowMilliseconds: 7_200_000, stepWindowMilliseconds: isStrict ? nil : 3,
            order: isStrict ? .strict : .ordered, counting: .visits)
        // 1,000 sessions of one user within the window, each of three events.
        let events = (0..<3000).map { StepEvent(time: Int64($0), steps: [1, 2, 0][$0 % 3], hold: UInt32($0 / 3 + 1)) }
        let engine = CountingEngine(definition.engine())
        var depths: [Int] = []
        events.withUnsafeBufferPointer {
            VisitFold(definition, engine, values: []).follow(0, $0, dataEnd: 3000) { chain, _ in depths.append(chain.depth) }
        }
        #expect(depths == Array(repeating: 2, count: 1000))
        #expect(engine.count < 10_000, "\(engine.count)")
    }

    /// Random events of two users in few sessions; some fit two steps, and some share a time if `ties` is true.
    private func random(_ seed: UInt64, ties: Bool) -> [TestLine] {
        var random = SeededRandom(seed: seed)
        return (0..<40).map { index in
            let minute = ties ? Int64.random(in: 0..<60, using: &random) : Int64(index) * 3 + Int64.random(in: 0..<3, using: &random)
            return line(
                ["a", "b", "c", "ab"].randomElement(using: &random) ?? "", minute, ["", "s", "t", "r"].randomElement(using: &random) ?? "",
                user: ["u", "v"].randomElement(using: &random) ?? "")
        }
    }

    @Test("each visit counts as the funnel of its own starts does", arguments: [false, true])
    func oracle(ties: Bool) throws {
        // `LOOPTRAIL_ROUNDS` sets another number of rounds.
        for seed in 0..<(ProcessInfo.processInfo.environment["LOOPTRAIL_ROUNDS"].flatMap(UInt64.init) ?? 8) {
            let lines = random(seed, ties: ties)
            for (steps, order, stepWindow) in [
                ("a > b > c", .ordered, nil), ("(a | ab) > (b | ab) > c", .ordered, nil), ("a > b? > c", .ordered, nil),
                ("a > b", .strict, nil), ("a > b > c", .strict, nil), ("a > b? > c", .strict, nil), ("a > b > c", .ordered, 5),
                ("(a | ab) > (b | ab)? > c", .ordered, 4),
            ] as [(String, FunnelDefinition.Order, Int64?)] {
                let stepWindow = stepWindow.map { $0 * Self.minute }
                let result = try visits(steps, lines, order: order, window: 20 * Self.minute, stepWindow: stepWindow)
                let names: Set<String> = steps.hasPrefix("(") ? ["a", "ab"] : ["a"]
                // A visit is the starts of one session, or sessionless starts less than half an hour apart. Other starts are renamed.
                var (counts, times) = ([0, 0, 0], 0.0)
                for user in ["u", "v"] {
                    let own = lines.filter { $0.user == user }.sorted { $0.time < $1.time }
                    var visitOf: [Int?] = []
                    var (sessions, last, next): ([String: Int], Int64, Int) = ([:], .min / 2, 0)
                    for line in own {
                        guard names.contains(line.name) else { visitOf.append(nil); continue }
                        let isKnown = sessions[line.session] != nil && (!line.session.isEmpty || line.time - last < 30 * Self.minute)
                        if !isKnown {
                            sessions[line.session] = next
                            next += 1
                        }
                        if line.session.isEmpty { last = line.time }
                        visitOf.append(sessions[line.session])
                    }
                    for visit in 0..<next {
                        let renamed = zip(own, visitOf).map { line, of in
                            var line = line
                            if let of, of != visit { line.name = line.name == "ab" && order == .ordered ? "b-only" : "other" }
                            return line
                        }
                        let asked = steps.replacing("(b | ab)", with: "(b | ab | b-only)")
                        let definition = try FunnelDefinition(
                            steps: FunnelStep.parse(asked), windowMilliseconds: 20 * Self.minute, stepWindowMilliseconds: stepWindow,
                            order: order)
                        let alone = TestPass.funnel(definition, renamed)
                        for step in alone.steps { counts[step.index - 1] += step.count }
                        times += alone.timeToConvert?.mean ?? 0
                    }
                }
                #expect(result.steps.map(\.count) == Array(counts.prefix(result.steps.count)), "\(seed) \(steps)")
                let total = result.timeToConvert.map { $0.mean * Double($0.n) } ?? 0
                #expect(abs(total - times) < 1, "\(seed) \(steps)")
            }
        }
    }
}
