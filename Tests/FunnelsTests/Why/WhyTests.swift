import Basics
import EventFiles
import Testing
import TrackingEvents

@testable import Funnels

@Suite("Why people go on to a step")
struct WhyTests {
    static func why(_ definition: WhyDefinition, _ lines: [TestLine], batchSize: Int = 7) throws -> Why {
        let plan = CompiledFunnel([definition.funnel])
        var accumulator = WhyAccumulator(definition, plan)
        TestPass.read(lines, batchSize) {
            WhyBatch(definition, plan, expecting: $0)
        } consume: {
            accumulator.take($0)
        }
        return try accumulator.answer(ReadResult())
    }

    private func definition(
        _ steps: String = "a > b > c", step: Int? = nil, window: Int64 = 100, lookBack: Int64? = 0, minCount: Int = 1,
        exclusions: [String] = [], order: FunnelDefinition.Order = .ordered, key: FunnelKey = .user, stepWindow: Int64? = nil,
        since: Int64? = nil, until: Int64? = nil, counting: FunnelDefinition.Counting = .users
    ) throws -> WhyDefinition {
        try WhyDefinition(
            FunnelDefinition(
                steps: FunnelStep.parse(steps), windowMilliseconds: window, stepWindowMilliseconds: stepWindow, key: key, order: order,
                counting: counting, exclusions: exclusions.map { try FunnelExclusion.parse($0) }, since: since, until: until),
            step: step, lookBackMilliseconds: lookBack, minCount: minCount, top: 1000)
    }

    /// An event long after all others, so that every attempt is over.
    private let end = TestLine("end", 1_000_000, user: "z")

    private func counts(_ definition: WhyDefinition, _ lines: [TestLine]) throws -> [Int] {
        let why = try Self.why(definition, lines + [end])
        return [why.converted, why.dropped]
    }

    @Test func `the fork is the first attempt, whatever a later one does`() throws {
        // The first attempt ends at b, and a later one goes on. A funnel would count the key as converted.
        let lines = [TestLine("a", 1), TestLine("b", 2), TestLine("a", 500), TestLine("b", 501), TestLine("c", 502)]
        #expect(try counts(definition(), lines) == [0, 1])
        #expect(try counts(definition(window: 1000), lines) == [1, 0])
        // The fork is of the first start that comes to b, which need not be the first start.
        let late = [TestLine("a", 1), TestLine("a", 500), TestLine("b", 501), TestLine("c", 502)]
        #expect(try counts(definition(), late) == [1, 0])
        // Where b follows several starts, the fork is of the latest, because its window lasts longest.
        let two = [TestLine("a", 1), TestLine("a", 60), TestLine("b", 61), TestLine("c", 160)]
        #expect(try counts(definition(), two) == [1, 0])
    }

    @Test func `the fork can be before any step, and steps may share a millisecond`() throws {
        let lines = [TestLine("a", 1), TestLine("b", 2), TestLine("c", 3)]
        #expect(try counts(definition(step: 2), lines) == [1, 0])
        #expect(try counts(definition("a > b? > c"), lines) == [1, 0])
        let atOnce = [TestLine("a", 5), TestLine("b", 5), TestLine("c", 5)]
        #expect(try counts(definition(), atOnce) == [1, 0])
        // One event takes one step.
        #expect(try counts(definition("a > a"), [TestLine("a", 5)]) == [0, 1])
        #expect(try counts(definition("a > a"), [TestLine("a", 5), TestLine("a", 5)]) == [1, 0])
    }

    @Test func `exclusions, step windows, strict order and ranges are the funnel's`() throws {
        let lines = [TestLine("a", 1), TestLine("b", 2), TestLine("x", 3), TestLine("c", 4)]
        #expect(try counts(definition(exclusions: ["x"]), lines) == [0, 1])
        #expect(try counts(definition(exclusions: ["x@1-2"]), lines) == [1, 0])
        #expect(try counts(definition(order: .strict), lines) == [0, 1])
        #expect(try counts(definition(stepWindow: 1), lines) == [0, 1])
        #expect(try counts(definition(since: 2), lines) == [0, 0])
        #expect(try counts(definition(until: 2), lines) == [1, 0])
        let spoilt = try Self.why(definition(exclusions: ["!x"]), lines + [end])
        #expect([spoilt.converted, spoilt.dropped, spoilt.leftOutSpoilt] == [0, 0, 1])
    }

    @Test func `attempts that are open and forks too near to the first event are left out and counted`() throws {
        let lines = [
            TestLine("a", 1, user: "u"), TestLine("b", 2, user: "u"), TestLine("a", 200, user: "v"), TestLine("b", 210, user: "v"),
            TestLine("a", 950, user: "w"), TestLine("b", 951, user: "w"), TestLine("end", 1049, user: "z"),
        ]
        let why = try Self.why(definition(lookBack: 50), lines)
        #expect([why.converted, why.dropped, why.leftOutEarly, why.leftOutOpen] == [0, 1, 1, 1])
        let closed = try Self.why(definition(lookBack: 50), lines + [TestLine("end", 1050, user: "z")])
        #expect([closed.dropped, closed.leftOutOpen] == [2, 0])
        // A step window of 10 ms is over sooner.
        #expect(try Self.why(definition(lookBack: 50, stepWindow: 10), lines).leftOutOpen == 0)
    }

    @Test func `candidates are names in the time before, the fork's properties and its session's context`() throws {
        func session(_ id: String, _ time: Int64, _ props: String) -> TestLine {
            TestLine("session_started", time, session: id, kind: .meta, props: props)
        }
        let lines = [
            TestLine("early", 1, user: "u"), TestLine("near", 90, user: "u"), TestLine("a", 95, user: "u"),
            session("s", 94, #"{"platform":"ios","app":{"version":"2.1"}}"#), session("s", 120, #"{"platform":"android"}"#),
            TestLine("b", 100, user: "u", session: "s", props: #"{"n":5,"t":"x","o":{"deep":true},"list":[1],"nothing":null,"n":6}"#),
            TestLine("after", 101, user: "u"), TestLine("c", 102, user: "u"),
            TestLine("a", 300, user: "v"), TestLine("b", 310, user: "v", session: "none", props: #"{"t":"y"}"#),
        ]
        let why = try Self.why(definition(lookBack: 10), lines + [end])
        let found = Set(why.candidates.map { "\($0.kind.rawValue) \($0.name)=\($0.value ?? "-") \($0.convertedWith) \($0.droppedWith)" })
        #expect(
            found == [
                "event near=- 1 0", "property props.n=6 1 0", "property props.t=x 1 0", "property props.o.deep=true 1 0",
                "session session.platform=ios 1 0", "session session.app.version=2.1 1 0", "property props.t=y 0 1",
            ])
        #expect(why.tested == 7)
    }

    @Test func `a line that repeats a session's rate hides nothing, and of one millisecond the text that sorts last counts`() throws {
        func session(_ time: Int64, _ props: String) -> TestLine {
            TestLine("session_started", time, session: "s", kind: .meta, props: props)
        }
        let others = [TestLine("a", 20, session: "s"), TestLine("b", 21, session: "s"), TestLine("a", 20, user: "v")]
        let rotated = [session(0, #"{"platform":"ios","sample_rate":0.5}"#), session(10, #"{"repeat":true,"sample_rate":0.5}"#)]
        let tied = [session(0, #"{"platform":"ios"}"#), session(0, #"{"platform":"web"}"#)]
        let expected: [(lines: [TestLine], found: Set<String>)] = [
            (rotated, ["session.platform=ios", "session.sample_rate=0.5"]), (tied, ["session.platform=web"]),
        ]
        for (lines, found) in expected {
            for order in [lines, lines.reversed()] {
                let why = try Self.why(definition("a > b"), order + others + [end])
                #expect(Set(why.candidates.map { "\($0.name)=\($0.value ?? "-")" }) == found)
            }
        }
    }

    @Test func `tests of the session choose forks, and paths that occur nowhere are named`() throws {
        func session(_ id: String, _ platform: String) -> TestLine {
            TestLine("session_started", 1, session: id, kind: .meta, props: #"{"platform":"\#(platform)"}"#)
        }
        let lines = [
            session("s", "ios"), session("t", "web"), TestLine("a", 2, user: "u", session: "s"), TestLine("b", 3, user: "u", session: "s"),
            TestLine("a", 2, user: "v", session: "t"), TestLine("b", 3, user: "v", session: "t"),
            // The session's line may come behind its events.
            TestLine("a", 2, user: "w", session: "late"), TestLine("c", 4, user: "u", session: "t"), session("late", "ios"),
        ]
        #expect(try counts(definition("a > b"), lines) == [2, 1])
        #expect(try counts(definition("a[session.platform=ios] > b"), lines) == [1, 1])
        #expect(try counts(definition("a[session.platform=web] > b"), lines) == [1, 0])
        // The test may also be of the step after the fork.
        #expect(try counts(definition("a > b > c[session.platform=web]", step: 3), lines) == [1, 1])
        #expect(try counts(definition("a > b > c[session.platform=ios]", step: 3), lines) == [0, 2])
        let unseen = try Self.why(definition("a[session.platfrm=ios] > b[nope=1]"), lines + [end]).unseenPaths
        #expect(unseen.map(\.name) == ["props.nope", "session.platfrm"] && unseen.last?.nearest == "session.platform")
    }

    @Test func `the cost of an event grows with its properties, not with their square`() throws {
        func properties(_ count: Int) -> [UInt8] { Array("{\((0..<count).map { "\"k\($0)\":\"v\"" }.joined(separator: ","))}".utf8) }
        /// The least processor time of this thread in several runs: what else the machine does makes one dearer, never cheaper.
        func cost(_ count: Int, times: Int) -> Int64 {
            let object = properties(count)
            var least = Int64.max
            for _ in 0..<5 {
                var (table, cells) = (ValueTable(), [UInt32]())
                let start = systemNanoseconds(CLOCK_THREAD_CPUTIME_ID)
                for _ in 0..<times { object.withUnsafeBytes { table.add($0, of: .event, to: &cells) } }
                least = min(least, systemNanoseconds(CLOCK_THREAD_CPUTIME_ID) - start)
            }
            return least
        }
        // Both sides add 16,000 properties in all.
        #expect(cost(8_000, times: 2) < cost(250, times: 64) * 4)
        var (table, cells) = (ValueTable(), [UInt32]())
        Array(#"{"a":"x","o":{"a":"y"},"a":"z"}"#.utf8).withUnsafeBytes { table.add($0, of: .event, to: &cells) }
        #expect(cells.map { String(decoding: table.text(Int($0)), as: UTF8.self) }.sorted() == ["y", "z"])
    }

    @Test func `a value that too few have or lack is no candidate, and an id never is one`() throws {
        var lines: [TestLine] = []
        for user in 0..<10_010 {
            let time = Int64(user) * 10
            lines.append(TestLine("a", time, user: "u\(user)", props: #"{"id":\#(user),"rare":\#(user < 3),"some":"\#(user % 2)"}"#))
            if user % 3 == 0 { lines.append(TestLine("b", time + 1, user: "u\(user)")) }
        }
        let why = try Self.why(definition("a > b", window: 5, minCount: 4), lines)
        #expect(why.ids == ["props.id"])
        #expect(why.candidates.map(\.name) == ["props.some", "props.some"])
        #expect(try Self.why(definition("a > b", window: 5, minCount: 3), lines).candidates.count == 4)
    }

    @Test func `a table's odds ratio, interval and p-value are those of other libraries`() throws {
        var lines: [TestLine] = []
        for user in 0..<100 {
            // Of 60 that go on, 30 have `p` true; of 40 that do not, 10.
            let (goesOn, has) = (user < 60, user < 30 || (60..<70).contains(user))
            lines.append(TestLine("a", 1, user: "u\(user)", props: #"{"p":\#(has)}"#))
            if goesOn { lines.append(TestLine("b", 2, user: "u\(user)")) }
        }
        let why = try Self.why(definition("a > b"), lines + [end])
        #expect([why.converted, why.dropped] == [60, 40])
        let has = try #require(why.candidates.first { $0.value == "true" })
        #expect([has.convertedWith, has.droppedWith] == [30, 10])
        #expect(abs(has.oddsRatio - 3) < 1e-12)
        // scipy.stats, statsmodels: Table2x2([[30, 30], [10, 30]]) and proportions_ztest.
        #expect(abs(has.lower - 1.2486834397911803) < 1e-9 && abs(has.upper - 7.207591382412414) < 1e-9)
        #expect(abs(has.pValue - 0.0124193) < 1e-6)
        // The property's two values have the same p-value, so that q equals it.
        #expect(abs(has.qValue - has.pValue) < 1e-12)
    }

    @Test func `joined users, lists of users and other keys count as in a funnel`() throws {
        let lines = [
            TestLine("a", 1, user: "a-1", session: "s"), TestLine("b", 2, user: "u", session: "t"),
            TestLine("identified", 3, user: "u", kind: .meta, props: #"{"anonymous":"a-1"}"#),
        ]
        #expect(try counts(definition("a > b"), lines) == [1, 0])
        #expect(try counts(definition("a > b", key: .session), lines) == [0, 1])
        // A session that is called like an anonymous id stays a session of its own.
        let named = [TestLine("a", 1, user: "a-1", session: "a-1"), TestLine("b", 2, user: "a-2", session: "a-2")]
        let identified = ["a-1", "a-2"].map {
            TestLine("identified", 3, user: "u", kind: .meta, props: #"{"anonymous":"\#($0)"}"#)
        }
        #expect(try counts(definition("a > b", key: .session, counting: .visits), named + identified) == [0, 1])
        let funnel = try definition("a > b").funnel
        var nobody = funnel
        nobody.cohort = CohortFilter(except: try Cohort(Array("u".utf8), name: "x"))
        #expect(try counts(WhyDefinition(nobody, lookBackMilliseconds: 0, minCount: 1), lines) == [0, 0])
    }

    @Test(
        "a question without sense is refused",
        arguments: [
            ("a", nil, FunnelDefinition.Order.ordered, WhyDefinitionError.oneStep), ("a > b", 1, .ordered, .firstStep),
            ("a > b", 3, .ordered, .stepBeyond(3, steps: 2)), ("a > b? > c", 2, .ordered, .optionalStep(2)),
        ] as [(String, Int?, FunnelDefinition.Order, WhyDefinitionError)])
    func refused(steps: String, step: Int?, order: FunnelDefinition.Order, error: WhyDefinitionError) {
        #expect(throws: error) { try definition(steps, step: step, order: order) }
    }

    @Test func `funnels that the question cannot be asked of are refused`() throws {
        let steps = try FunnelStep.parse("a > b")
        let funnels = [
            try FunnelDefinition(steps: steps, order: .any), try FunnelDefinition(steps: steps, hold: ["p"]),
            try FunnelDefinition(steps: steps, counting: .attempts), try FunnelDefinition(steps: steps, breakdown: .init(path: ["p"])),
            try FunnelDefinition(steps: steps, compat: .clickhouse([])),
        ]
        for funnel in funnels {
            #expect(throws: WhyDefinitionError.self) { try WhyDefinition(funnel) }
        }
    }

    /// Counts in the plainest way: every start by itself takes the first event that fits.
    private func oracle(_ lines: [TestLine], window: Int64, lookBack: Int64, countsVisits: Bool) -> [Int] {
        let (first, last) = (lines.map(\.time).min() ?? 0, lines.map(\.time).max() ?? 0)
        var counts = [0, 0, 0, 0]
        for events in Dictionary(grouping: lines, by: \.user).values {
            let inTime = events.sorted { $0.time < $1.time }
            let starts = inTime.filter { $0.name == "a" }
            for visit in countsVisits ? Array(Dictionary(grouping: starts, by: \.session).values) : [starts] {
                let forks = visit.compactMap { start in
                    inTime.first { $0.name == "b" && $0.time >= start.time && $0.time - start.time <= window }.map {
                        ($0.time, -start.time)
                    }
                }
                guard let (fork, negated) = forks.min(by: <) else { continue }
                let isOpen = (countsVisits ? visit.map(\.time).max() ?? 0 : -negated) > last - window
                let goesOn = inTime.contains { $0.name == "c" && $0.time >= fork && $0.time + negated <= window }
                counts[isOpen ? 3 : fork - first < lookBack ? 2 : goesOn ? 0 : 1] += 1
            }
        }
        return counts
    }

    @Test("random events, followed start by start", arguments: 0..<200 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let lines = (0..<Int.random(in: 1...90, using: &random)).map { _ in
            TestLine(
                ["a", "b", "c", "d"].randomElement(using: &random) ?? "a", Int64.random(in: 0...60, using: &random),
                user: "u\(Int.random(in: 0...9, using: &random))", session: ["", "s", "t"].randomElement(using: &random) ?? "")
        }
        let (window, lookBack) = (Int64.random(in: 0...30, using: &random), Int64.random(in: 0...20, using: &random))
        for counting in [FunnelDefinition.Counting.users, .visits] {
            let definition = try definition(window: window, lookBack: lookBack, counting: counting)
            let found = try Self.why(definition, lines, batchSize: Int.random(in: 1...9, using: &random))
            #expect(
                [found.converted, found.dropped, found.leftOutEarly, found.leftOutOpen]
                    == oracle(lines, window: window, lookBack: lookBack, countsVisits: counting == .visits))
        }
    }

    @Test func `a busy key's events are looked at a few times, however many forks lie within one another's windows`() throws {
        let definition = try definition(window: 10_000, lookBack: 10_000, counting: .visits)
        let forks = try WhyForks(definition, first: -20_000, dataEnd: 100_000)
        // 1,000 sessions of one user, each of `a`, `b` and another event. The 500th has `c` in place of that event.
        let events = (0..<3000).map { index -> WhyEvent in
            let isOutcome = index == 1499
            return WhyEvent(
                time: Int64(index), steps: isOutcome ? 4 : [1, 2, 0][index % 3], exclusions: 0, name: isOutcome ? 3 : UInt32(index % 3),
                detail: UInt32(index / 3 + 1))
        }
        var found: [WhyForks.Found] = []
        events.withUnsafeBufferPointer { forks.follow(0, $0, hold: \.detail) { found.append($0) } }
        #expect(found.count == 1000 && found.prefix(500).allSatisfy(\.isConverted) && !found.dropFirst(500).contains(where: \.isConverted))
        #expect(found[0].before == [0: 1, 1: 1] && found[999].before == [0: 1000, 1: 1000, 2: 998, 3: 1])
        #expect(forks.looks <= 3 * events.count, "\(forks.looks)")
    }

    @Test("a funnel without exclusions is answered as by the engine that follows every event", arguments: 0..<100 as Range<UInt64>)
    func plain(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let lines = (0..<60).map { _ in
            TestLine(
                ["a", "b", "c", "d"].randomElement(using: &random) ?? "a", Int64.random(in: 0...30, using: &random),
                user: ["u", "v"].randomElement(using: &random) ?? "u", session: ["", "s", "t", "r"].randomElement(using: &random) ?? "")
        }
        let steps = ["a > b > c", "(a | b) > (a | b) > (b | c)", "a > a > a > a", "(a | c) > b > (a | b | c)"][Int(seed % 4)]
        let (window, lookBack) = (Int64.random(in: 0...20, using: &random), Int64.random(in: 0...9, using: &random))
        let whys = try [[], ["never"]].map { exclusions in
            try Self.why(definition(steps, window: window, lookBack: lookBack, exclusions: exclusions, counting: .visits), lines + [end])
        }
        #expect([whys[0].converted, whys[0].dropped] == [whys[1].converted, whys[1].dropped])
        #expect(whys[0].candidates == whys[1].candidates)
    }

    @Test func `each visit has a fork, and a range chooses visits by their first starts`() throws {
        let lines = [
            TestLine("a", 1, session: "s"), TestLine("b", 2, session: "s"), TestLine("a", 1000, session: "t"),
            TestLine("b", 1001, session: "t"),
            TestLine("c", 1002, session: "t"), TestLine("a", 2000, session: "s"), TestLine("b", 2001, session: "s"),
        ]
        #expect(try counts(definition(), lines) == [0, 1])
        #expect(try counts(definition(counting: .visits), lines) == [1, 1])
        #expect(try counts(definition(since: 500, counting: .visits), lines) == [1, 0])
        let spoilt = try Self.why(definition(exclusions: ["!b@2-3"], counting: .visits), lines + [end])
        #expect([spoilt.converted, spoilt.dropped, spoilt.leftOutSpoilt] == [1, 1, 0])
        // A session is over once it has been silent for half an hour; its window need not have ended.
        let late = [TestLine("a", 0, session: "s"), TestLine("b", 1, session: "s"), TestLine("end", 2_000_000, user: "z", session: "y")]
        let bySession = try Self.why(definition(window: 3_000_000, key: .session, counting: .visits), late)
        #expect([bySession.dropped, bySession.leftOutOpen] == [1, 0])
        #expect(try Self.why(definition(window: 3_000_000, counting: .visits), late).leftOutOpen == 1)
    }

    @Test func `beside a funnel of users by session, both ids of a person are one person`() throws {
        var lines: [TestLine] = []
        for person in 0..<60 {
            let (has, goesOn) = (person % 2 == 0, person % 2 == 0 ? person % 10 > 0 : person % 3 == 0)
            for (number, user) in ["a-\(person)", "u-\(person)"].enumerated() {
                let (time, session) = (Int64(number * 1000 + person * 10), "\(person) \(number)")
                lines.append(TestLine("a", time, user: user, session: session, props: #"{"p":\#(has)}"#))
                if goesOn { lines.append(TestLine("b", time + 1, user: user, session: session)) }
            }
            lines.append(TestLine("identified", 1, user: "u-\(person)", kind: .meta, props: #"{"anonymous":"a-\#(person)"}"#))
        }
        let ofVisits = try Self.why(definition("a > b", window: 5, key: .session, counting: .visits), lines + [end])
        let ofUsers = try definition("a > b", window: 5, key: .session).funnel
        let beside = try Self.why(
            WhyDefinition(ofUsers, lookBackMilliseconds: 0, minCount: 1, top: 1000, besideFunnel: true), lines + [end])
        #expect(beside.findings == ofVisits.findings && beside.findings.count == 1)
    }

    @Test func `a finding names the values that nearly the same visits have`() throws {
        var lines: [TestLine] = []
        for user in 0..<200 {
            let (session, isWeb) = ("s\(user)", user % 4 == 0)
            lines.append(
                TestLine(
                    "session_started", Int64(user), user: "u\(user)", session: session, kind: .meta,
                    props: #"{"platform":"\#(isWeb ? "web" : "ios")"}"#))
            lines.append(
                TestLine("a", Int64(user), user: "u\(user)", session: session, props: #"{"screen":"\#(isWeb ? "wide" : "tall")"}"#))
            if isWeb ? user % 40 == 0 : user % 3 > 0 { lines.append(TestLine("b", Int64(user) + 1, user: "u\(user)", session: session)) }
        }
        let why = try Self.why(definition("a > b", window: 5, counting: .visits), lines + [end])
        let finding = try #require(why.findings.first)
        #expect(why.findings.count == 1 && finding.of.map(\.value) == ["web"] && finding.same.map(\.name) == ["props.screen"])
        #expect([finding.entered, finding.converted] == [50, 5] && finding.claim.kind == .less)
        #expect(finding.claim.adjustedFor == [.day, .eventsBefore] && finding.difference < -0.5)
        // Nothing is claimed where users are counted.
        let users = try Self.why(definition("a > b", window: 5), lines + [end])
        #expect(users.findings.isEmpty && users.silence.refused == .unit && !users.candidates.isEmpty)
    }
}
