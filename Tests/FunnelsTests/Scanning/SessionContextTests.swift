import Foundation
import Testing
import TrackingEvents

@testable import Funnels

@Suite("The context of the session")
struct SessionContextTests {
    private func began(_ session: String, _ time: Int64, _ props: String, user: String = "u") -> TestLine {
        TestLine("session_started", time, user: user, session: session, kind: .meta, props: props)
    }

    private func counts(_ steps: String, _ lines: [TestLine], _ change: (inout [FunnelStep]) -> Void = { _ in }) throws -> [Int] {
        var parsed = try FunnelStep.parse(steps)
        change(&parsed)
        return TestPass.funnel(try FunnelDefinition(steps: parsed), lines).steps.map(\.count)
    }

    @Test(
        "a bare `session.` names the session's properties, and in quotes a property of the event",
        arguments: [
            ("a[session.platform=ios]", PropertySource.session, ["platform"], "a[session.platform=ios]"),
            (#"a["session".platform=ios]"#, .event, ["session", "platform"], #"a["session".platform=ios]"#),
            (#"a["props".platform=ios]"#, .event, ["props", "platform"], #"a["props".platform=ios]"#),
            (#"a[session."app version"=1]"#, .session, ["app version"], "a[session.app version=1]"),
            ("a[session=1]", .event, ["session"], "a[session=1]"), (#"a[session.a.b!=x]"#, .session, ["a", "b"], "a[session.a.b!=x]"),
        ] as [(String, PropertySource, [String], String)])
    func grammar(text: String, place: PropertySource, path: [String], written: String) throws {
        let step = try FunnelStep.parse(text)[0]
        #expect(step.pattern.tests[0].source == place && step.pattern.tests[0].path == path)
        #expect(step.description == written)
        #expect(try FunnelStep.parse(step.description) == [step])
    }

    @Test func `breakdowns and keys take session paths too`() throws {
        let breakdown = try FunnelBreakdown.parse("session.platform:step=2")
        #expect(breakdown == FunnelBreakdown(path: ["platform"], in: .session, attribution: .step(2)))
        #expect(breakdown.description == "session.platform:step=2")
        #expect(try FunnelBreakdown.parse(breakdown.description) == breakdown)
        #expect(try FunnelKey.parse("session") == .session && FunnelKey.parse("session.a.b") == .context(["a", "b"]))
        #expect(FunnelKey.context(["a", "b"]).description == "session.a.b")
        #expect(throws: GrammarError.self) { try FunnelKey.parse("session.") }
        #expect(try FunnelBreakdown.parse("platform") == FunnelBreakdown(path: ["platform"]))
    }

    @Test(
        "the error says what was probably meant",
        arguments: [
            ("a[props.p=1]", 3, "`p`"), ("a[p=“x”]", 5, "straight quote"), ("a[‘p’=x]", 3, "straight quote"),
            ("“a” > b", 1, "straight quote"),
            ("a[p==1]", 4, "`=`"),
        ])
    func meant(text: String, column: Int, expected: String) {
        #expect {
            try FunnelStep.parse(text)
        } throws: { error in
            guard let error = error as? GrammarError else { return false }
            return error.column == column && error.expected.contains(expected)
        }
    }

    @Test(
        "among session lines of one millisecond each path has the text that sorts last, whatever else is asked",
        arguments: ["a[session.y=9]", "a[session.x=2]", "a[session.y=9,session.x=2]", "a[session.x=2,session.y=9,session.z=1]"])
    func tiedLines(steps: String) throws {
        let lines = [began("s", 5, #"{"x":2,"y":1}"#), began("s", 5, #"{"x":1,"y":9,"z":1}"#), TestLine("a", 7, session: "s")]
        #expect(try counts(steps, lines) == [1])
        #expect(try counts(steps, lines.reversed()) == [1])
    }

    @Test func `tests ask the line that began the event's session, wherever it stands`() throws {
        let lines = [
            TestLine("a", 1, user: "u", session: "s1"), TestLine("b", 2, user: "u", session: "s2"),
            TestLine("a", 1, user: "v", session: "s3"),
            TestLine("b", 2, user: "v", session: "s3"), began("s2", 0, #"{"platform":"web","build":9}"#),
            began("s3", 0, #"{"platform":"ios","build":12}"#), began("s1", 0, #"{"platform":"ios"}"#),
        ]
        #expect(try counts("a > b", lines) == [2, 2])
        #expect(try counts("a[session.platform=ios] > b[session.platform=ios]", lines) == [2, 1])
        #expect(try counts("a > b[session.build>=10]", lines) == [2, 1])
        #expect(try counts("a > b[session.build!=9]", lines) == [2, 1])
        #expect(try counts("a[session.platform=web] > b", lines) == [0, 0])
        // A session without its line has no value, so that `!=` holds.
        #expect(
            try counts("a[session.platform!=ios]", lines + [TestLine("a", 1, user: "w", session: "s4"), TestLine("a", 1, user: "x")]) == [2]
        )
    }

    @Test func `of several session lines the latest at or before the event counts, else the first, whatever the user`() throws {
        let lines = [
            began("s", 10, #"{"v":"2"}"#, user: "other"), began("s", 5, #"{"v":"1"}"#), began("s", 20, #"{"v":"3"}"#),
        ]
        for (time, value) in [(1, "1"), (5, "1"), (9, "1"), (10, "2"), (19, "2"), (20, "3"), (99, "3")] as [(Int64, String)] {
            for order in [lines, lines.reversed()] {
                #expect(try counts("a[session.v=\(value)]", order + [TestLine("a", time, session: "s")]) == [1])
            }
        }
    }

    @Test func `a line that repeats the session's rate says nothing of how the session began`() throws {
        let lines = [began("s", 1, #"{"v":"1"}"#), began("s", 5, #"{"sample_rate":0.5,"repeat":true}"#), TestLine("a", 9, session: "s")]
        for order in [lines, lines.reversed()] {
            #expect(try counts("a[session.v=1]", order) == [1] && counts("a[session.sample_rate=0.5]", order) == [1])
        }
        // A `repeat` that is not true is a property like any other.
        #expect(try counts("a[session.v=2]", lines + [began("s", 6, #"{"v":2,"repeat":"no"}"#)]) == [1])
    }

    @Test(arguments: [1, 4, 9])
    func `a session keeps its context where the clock was set back before its rate is repeated`(time: Int64) throws {
        let lines = [
            began("s", 7, #"{"v":"1"}"#), began("s", 2, #"{"sample_rate":0.5,"repeat":true}"#), began("s", 8, #"{"v":"1","w":"2"}"#),
            TestLine("a", time, session: "s"),
        ]
        for order in [lines, lines.reversed()] {
            #expect(try counts("a[session.v=1]", order) == [1] && counts("a[session.w=2]", order) == [time == 9 ? 1 : 0])
        }
    }

    @Test func `of several such lines of one millisecond each hides only what it says itself`() throws {
        let lines = [
            began("s", 1, #"{"x":"5","y":"6"}"#), began("s", 5, #"{"x":"1","repeat":true}"#), began("s", 5, #"{"y":"2","repeat":true}"#),
            TestLine("a", 9, session: "s"),
        ]
        for order in [lines, lines.reversed()] { #expect(try counts("a[session.x=1,session.y=2]", order) == [1]) }
    }

    @Test("an empty text answers tests as an event's empty text does", arguments: [#"="""#, #"!="""#, #"~"""#, "<x", ">=x", "=x", "!=x"])
    func empty(test: String) throws {
        let (line, start) = (began("s", 0, #"{"p":""}"#), TestLine("a", 1, session: "s", props: #"{"p":""}"#))
        let expected = try counts("a[p\(test)]", [line, start])
        #expect(try counts("a[session.p\(test)]", [line, start]) == expected)
        // A line of the same millisecond that does not have the property says nothing of it.
        for lines in [[line, began("s", 0, "{}")], [began("s", 0, "{}"), line]] {
            #expect(try counts("a[session.p\(test)]", lines + [start]) == expected)
        }
    }

    @Test func `groups and keys can be the session's values, and then count as with an event's properties`() throws {
        var random = SeededRandom(seed: 31)
        for _ in 0..<100 {
            let values = (0..<6).map { _ in ["ios", "web", ""].randomElement(using: &random)! }
            var plain: [TestLine] = []
            var context: [TestLine] = []
            for number in 0..<30 {
                let session = Int.random(in: 0..<6, using: &random)
                let name = ["a", "b", "c"].randomElement(using: &random)!
                let (time, user) = (Int64.random(in: 0...50, using: &random), "u\(session % 3)")
                plain.append(TestLine(name, time, user: user, id: "\(number)", props: #"{"p":"\#(values[session])"}"#))
                context.append(TestLine(name, time, user: user, session: "s\(session)", id: "\(number)"))
            }
            for (session, value) in values.enumerated() { context.append(began("s\(session)", 0, #"{"p":"\#(value)"}"#)) }
            context.shuffle(using: &random)
            for attribution in [FunnelBreakdown.Attribution.first, .last, .all, .step(2)] {
                func result(_ place: PropertySource, _ lines: [TestLine]) throws -> FunnelResult {
                    TestPass.funnel(
                        try FunnelDefinition(
                            steps: FunnelStep.parse("a > b"), windowMilliseconds: 20,
                            breakdown: FunnelBreakdown(path: ["p"], in: place, attribution: attribution)), lines)
                }
                let (found, expected) = (try result(.session, context), try result(.event, plain))
                #expect(found.steps == expected.steps && found.groups == expected.groups)
            }
            let bySession = TestPass.funnel(try FunnelDefinition(steps: FunnelStep.parse("a > b"), key: .context(["p"])), context)
            let byProperty = TestPass.funnel(try FunnelDefinition(steps: FunnelStep.parse("a > b"), key: .property(["p"])), plain)
            #expect(bySession.steps == byProperty.steps && bySession.input.withoutKey == byProperty.input.withoutKey)
        }
    }

    /// What the value of a pair is called: quoted where it could be read as another.
    private func pair(_ first: String, _ second: String) -> String {
        let texts = ["x, y": #""x, y""#]
        return first == "" || second == "" ? "" : "\(texts[first] ?? first), \(texts[second] ?? second)"
    }

    @Test func `groups by two properties are those by one property that holds both values`() throws {
        var random = SeededRandom(seed: 37)
        func escaped(_ text: String) -> String { text.replacing("\"", with: #"\""#) }
        // `LOOPTRAIL_ROUNDS` sets another number of rounds.
        for _ in 0..<(ProcessInfo.processInfo.environment["LOOPTRAIL_ROUNDS"].flatMap { Int($0) } ?? 100) {
            let texts = ["ios", "web", "", "x, y", "(none)"]
            let contexts = (0..<6).map { _ in texts.randomElement(using: &random)! }
            var lines = contexts.enumerated().map { began("s\($0)", 0, #"{"c":"\#($1)"}"#) }
            for number in 0..<30 {
                let session = Int.random(in: 0..<6, using: &random)
                let (p, q) = (texts.randomElement(using: &random)!, texts.randomElement(using: &random)!)
                let (pq, cp, pc) = (pair(p, q), pair(contexts[session], p), pair(p, contexts[session]))
                lines.append(
                    TestLine(
                        ["a", "b", "c"].randomElement(using: &random)!, Int64.random(in: 0...50, using: &random), user: "u\(session % 3)",
                        session: "s\(session)", id: "\(number)",
                        props: #"{"p":"\#(p)","q":"\#(q)","pq":"\#(escaped(pq))","cp":"\#(escaped(cp))","pc":"\#(escaped(pc))"}"#))
            }
            lines.shuffle(using: &random)
            for (two, one) in [("p,q", "pq"), ("session.c,p", "cp"), ("p, session.c", "pc")] {
                let attribution = ["first", "last", "all", "step=2"].randomElement(using: &random)!
                func result(_ text: String) throws -> FunnelResult {
                    let breakdown = try FunnelBreakdown.parse("\(text):\(attribution)", top: 4)
                    #expect(try FunnelBreakdown.parse(breakdown.description, top: 4) == breakdown)
                    return TestPass.funnel(
                        try FunnelDefinition(steps: FunnelStep.parse("a > b"), windowMilliseconds: 20, breakdown: breakdown), lines)
                }
                let (found, expected) = (try result(two), try result(one))
                #expect(found.steps == expected.steps && found.groups == expected.groups)
            }
        }
    }

    @Test func `events after a session line without the key's property are without a key`() throws {
        let lines = [
            began("s", 0, #"{"p":"x"}"#), TestLine("a", 1, session: "s"), began("s", 5, "{}"), TestLine("b", 6, session: "s"),
            TestLine("other", 7, session: "s"), began("s", 9, #"{"p":"x"}"#), TestLine("b", 10, session: "s"),
            // An event before its session's first line belongs to that line.
            TestLine("a", 1, session: "t"), began("t", 2, "{}"), began("t", 3, #"{"p":"y"}"#), TestLine("a", 4, session: "t"),
        ]
        let result = TestPass.funnel(try FunnelDefinition(steps: FunnelStep.parse("a > b"), key: .context(["p"])), lines)
        #expect(result.input.withoutKey == 3 && result.steps.map(\.count) == [2, 1])
    }

    @Test func `a path that nothing has is named, with the nearest one`() throws {
        let lines = [
            TestLine("a", 1, session: "s", props: #"{"plan":"pro","cart":{"size":3}}"#), TestLine("z", 1, props: #"{"plam":1}"#),
            began("s", 0, #"{"platform":"ios","app_version":"2"}"#),
        ]
        func unseen(_ definition: FunnelDefinition) -> [String] {
            TestPass.funnel(definition, lines).unseenPaths.map { "\($0.name) \($0.nearest ?? "-")" }
        }
        #expect(unseen(try FunnelDefinition(steps: FunnelStep.parse("a[plan=x] > b[cart.size>1]"))) == [])
        #expect(unseen(try FunnelDefinition(steps: FunnelStep.parse("a[plam=x] > b"))) == ["props.plam props.plan"])
        #expect(unseen(try FunnelDefinition(steps: FunnelStep.parse("a[cart.siz=x]"))) == ["props.cart.siz props.cart.size"])
        #expect(unseen(try FunnelDefinition(steps: FunnelStep.parse("a[session.platfrom=x]"))) == ["session.platfrom session.platform"])
        #expect(
            unseen(
                try FunnelDefinition(
                    steps: FunnelStep.parse("a"), hold: ["zzzzzz"], breakdown: FunnelBreakdown(path: ["app_versoin"], in: .session)))
                == ["props.zzzzzz -", "session.app_versoin session.app_version"])
        // The nearest path may be one of the other kind: `session.` for `props.`, or the other way round.
        #expect(unseen(try FunnelDefinition(steps: FunnelStep.parse("a[platform=x]"))) == ["props.platform session.platform"])
        #expect(unseen(try FunnelDefinition(steps: FunnelStep.parse("a[session.plan=x]"))) == ["session.plan props.plan"])
        // No event of that name was there, so that no path of it is missing.
        #expect(unseen(try FunnelDefinition(steps: FunnelStep.parse("nobody[plam=x]"))) == [])
    }
}
