import TestSupport
import Testing
import TrackingEvents

@testable import Funnels

@Suite("Breakdowns, held properties, identified users")
struct BreakdownValuesTests {
    private func definition(
        _ steps: String = "a > b", _ breakdown: String? = nil, top: Int = 10, hold: [String]? = nil,
        counting: FunnelDefinition.Counting = .users, exclusions: [String] = [], identify: Bool = true
    ) throws -> FunnelDefinition {
        try FunnelDefinition(
            steps: FunnelStep.parse(steps), windowMilliseconds: 100, hold: hold, counting: counting,
            exclusions: exclusions.map(FunnelExclusion.parse), breakdown: breakdown.map { try FunnelBreakdown.parse($0, top: top) },
            identify: identify)
    }

    private func groups(_ result: FunnelResult) -> [String] {
        result.groups.map { "\($0.value) \($0.steps.map { String($0.count) }.joined(separator: ","))" }
    }

    private func line(_ name: String, _ time: Int64, _ user: String, _ value: String? = nil) -> TestLine {
        TestLine(name, time, user: user, props: value.map { #"{"p":\#($0)}"# } ?? "{}")
    }

    @Test(
        "each attribution",
        arguments: [
            ("props.p", ["x 2,1", "(none) 1,0"]), ("props.p:last", ["x 1,0", "y 1,1", "(none) 1,0"]),
            ("props.p:step=1", ["(none) 2,1", "x 1,0"]), ("props.p:step=2", ["(none) 2,0", "y 1,1"]),
        ])
    func attributions(breakdown: String, expected: [String]) throws {
        let lines = [
            line("a", 0, "u"), line("x", 1, "u", #""w""#), line("a", 2, "u", #""""#), line("a", 3, "v", #""x""#),
            line("b", 4, "u", #""y""#),
            line("b", -1, "u", #""x""#), line("a", 9, "w", "null"), line("a", 9, "w", "{}"),
        ]
        let result = TestPass.funnel(try definition("a > b", breakdown), lines)
        #expect(groups(result).sorted() == expected.sorted())
        #expect(result.steps.map(\.count) == [3, 1])
    }

    @Test func `values that only look alike are groups of their own, in the order of their bytes`() throws {
        // Both are an é: one scalar, or an e and an accent. The second sorts before f by its bytes, and behind f as a `String`.
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let values = [composed, "f", decomposed]
        let lines = values.map { line("a", 0, "user of " + $0.utf8.map(String.init).joined(), "\"\($0)\"") }
        let result = TestPass.funnel(try definition("a", "props.p"), lines)
        #expect(result.groups.map { Array($0.value.utf8) } == [decomposed, "f", composed].map { Array($0.utf8) })
        #expect(result.groups.map(\.steps[0].count) == [1, 1, 1])
        let most = TestPass.funnel(try definition("a", "props.p", top: 1), lines)
        #expect(most.groups.map(\.steps[0].count) == [2, 1])
        #expect(most.groups.map { Array($0.value.utf8) } == ["(other)", decomposed].map { Array($0.utf8) })
    }

    @Test func `all makes the property part of the key`() throws {
        let lines = [
            line("a", 0, "u", "1"), line("b", 1, "u", "2"), line("a", 2, "u", "2"), line("b", 3, "u", "1.0"), line("b", 4, "u", "1"),
            line("a", 5, "v"), line("b", 6, "v", "true"),
        ]
        let result = TestPass.funnel(try definition("a > b", "props.p:all"), lines)
        #expect(groups(result) == ["(none) 1,0", "1 1,1", "2 1,0"] && result.steps.map(\.count) == [3, 1])
    }

    @Test func `in any order, a step's value is that of the chain's event at that place`() throws {
        let lines = [line("b", 0, "u", "1"), line("a", 1, "u", "2"), line("a", 0, "v", "3")]
        for (word, expected) in [("step=1", ["1 1,1", "3 1,0"]), ("step=2", ["(none) 1,0", "2 1,1"]), ("first", ["1 1,1", "3 1,0"])] {
            let definition = try FunnelDefinition(
                steps: FunnelStep.parse("a > b"), order: .any, breakdown: FunnelBreakdown.parse("props.p:\(word)"))
            #expect(groups(TestPass.funnel(definition, lines)) == expected)
        }
    }

    @Test func `an attempt that an exclusion takes out is in no group, and the one that counts is in its own`() throws {
        let lines = [("c", 3), ("c", 8), ("a", 11), ("x", 14), ("a", 16), ("a", 18), ("x", 19)].map { name, time in
            line(name, time, "u", #""g\#(time)""#)
        }
        let definition = try FunnelDefinition(
            steps: FunnelStep.parse("(b | c) > a > c"), windowMilliseconds: 8, exclusions: [FunnelExclusion.parse("!x")],
            breakdown: FunnelBreakdown.parse("props.p:step=2"))
        let result = TestPass.funnel(definition, lines)
        #expect(result.steps.map(\.count) == [1, 1, 0] && groups(result) == ["g11 1,1,0"])
    }

    @Test("groups add up to the total at every step, whatever is taken out", arguments: ["first", "last", "step=1", "step=2"])
    func addUp(attribution: String) throws {
        var random = SeededRandom(seed: 77)
        let rounds = isNight ? 400 : 160
        var taken = 0
        for number in 0..<rounds {
            let steps = ["a > b", "(a | b) > a > b", "a > b? > c", "a > a > b"][number % 4]
            let exclusions = [["!x"], ["!x@1-2", "y"], ["x"], ["!x", "!b"]][number / 4 % 4]
            let definition = try FunnelDefinition(
                steps: FunnelStep.parse(steps), windowMilliseconds: Int64.random(in: 1...20, using: &random),
                exclusions: exclusions.map(FunnelExclusion.parse), breakdown: FunnelBreakdown.parse("props.p:\(attribution)", top: 3))
            let lines = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                line(
                    ["a", "b", "c", "x", "y"].randomElement(using: &random)!, .random(in: 0...40, using: &random),
                    "u\(Int.random(in: 0...3, using: &random))", "\(Int.random(in: 0...5, using: &random))")
            }
            let result = TestPass.funnel(definition, lines)
            for step in result.steps.indices {
                #expect(result.groups.reduce(0) { $0 + $1.steps[step].count } == result.steps[step].count, "\(definition) \(lines)")
            }
            taken += result.converted
        }
        #expect(taken > rounds / 20)
    }

    @Test func `groups are sorted by count, then value, and the rest is one`() throws {
        var lines: [TestLine] = []
        for (place, value) in ["c", "c", "c", "b", "b", "a", "a", "d", "e", "(other)", "(none)"].enumerated() {
            lines.append(line("a", Int64(place), "u\(place)", "\"\(value)\""))
        }
        lines += [line("a", 0, "n"), line("b", 1, "u0")]
        let two = groups(TestPass.funnel(try definition("a > b", "props.p", top: 2), lines))
        #expect(two == ["(other) 5,0", "c 3,1", "(none) 2,0", "a 2,0"])
        let all = groups(TestPass.funnel(try definition("a > b", "props.p", top: 5), lines))
        #expect(all == ["c 3,1", "(none) 2,0", "a 2,0", "b 2,0", "(other) 1,0", "d 1,0", "e 1,0"])
    }

    @Test("a chain keeps one value of a held property, and a key counts with its best chain")
    func hold() throws {
        let lines = [
            line("a", 0, "u", "1"), line("b", 1, "u", "2"), line("a", 0, "v", "1"), line("a", 2, "v", "2"), line("b", 3, "v", "1"),
            line("a", 0, "w"), line("b", 1, "w"), line("a", 5, "v", "3"), line("b", 6, "v", "3"),
        ]
        let result = TestPass.funnel(try definition(hold: ["p"]), lines)
        #expect(result.steps.map(\.count) == [2, 1] && result.timeToConvert?.mean == 3)
        let attempts = TestPass.funnel(try definition(hold: ["p"], counting: .attempts), lines)
        #expect(attempts.steps.map(\.count) == [4, 2])
        let grouped = TestPass.funnel(try definition("a > b", "props.p:step=2", hold: ["p"]), lines)
        #expect(groups(grouped) == ["(none) 1,0", "1 1,1"])
        let spoilt = TestPass.funnel(
            try definition(hold: ["p"], exclusions: ["!x"]), lines + [line("x", 1, "v", "1"), line("x", 1, "u", "9")])
        // The attempt of `v` with 1 is spoilt, and as deep as its clean one with 3.
        #expect(spoilt.steps.map(\.count) == [2, 1] && spoilt.timeToConvert?.mean == 1)
    }

    @Test func `among equally good chains of several values the earlier times count, then the group that sorts first`() throws {
        for held in [[1, 2, 3, 4], [4, 3, 2, 1]] {
            let lines = zip(held, [(3, "w"), (1, "y"), (1, "x"), (1, "")] as [(Int64, String)]).flatMap { held, b in
                ([("a", 0, ""), ("b", b.0, b.1), ("c", 9, "")] as [(String, Int64, String)]).map { name, time, group in
                    TestLine(name, time, props: #"{"q":\#(held),"p":"\#(group)"}"#)
                }
            }
            #expect(groups(TestPass.funnel(try definition("a > b > c", "props.p:step=2", hold: ["q"]), lines)) == ["x 1,1,1"])
        }
    }

    private func identified(_ anonymous: String, _ user: String, _ time: Int64) -> TestLine {
        TestLine(MetaEventName.identified, time, user: user, kind: .meta, props: #"{"anonymous":"\#(anonymous)"}"#)
    }

    @Test func `an anonymous id is joined to its user, wherever the line stands`() throws {
        let events = [line("a", 0, "a-1"), line("b", 5, "u"), line("a", 7, "a-2"), line("b", 8, "v")]
        for place in 0...events.count {
            var lines = events
            lines.insert(identified("a-1", "u", 3), at: place)
            for batchSize in [1, 2, 50] {
                let result = TestPass.funnel(try definition(), lines, batchSize: batchSize)
                #expect(result.steps.map(\.count) == [2, 1] && result.timeToConvert?.mean == 5)
            }
        }
    }

    @Test func `the first line of an anonymous id wins, by time`() throws {
        let events = [line("a", 0, "a-1"), line("b", 5, "u"), line("b", 6, "v")]
        for lines in [[identified("a-1", "v", 9), identified("a-1", "u", 3)], [identified("a-1", "u", 3), identified("a-1", "v", 9)]] {
            #expect(TestPass.funnel(try definition(), lines + events).timeToConvert?.mean == 5)
        }
        let tied = [identified("a-1", "v", 3), identified("a-1", "u", 3)]
        #expect(TestPass.funnel(try definition(), tied + events) == TestPass.funnel(try definition(), tied.reversed() + events))
    }

    @Test func `users are joined only where the key is the user and joining is wanted`() throws {
        let lines = [line("a", 0, "a-1"), line("b", 5, "u"), identified("a-1", "u", 3)]
        #expect(TestPass.funnel(try definition(identify: false), lines).steps.map(\.count) == [1, 0])
        let bySystem = try FunnelDefinition(steps: FunnelStep.parse("a > b"), key: .system)
        #expect(
            TestPass.funnel(
                bySystem,
                lines.map { line in
                    var line = line; line.system = line.user; return line
                }
            ).steps.map(\.count) == [1, 0])
        var foreign = identified("a-1", "u", 3)
        foreign.name = "something"
        #expect(TestPass.funnel(try definition(), Array(lines.prefix(2)) + [foreign]).steps.map(\.count) == [1, 0])
        foreign = identified("a-1", "u", 3)
        foreign.kind = .event
        #expect(TestPass.funnel(try definition(), Array(lines.prefix(2)) + [foreign]).steps.map(\.count) == [1, 0])
        #expect(
            TestPass.funnel(try definition(), Array(lines.prefix(2)) + [identified("", "u", 3), identified("a-1", "", 3)]).converted == 0)
    }

    @Test("dividing and shuffling lines changes nothing, whatever is asked", arguments: 0..<9)
    func shuffled(flavour: Int) throws {
        let texts = ["a > b", "a > b? > c", "a > c > b"]
        let breakdowns = [nil, "props.p", "props.p:last", "props.p:step=2", "props.p:all"]
        let definition = try definition(
            texts[flavour % 3], breakdowns[flavour % 5], top: 2, hold: flavour % 2 == 0 ? ["q"] : nil,
            counting: flavour == 8 ? .attempts : .users, exclusions: flavour % 4 == 1 ? ["!x@1-2", "y"] : [])
        var random = SeededRandom(seed: UInt64(flavour))
        var lines = (0..<400).map { number in
            let name = ["a", "b", "c", "x", "y"].randomElement(using: &random)!
            let props = #"{"p":"\#(Int.random(in: 0...4, using: &random))","q":\#(Int.random(in: 0...1, using: &random))}"#
            return TestLine(name, .random(in: 0...300, using: &random), user: "u\(number % 30)", id: "i\(number)", props: props)
        }
        lines += (0..<10).map { identified("u\($0)", "u\($0 + 10)", Int64($0 % 2)) }
        let whole = TestPass.funnel(definition, lines, batchSize: 1000)
        #expect(whole.entered > 0 && whole.groups.isEmpty == (definition.breakdown == nil))
        if definition.breakdown != nil {
            #expect(whole.groups.map { $0.steps[0].count }.reduce(0, +) == whole.entered)
            #expect(whole.groups.count <= 4)
        }
        for size in [1, 7, 90] {
            let other = TestPass.funnel(definition, lines.shuffled(using: &random), batchSize: size)
            #expect(other.steps == whole.steps && other.groups == whole.groups && other.windowOpen == whole.windowOpen)
        }
    }
}
