import EventFiles
import Foundation
import TestSupport
import Testing
import TrackingEvents

@testable import Funnels

/// Lines that tests explain, without files.
struct ExplainRig {
    let definition: FunnelDefinition
    var lines: [TestLine]
    /// How many events the engine may follow for a key; `nil` for the limit that holds outside tests.
    var mostWork: Int?

    init(_ definition: FunnelDefinition, _ lines: [TestLine]) { (self.definition, self.lines) = (definition, lines) }

    init(
        _ steps: String, window: Int64 = 100, stepWindow: Int64? = nil, key: FunnelKey = .user, order: FunnelDefinition.Order = .ordered,
        hold: [String]? = nil, exclusions: [String] = [], since: Int64? = nil, until: Int64? = nil, _ lines: [TestLine]
    ) throws {
        self.init(
            try FunnelDefinition(
                steps: FunnelStep.parse(steps), windowMilliseconds: window, stepWindowMilliseconds: stepWindow, key: key, order: order,
                hold: hold, exclusions: exclusions.map { try FunnelExclusion.parse($0) }, since: since, until: until), lines)
    }

    func explanation(of key: String = "u") throws -> Explanation {
        try run().explanation(of: key, pass: pass).explanation
    }

    private func run() throws -> ExplainRun {
        var run = try ExplainRun(definition)
        if let mostWork { run.mostWork = mostWork }
        return run
    }

    func reasons() throws -> DropReasons {
        let run = try run()
        let plan = AskedFunnel(definition).plan
        var accumulator = FunnelAccumulator(plan)
        TestPass.read(lines, 3, into: { FunnelBatch(plan, expecting: $0) }, consume: { accumulator.take($0) })
        return try run.reasons(of: accumulator.members(.reached(step: 1), ReadResult()), pass: pass)
    }

    fileprivate func pass(_ selection: ExplainBatch.Selection) -> ExplainPass {
        let (asked, pass) = (AskedFunnel(definition), ExplainPass(AskedFunnel(definition)))
        TestPass.read(lines, 3, into: { ExplainBatch(asked, selection, expecting: $0) }, consume: { pass.take($0) })
        pass.finish(ReadResult())
        return pass
    }

    /// The verdict in few words: kind, step and, if any, milliseconds, as in `late 2 12`.
    func verdict(of key: String = "u") throws -> String {
        let found = try explanation(of: key)
        guard let verdict = found.verdict else { return "converted" }
        let shift = verdict.byMilliseconds.map { " \($0)" } ?? ""
        return (found.edits.count > 1 ? "several " : "") + "\(verdict.kind.rawValue) \(verdict.step)\(shift)"
    }
}

@Suite("Why a key did not convert")
struct ExplainTests {
    private func lines(_ events: [(String, Int64)]) -> [TestLine] {
        events.map { TestLine($0, $1) } + [TestLine("end", 100_000, user: "z")]
    }

    @Test(
        "the nearest single change is named, with its step and how far it is",
        arguments: [
            ("converted", ["a": 1, "b": 2, "c": 3]), ("late 3 12", ["a": 0, "b": 2, "c": 112]), ("order 3 4", ["c": 1, "a": 2, "b": 5]),
            ("missing 3", ["a": 1, "b": 2]), ("missing 1", ["b": 2, "c": 3]), ("several missing 2", ["a": 1]),
        ] as [(String, [String: Int64])])
    func ordinary(expected: String, events: [String: Int64]) throws {
        let lines = lines(events.sorted { $0.value < $1.value }.map { ($0.key, $0.value) })
        #expect(try ExplainRig("a > b > c", lines).verdict() == expected)
    }

    @Test func `starts outside the range, exclusions and events between steps are named as reasons`() throws {
        let whole = lines([("a", 1), ("b", 5)])
        #expect(try ExplainRig("a > b", since: 3, whole).verdict() == "range 1 2")
        #expect(try ExplainRig("a > b", until: 1, whole).verdict() == "range 1 1")
        let between = lines([("a", 1), ("x", 3), ("b", 5)])
        #expect(try ExplainRig("a > b", exclusions: ["x"], between).verdict() == "excluded 2")
        #expect(try ExplainRig("a > b", exclusions: ["!x"], between).verdict() == "excluded 1")
        #expect(try ExplainRig("a > b", order: .strict, between).verdict() == "interrupted 2")
        // The first b is taken for good, and c is too far from it.
        let early = lines([("a", 0), ("b", 1), ("b", 8), ("c", 12)])
        #expect(try ExplainRig("a > b > c", stepWindow: 10, early).verdict() == "interrupted 3")
    }

    @Test func `a value that a step asks for is changed, of the event or of its session`() throws {
        let cheap = [TestLine("cart", 1, id: "e1", props: #"{"price":4.5}"#), TestLine("paid", 2)]
        let found = try ExplainRig("cart[price>=5] > paid", cheap).explanation()
        let cart = Explanation.Event(id: "e1", name: "cart", timeMilliseconds: 1)
        #expect(found.edits == [.set(cart, path: "props.price", was: "4.5", to: "5")])
        #expect(found.verdict?.wanted == ">=5")
        let web = [
            TestLine("session_started", 0, session: "s", kind: .meta, props: #"{"platform":"web"}"#), TestLine("cart", 1, session: "s"),
            TestLine("paid", 2, session: "s"),
        ]
        let session = try ExplainRig("cart[session.platform=ios] > paid", web).explanation()
        let began = Explanation.Event(id: nil, name: "session_started", timeMilliseconds: 0)
        #expect(session.edits == [.set(began, path: "session.platform", was: "web", to: "ios")])
        let other = [TestLine("a", 1, props: #"{"sku":1}"#), TestLine("b", 2, id: "b1", props: #"{"sku":2}"#)]
        let held = try ExplainRig("a > b", hold: ["sku"], other).explanation()
        #expect(held.edits == [.set(Explanation.Event(id: nil, name: "a", timeMilliseconds: 1), path: "props.sku", was: "1", to: "2")])
    }

    @Test func `an id of the same session is joined if it was never identified`() throws {
        let apart = [
            TestLine("a", 1, user: "u", session: "s"), TestLine("b", 2, user: "anon-7", session: "s"), TestLine("b", 3, user: "anon-8"),
        ]
        #expect(try ExplainRig("a > b", apart).explanation().edits == [.join(alias: "anon-7")])
        // Events of an id that became another user are that user's.
        let known = apart + [TestLine("identified", 4, user: "v", kind: .meta, props: #"{"anonymous":"anon-7"}"#)]
        #expect(try ExplainRig("a > b", known).verdict() == "missing 2")
        let own = apart + [TestLine("identified", 4, user: "u", kind: .meta, props: #"{"anonymous":"anon-7"}"#)]
        #expect(try ExplainRig("a > b", own).verdict() == "converted")
        #expect(try ExplainRig("a > b", own).explanation(of: "anon-7").key == "u")
        // Where the key is not the user, no ids are joined.
        #expect(try ExplainRig("a > b", key: .session, apart + [TestLine("end", 9)]).verdict(of: "s") == "converted")
    }

    @Test(
        "where more than 16 other unknown ids share a session, none is taken for the key's", arguments: [16, 17], [false, true])
    func shared(others: Int, isIdentified: Bool) throws {
        let anonymous = (1...others).map { TestLine("b", 2, user: "anon-\($0)", session: "s") }
        let own = isIdentified ? [TestLine("identified", 0, user: "u", kind: .meta, props: #"{"anonymous":"u-0"}"#)] : []
        let rig = try ExplainRig("a > b", own + [TestLine("a", 1, user: "u", session: "s")] + anonymous + lines([]))
        #expect(try rig.verdict() == (others == 16 ? "alias 2" : "missing 2"))
    }

    @Test func `the best attempt comes with its events and its remaining time`() throws {
        let found = try ExplainRig("a > b > c", [TestLine("a", 1, id: "1"), TestLine("b", 5, id: "2"), TestLine("end", 61, user: "z")])
            .explanation()
        #expect(found.reached == 2)
        #expect(found.chain.map(\.event.id) == ["1", "2"])
        #expect(found.openMilliseconds == 40)
        #expect(!found.converted && found.hasEvents && found.hadSteps == 0b011)
        #expect(try !ExplainRig("a > b", found.chain.map { _ in TestLine("a", 1) }).explanation(of: "nobody").hasEvents)
    }

    @Test func `a step that the key took counts as taken, at any distance, whichever step is lacking`() throws {
        let found = try ExplainRig("a > b > c", lines([("c", 1), ("a", 1000)])).explanation()
        #expect(found.edits.count == 2 && found.hadSteps == 0b101)
    }

    @Test(
        "an attempt's remaining time ends with the step window, and with the session",
        arguments: [
            (nil, .user, 1000, 40), (70, .user, 1000, 14), (60, .user, 1000, 4), (50, .user, 1000, nil), (100, .user, 1000, 40),
            (nil, .session, 1000, 40), (nil, .session, 31, 40), (nil, .session, 30, nil), (70, .session, 31, 14),
        ] as [(Int64?, FunnelKey, Int64, Int64?)])
    func open(stepWindow: Int64?, key: FunnelKey, timeout: Int64, expected: Int64?) throws {
        var definition = try FunnelDefinition(
            steps: FunnelStep.parse("a > b > c"), windowMilliseconds: 100, stepWindowMilliseconds: stepWindow, key: key)
        definition.sessionTimeoutMilliseconds = timeout
        // The session goes on with an event that no step wants.
        let lines = [TestLine("a", 1, session: "u"), TestLine("b", 5, session: "u"), TestLine("x", 31, session: "u")]
        let end = TestLine("end", 61, user: "z", session: "z")
        #expect(try ExplainRig(definition, lines + [end]).explanation().openMilliseconds == expected)
    }

    @Test(
        "where the best attempt is over, the latest one has time left, if the funnel says so",
        arguments: [
            (["a": [0, 100]], nil, 100, .ordered, 60), (["a": [0, 200]], nil, 40, .ordered, 40), (["a": [0, 90]], nil, 50, .ordered, nil),
            (["a": [0, 100]], 50, 100, .ordered, 10), (["a": [0, 100], "b": [130]], 50, 100, .ordered, 40),
            (["a": [0, 100]], 40, 100, .ordered, nil), (["a": [0, 100]], nil, 100, .any, 60),
            (["a": [0, 100]], nil, 100, .strict, 60), (["a": [0, 100], "x": [120]], nil, 100, .strict, nil),
        ] as [([String: [Int64]], Int64?, Int64, FunnelDefinition.Order, Int64?)])
    func openLater(events: [String: [Int64]], stepWindow: Int64?, window: Int64, order: FunnelDefinition.Order, expected: Int64?) throws {
        let times = events.flatMap { name, times in times.map { (name, $0) } }.sorted { $0.1 < $1.1 }
        let lines = times.map { TestLine($0, $1) } + [TestLine("end", max(140, times.last?.1 ?? 0), user: "z")]
        let rig = try ExplainRig("a > b > c", window: window, stepWindow: stepWindow, order: order, lines)
        #expect(try rig.explanation().openMilliseconds == expected)
        #expect(try (rig.reasons().windowOpen > 0) == (expected != nil))
    }

    @Test func `the longest window and the furthest times overflow nothing`() throws {
        let endless = try FunnelDefinition(steps: FunnelStep.parse("a > b"), windowMilliseconds: .max)
        let early = try ExplainRig(endless.counting(.mature), [TestLine("a", -10), TestLine("end", -5, user: "z")]).explanation()
        #expect(early.edits.count == 2 && early.edits.first == .range)
        var ended = endless
        ended.dataEnd = 0
        #expect(try ExplainRig(ended, [TestLine("a", 10)]).explanation().openMilliseconds == Int64.max)
        // A start after the data's end has its window, and no more.
        var short = try FunnelDefinition(steps: FunnelStep.parse("a > b"), windowMilliseconds: 100)
        short.dataEnd = 0
        #expect(try ExplainRig(short, [TestLine("a", 10)]).explanation().openMilliseconds == 100)
        let far = try FunnelDefinition(steps: FunnelStep.parse("a > b"), windowMilliseconds: 5, since: Int64.max - 1)
        let past = Int64.min / 2
        #expect(try ExplainRig(far, [TestLine("a", past), TestLine("b", past)]).explanation().verdict?.byMilliseconds == Int64.max)
    }

    @Test func `an event added to a key without events has the key's property, and its session's context`() throws {
        let line = TestLine("session_started", 0, session: "s", kind: .meta, props: #"{"q":"y"}"#)
        let all = lines([("x", 1)]) + [line]
        let session = try ExplainRig("a[session.q=x]", key: .session, all).explanation(of: "s")
        let began = Explanation.Event(id: nil, name: "session_started", timeMilliseconds: 0)
        #expect(session.edits.count == 2 && session.edits.first == .set(began, path: "session.q", was: "y", to: "x"))
        #expect(try ExplainRig("a[session.q=x]", key: .context(["q"]), all).explanation(of: "y").edits.isEmpty)
        #expect(try ExplainRig("a[p=1]", key: .property(["p"]), all).explanation(of: "2").edits.isEmpty)
        #expect(try ExplainRig("a[p=1]", key: .property(["p"]), all).explanation(of: "1").edits.count == 1)
    }

    @Test func `by a session's property the input is counted as the funnel counts it, whether or not a session has the value`() throws {
        func began(_ time: Int64, _ props: String, session: String = "s") -> TestLine {
            TestLine("session_started", time, session: session, kind: .meta, props: props)
        }
        let lines = [
            began(0, #"{"p":"x"}"#), TestLine("a", 1, session: "s", id: "1"), TestLine("a", 1, session: "s", id: "1"), began(5, "{}"),
            TestLine("b", 6, session: "s"), TestLine("other", 7, session: "s", id: "7"), TestLine("other", 7, session: "s", id: "7"),
            TestLine("a", 8), TestLine("a", 9, session: "t"), began(0, #"{"p":""}"#, session: "t"),
        ]
        let rig = try ExplainRig("a > b", key: .context(["p"]), lines)
        let expected = TestPass.funnel(rig.definition, lines).input
        #expect(expected.withoutKey == 4 && expected.duplicates == 2)
        for value in ["x", "nobody"] {
            var passes = 0
            let found = try ExplainRun(rig.definition).explanation(of: value) {
                passes += 1
                // Without keys no lines of summaries are compared.
                #expect(!$0.keys.all.isEmpty)
                return rig.pass($0)
            }
            var input = found.explanation.input
            input.dataEnd = nil
            #expect(input == expected && found.explanation.hasEvents == (value == "x"))
            #expect(passes == (value == "x" ? 2 : 1))
        }
    }

    @Test func `of mature starts those of a session that goes on do not count before their windows end`() throws {
        var bySession = try FunnelDefinition(steps: FunnelStep.parse("a > b"), windowMilliseconds: 1000, key: .session)
        bySession.sessionTimeoutMilliseconds = 50
        let over = [TestLine("a", 0, session: "over"), TestLine("b", 1, session: "over")]
        let goesOn = [TestLine("a", 20, session: "on"), TestLine("b", 21, session: "on"), TestLine("x", 100, session: "on")]
        let rig = ExplainRig(bySession.counting(.mature), over + goesOn)
        #expect(TestPass.funnel(rig.definition, rig.lines).converted == 1)
        #expect(try rig.verdict(of: "over") == "converted")
        #expect(try rig.verdict(of: "on") == "range 1 920")
    }

    @Test func `a key that began no attempt is no distance away from the range of starts`() throws {
        // No start is both after the range's beginning and mature.
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"), windowMilliseconds: 100, since: 500).counting(.mature)
        let found = try ExplainRig(definition, [TestLine("b", 10), TestLine("end", 550, user: "z")]).explanation()
        #expect(found.edits.count == 3 && found.edits.first == .range && found.verdict?.kind == .range)
        #expect(found.verdict?.byMilliseconds == nil)
    }

    @Test func `without a key the verdicts of all who entered are summed`() throws {
        var lines: [TestLine] = []
        for user in 0..<9 {
            lines.append(TestLine("a", 0, user: "u\(user)"))
            if user < 2 { lines.append(TestLine("b", 50, user: "u\(user)")) }
            if user >= 2 && user < 7 { lines.append(TestLine("b", 100 + Int64(user), user: "u\(user)")) }
        }
        lines += [TestLine("b", 3, user: "nobody"), TestLine("end", 100_000, user: "z")]
        let reasons = try ExplainRig("a > b", lines).reasons()
        #expect((reasons.entered, reasons.converted, reasons.asked) == (9, 2, 7))
        let counted = reasons.counts.map { "\($0.count) \($0.kind?.rawValue ?? "several") \($0.step) \($0.medianMilliseconds ?? 0)" }
        #expect(counted == ["5 late 2 4.0", "2 missing 2 0.0"] && reasons.windowOpen == 0)
    }

    @Test func `keys that still have time are counted beside their verdicts, unless starts are mature`() throws {
        let lines = [
            TestLine("a", 0, user: "late"), TestLine("b", 150, user: "late"), TestLine("a", 100, user: "open"),
            TestLine("a", 101, user: "open"), TestLine("a", 140, user: "done"), TestLine("b", 150, user: "done"),
        ]
        let rig = try ExplainRig("a > b", lines)
        let reasons = try rig.reasons()
        #expect((reasons.asked, reasons.windowOpen) == (2, 1) && reasons.counts.map(\.count) == [1, 1])
        let mature = try ExplainRig(rig.definition.counting(.mature), lines).reasons()
        #expect((mature.asked, mature.windowOpen) == (1, 0))
        // A session that is over gets no more events.
        var bySession = try FunnelDefinition(steps: FunnelStep.parse("a > b"), windowMilliseconds: 1000, key: .session)
        bySession.sessionTimeoutMilliseconds = 50
        let sessions = [TestLine("a", 0, session: "s"), TestLine("a", 90, session: "t"), TestLine("x", 100, session: "t")]
        #expect(try ExplainRig(bySession, sessions).reasons().windowOpen == 1)
    }

    /// Attempts one after the other, each excluded by two events.
    private func excludedAttempts(_ count: Int, apart: Int64) -> [TestLine] {
        (0..<count).flatMap { number in
            zip("axxb", 0...).map { name, place in TestLine(String(name), Int64(number) * apart + place * 1000) }
        }
    }

    @Test("the explanation of a key with thousands of events agrees with the summed reasons", arguments: [600, isNight ? 5000 : 2000])
    func manyEvents(count: Int) throws {
        let end = Int64(count) * 3_600_000
        let last = [TestLine("a", end), TestLine("x", end + 1000), TestLine("b", end + 2000)]
        let rig = try ExplainRig("a > b", window: 60_000, exclusions: ["x"], excludedAttempts(count, apart: 3_600_000) + last)
        let found = try rig.explanation()
        #expect(found.edits == [.remove(Explanation.Event(id: nil, name: "x", timeMilliseconds: end + 1000))])
        #expect(found.verdict?.kind == .excluded && found.unsearchedEvents == nil)
        let reasons = try rig.reasons()
        #expect(reasons.counts.map(\.kind) == [.excluded] && reasons.unsearched == 0)
    }

    @Test(
        "a search that is cut off gives no verdict, neither for one key nor in the sums",
        arguments: [(nil, false), (100, true), (9000, true), (20_000, true), (100_000, false)] as [(Int?, Bool)])
    func cut(mostWork: Int?, isCut: Bool) throws {
        // All events are in one window, so that each try follows all of them.
        var rig = try ExplainRig("a > b", window: 10_000_000, exclusions: ["x"], excludedAttempts(30, apart: 10_000))
        rig.mostWork = mostWork
        let (found, reasons) = try (rig.explanation(), rig.reasons())
        #expect(found.unsearchedEvents == (isCut ? 120 : nil))
        #expect(found.verdict?.kind == (isCut ? nil : .late) && found.verdict?.byMilliseconds == (isCut ? nil : 2001))
        #expect(found.edits.isEmpty == isCut)
        #expect((reasons.asked, reasons.unsearched) == (1, isCut ? 1 : 0))
        #expect(reasons.counts.map(\.kind) == (isCut ? [] : [.late]))
    }
}

/// Random people over all kinds of funnels, with every single change tried on their lines.
@Suite("Explanations against every single change")
struct ExplainOracleTests {
    /// How many people are explained; `LOOPTRAIL_EXPLAINED_USERS` sets another number.
    private static let people = ProcessInfo.processInfo.environment["LOOPTRAIL_EXPLAINED_USERS"].flatMap(Int.init) ?? 20
    private static let span: Int64 = 9

    @Test func `each verdict converts the key, and is one change wherever one suffices`() throws {
        var random = SeededRandom(seed: 26)
        var (single, several) = (0, 0)
        for person in 0..<Self.people {
            let rig = try rig(&random)
            let found = try rig.explanation()
            let (engineSays, label) = try (converts(rig), "person \(person): \(rig.definition) \(rig.lines)")
            #expect(found.converted == engineSays, "\(label)")
            if engineSays { continue }
            // Edits are empty where steps ask for two values of the held property: no changes convert such a key.
            if !found.edits.isEmpty {
                let after = try #require(try changed(rig, by: found.edits), "\(label)")
                #expect(try converts(after), "\(found.edits) \(label)")
            }
            if found.edits.count == 1 {
                single += 1
            } else {
                several += 1
                let one = try singleChange(rig)
                #expect(one == nil, "\(found.edits) \(label)")
            }
        }
        #expect(single > several / 4 && several > 0)
    }

    private func rig(_ random: inout SeededRandom) throws -> ExplainRig {
        func odds(_ n: Int) -> Bool { Int.random(in: 0..<n, using: &random) == 0 }
        let order: FunnelDefinition.Order = odds(5) ? .strict : odds(5) ? .any : .ordered
        let count = Int.random(in: 1...3, using: &random)
        let steps = (0..<count).map { step in
            let name = ["a", "b", "c", "(a | b)", "*"][min(Int.random(in: 0..<8, using: &random), 4) == 4 ? 4 : step]
            let test = odds(3) ? ["[p=1]", "[p>=2]", "[session.q=x]", "[p!=1,r=1]"].randomElement(using: &random) ?? "" : ""
            return (name == "*" && !odds(2) ? "a" : name) + test + (step > 0 && order != .any && odds(6) ? "?" : "")
        }
        var exclusions: [String] = []
        if odds(3) { exclusions = [(odds(2) ? "!" : "") + "x" + (order != .any && count > 1 && odds(2) ? "@1-\(count)" : "")] }
        let since = odds(5) ? Int64.random(in: 0...5, using: &random) : nil
        let definition = try FunnelDefinition(
            steps: FunnelStep.parse(steps.joined(separator: " > ")), windowMilliseconds: .random(in: 0...8, using: &random),
            stepWindowMilliseconds: order != .any && odds(4) ? .random(in: 0...5, using: &random) : nil,
            key: odds(5) ? .session : .user, order: order, hold: odds(5) ? ["p"] : nil,
            exclusions: exclusions.map { try FunnelExclusion.parse($0) }, since: since,
            until: odds(5) ? (since ?? 0) + .random(in: 1...5, using: &random) : nil)
        let users = definition.key == .session ? ["u"] : ["u", "u", "u", "u", "w"]
        var lines = [TestLine("session_started", 0, session: "u", kind: .meta, props: odds(2) ? #"{"q":"x"}"# : #"{"q":"y"}"#)]
        // An added event lies in this session where its step asks for the session's `q`.
        lines.append(TestLine("session_started", -100, user: "t", session: "added", kind: .meta, props: #"{"q":"x"}"#))
        for number in 0..<Int.random(in: 0...6, using: &random) {
            let props = ["{}", #"{"p":1}"#, #"{"p":2}"#, #"{"p":1,"r":1}"#].randomElement(using: &random) ?? "{}"
            let name = ["a", "b", "c", "x", "d"].randomElement(using: &random) ?? "a"
            lines.append(
                TestLine(
                    name, .random(in: 0...Self.span, using: &random), user: users.randomElement(using: &random) ?? "u",
                    session: odds(4) && definition.key == .user ? "" : "u", id: "e\(number)", props: props))
        }
        return ExplainRig(definition, lines)
    }

    private func converts(_ rig: ExplainRig, by definition: FunnelDefinition? = nil) throws -> Bool {
        // Only events of the asked key, so that only this key can convert.
        let lines = rig.lines.filter { $0.user == "u" || $0.kind == .meta } + [TestLine("end", 1_000_000, user: "z", session: "z")]
        return TestPass.funnel(definition ?? rig.definition, lines).converted > (rig.definition.steps.count == 1 ? endConverts(rig) : 0)
    }

    /// How many keys convert by the event that ends the data alone: 1 if that event is a whole funnel, else 0.
    private func endConverts(_ rig: ExplainRig) -> Int {
        TestPass.funnel(rig.definition, [TestLine("end", 1_000_000, user: "z", session: "z")]).converted
    }

    /// The lines as the edits leave them.
    private func changed(_ rig: ExplainRig, by edits: [Explanation.Edit]) throws -> ExplainRig? {
        var (lines, definition) = (rig.lines, rig.definition)
        func index(_ event: Explanation.Event) -> Int? {
            lines.firstIndex { line in event.id.map { line.id == $0 } ?? (line.name == event.name && line.kind == .meta) }
        }
        for edit in edits {
            switch edit {
            case .range: definition = try definition.with(since: nil, until: nil)
            case .join(let alias): for line in lines.indices where lines[line].user == alias { lines[line].user = "u" }
            case .remove(let event): lines.remove(at: try #require(index(event)))
            case .move(let event, let time): lines[try #require(index(event))].time = time
            case .set(let event, let path, _, let text):
                let key = path.split(separator: ".").last.map(String.init) ?? ""
                let line = try #require(index(event))
                lines[line].props = set(lines[line].props, key, text)
            case .add(let step, let name, let time):
                // The event has what its step asks for, and the first value of the held property that converts the key.
                let tries = ["", "1", "2", "held"].map { hold in
                    ExplainRig(definition, lines + [added(step, name, time, hold, definition)])
                }
                if edits.count == 1 { return try tries.first { try converts($0) } }
                let hold = definition.hold == nil ? "" : try holdOfAll(edits, lines, definition)
                lines.append(added(step, name, time, hold, definition))
            }
        }
        return ExplainRig(definition, lines)
    }

    private func holdOfAll(_ edits: [Explanation.Edit], _ lines: [TestLine], _ definition: FunnelDefinition) throws -> String {
        let definition = edits.contains(.range) ? try definition.with(since: nil, until: nil) : definition
        let holds = ["1", "2", "held"]
        return try holds.first { hold in
            let new = edits.compactMap { edit in
                if case .add(let step, let name, let time) = edit { added(step, name, time, hold, definition) } else { nil }
            }
            return try converts(ExplainRig(definition, lines.filter { !$0.id.hasPrefix("new") } + new))
        } ?? "held"
    }

    private func added(_ step: Int, _ name: String, _ time: Int64, _ hold: String, _ definition: FunnelDefinition) -> TestLine {
        var props = hold.isEmpty ? "{}" : set("{}", "p", hold)
        var session = definition.key == .session ? "u" : "none"
        for test in definition.steps[step - 1].pattern.tests {
            if test.source == .session {
                if definition.key == .user { session = "added" }
            } else {
                let asked = test.comparison == .notEqual ? "5" : test.value
                if hold.isEmpty || definition.hold == nil || test.path != ["p"] { props = set(props, test.path[0], asked) }
            }
        }
        return TestLine(name, time, session: session, id: "new\(step)", props: props)
    }

    private func set(_ props: String, _ key: String, _ text: String) -> String {
        var object = (try? JSONSerialization.jsonObject(with: Data(props.utf8)) as? [String: Any]) ?? [:]
        object[key] = text
        return (try? String(decoding: JSONSerialization.data(withJSONObject: object), as: UTF8.self)) ?? "{}"
    }

    /// Some change that suffices alone, by trying each.
    private func singleChange(_ rig: ExplainRig) throws -> String? {
        func tried(_ lines: [TestLine]) throws -> Bool { try converts(ExplainRig(rig.definition, lines)) }
        if try converts(rig, by: rig.definition.with(since: nil, until: nil)) { return "range" }
        if rig.definition.key == .user {
            let joined = rig.lines.map { line in
                var line = line
                if line.user == "w" { line.user = "u" }
                return line
            }
            let sessions = Set(rig.lines.filter { $0.user == "u" && $0.kind == .event && !$0.session.isEmpty }.map(\.session))
            let isShared = rig.lines.contains { $0.user == "w" && sessions.contains($0.session) }
            if isShared, try tried(joined) { return "alias" }
        }
        let times = -20...(Self.span + 20)
        for index in rig.lines.indices where rig.lines[index].user == "u" {
            var lines = rig.lines
            let isEvent = lines[index].kind == .event
            let paths = isEvent ? ["p", "r"] : ["q"]
            for path in paths {
                for value in ["1", "2", "5", "x", "y"] {
                    lines[index].props = set(rig.lines[index].props, path, value)
                    if try tried(lines) { return "set \(index) \(path) \(value)" }
                }
            }
            lines = rig.lines
            if !isEvent { continue }
            for time in times {
                lines[index].time = time
                if try tried(lines) { return "move \(index) \(time)" }
            }
            lines.remove(at: index)
            if try tried(lines) { return "remove \(index)" }
        }
        for (step, pattern) in rig.definition.steps.enumerated() {
            guard case .oneOf(let names) = pattern.pattern.names else { continue }
            for (name, time) in names.flatMap({ name in times.map { (name, $0) } }) {
                for hold in rig.definition.hold == nil ? [""] : ["", "1", "2"] {
                    if try tried(rig.lines + [added(step + 1, name, time, hold, rig.definition)]) { return "add \(step + 1) \(time)" }
                }
            }
        }
        return nil
    }
}
