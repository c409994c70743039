import Testing
import TrackingEvents

@testable import Funnels

@Suite("Step grammar")
struct StepGrammarTests {
    private func failure(of text: String) -> GrammarError? {
        do {
            _ = try FunnelStep.parse(text)
            return nil
        } catch { return error }
    }

    private static func step(_ names: String..., tests: [PropertyTest] = [], optional: Bool = false) -> FunnelStep {
        FunnelStep(EventPattern(names: names == ["*"] ? .any : .oneOf(names), tests: tests), isOptional: optional)
    }

    private static func test(_ path: String..., is comparison: FilterOperator, _ value: String) -> PropertyTest {
        PropertyTest(path: path, comparison: comparison, value: value)
    }

    @Test(
        "what the grammar reads",
        arguments: [
            ("a", [step("a")]),
            ("a>b", [step("a"), step("b")]),
            ("  a  >\n\tb\r\n", [step("a"), step("b")]),
            ("Order Completed > b.c-d_e/f", [step("Order Completed"), step("b.c-d_e/f")]),
            ("a=b, ~c<d{}*'", [step("a=b, ~c<d{}*'")]),
            ("*", [step("*")]),
            ("* > a", [step("*"), step("a")]),
            (#""*""#, [FunnelStep(EventPattern(names: .oneOf(["*"])))]),
            ("a* > *a", [step("a*"), step("*a")]),
            (#""a > b" > "say \"hi\" \\ ""#, [step("a > b"), step(#"say "hi" \ "#)]),
            ("\"tab\tand bell\u{7}\"", [step("tab\tand bell\u{7}")]),
            (#""  kept  ""#, [step("  kept  ")]),
            (#""""#, [step("")]),
            ("(a | b)", [step("a", "b")]),
            (#"( a|"b | c" |Order Completed )>d"#, [step("a", "b | c", "Order Completed"), step("d")]),
            ("(a)", [step("a")]),
            ("(a|a|b)", [step("a", "b")]),
            ("a[price>=10]", [step("a", tests: [test("price", is: .greaterOrEqual, "10")])]),
            (
                "a [ price >= 10 , plan = pro team ] > b",
                [step("a", tests: [test("price", is: .greaterOrEqual, "10"), test("plan", is: .equal, "pro team")]), step("b")]
            ),
            ("*[x!=1]", [step("*", tests: [test("x", is: .notEqual, "1")])]),
            ("(a|b)[x~y]", [step("a", "b", tests: [test("x", is: .contains, "y")])]),
            (
                "a[x<1,x<=2,x>3,x=4]",
                [
                    step(
                        "a",
                        tests: [
                            test("x", is: .less, "1"), test("x", is: .lessOrEqual, "2"), test("x", is: .greater, "3"),
                            test("x", is: .equal, "4"),
                        ])
                ]
            ),
            ("a[item.price.net=1]", [step("a", tests: [test("item", "price", "net", is: .equal, "1")])]),
            (#"a["a.b" . c="x, ] \" y"]"#, [step("a", tests: [test("a.b", "c", is: .equal, #"x, ] " y"#)])]),
            (#"a[two words=""]"#, [step("a", tests: [test("two words", is: .equal, "")])]),
            ("a[x=(|>?@!]", [step("a", tests: [test("x", is: .equal, "(|>?@!")])]),
            ("a[x=!b]", [step("a", tests: [test("x", is: .equal, "!b")])]),
            ("a[x=\"=b\"]", [step("a", tests: [test("x", is: .equal, "=b")])]),
            ("a > b? > c", [step("a"), step("b", optional: true), step("c")]),
            (
                "a > b[x=1] ? > (c|d)?",
                [
                    step("a"), step("b", tests: [test("x", is: .equal, "1")], optional: true), step("c", "d", optional: true),
                ]
            ),
            ("käse > 購入 > 👩‍👩‍👧", [step("käse"), step("購入"), step("👩‍👩‍👧")]),
        ] as [(String, [FunnelStep])])
    func reads(text: String, expected: [FunnelStep]) throws {
        #expect(try FunnelStep.parse(text) == expected)
    }

    @Test(
        "an error says where, what stands there, and what was expected",
        arguments: [
            ("", 1, "the end", "a step"), ("   ", 4, "the end", "a step"), ("a >", 4, "the end", "a step"),
            ("> a", 1, "`>`", "a step"), ("a > > b", 5, "`>`", "a step"), ("a >> b", 4, "`>`", "a step"),
            ("a ) b", 3, "`)`", "`>`"), ("a@b", 2, "`@`", "quotes"), ("a!b", 2, "`!`", "quotes"), ("a\"b\"", 2, "`\"`", "quotes"),
            ("\"a\" b", 5, "`b`", "`[`"), ("a?", 2, "`?`", "first step"), ("a > b? c", 8, "`c`", "`>` or the end"),
            ("a > b??", 7, "`?`", "`>` or the end"), ("a > b?[x=1]", 7, "`[`", "`>`"),
            ("(a", 3, "the end", "`)`"), ("(a | )", 6, "`)`", "a name"), ("()", 2, "`)`", "a name"), ("(a | *)", 6, "`*`", "any event"),
            ("(a > b)", 4, "`>`", "`|`"), ("((a))", 2, "`(`", "a name"), ("a | b", 3, "`|`", "`>`"),
            ("\"a", 3, "the end", "column 1"), (#""a\n""#, 3, #"`\`"#, "other escapes"), ("a\u{7}b", 2, "U+0007", "control"),
            ("a\tb", 2, "U+0009", "control"), ("a\u{85}", 2, "U+0085", "control"), ("a > b?\u{A0}> c", 7, "U+00A0", "`>`"),
            ("a[", 3, "the end", "key"), ("a[]", 3, "`]`", "key"), ("a[x]", 4, "`]`", "`=`"), ("a[x=]", 5, "`]`", "a value"),
            ("a[x=1", 6, "the end", "`]`"), ("a[x=1,]", 7, "`]`", "key"), ("a[x!1]", 4, "`!`", "`!=`"), ("a[x y]", 6, "`]`", "`=`"),
            ("a[x.=1]", 5, "`=`", "key"), ("a[.x=1]", 3, "`.`", "key"), ("a[x=a\"b\"]", 6, "`\"`", "quotes"),
            ("a[x=\"a\" b]", 9, "`b`", "`]`"), ("a[x=1]]", 7, "`]`", "`?`"), ("a[x=1][y=2]", 7, "`[`", "`?`"),
            ("a[x,y=1]", 4, "`,`", "`=`"), ("👩‍👩‍👧 > é >", 8, "the end", "a step"),
        ] as [(String, Int, String, String)])
    func refuses(text: String, column: Int, found: String, expected: String) throws {
        let error = try #require(failure(of: text))
        #expect(error.column == column, "\(error)")
        #expect(error.found.contains(found), "\(error)")
        #expect(error.expected.contains(expected), "\(error)")
        #expect(error.text == text && error.subject == "steps")
    }

    @Test(
        "an operator that is written twice or in another order is an error that offers the one that was meant",
        arguments: [
            ("==", "="), ("===", "="), ("= =", "="), ("=<", "<="), ("=>", ">="), ("<==", "<="), (">==", ">="), ("!==", "!="),
            ("=!=", "!="), ("!=!=", "!="), (">>", ">"), ("<<", "<"), ("<>", "!="), ("><", "!="), ("~~", "~"), ("=~", "~"), ("~=", "~"),
            ("< =", "<="), ("> =", ">="), ("=\t>", ">="),
        ])
    func doubled(signs: String, meant: String) throws {
        let error = try #require(failure(of: "a[n\(signs)0]"))
        #expect(error.column == 4 && error.found == "`\(signs)`" && error.expected.hasPrefix("`\(meant)` "), "\(error)")
    }

    @Test func `32 steps are read and a 33rd is refused where it begins`() throws {
        let most = Array(repeating: "a", count: 32).joined(separator: ">")
        #expect(try FunnelStep.parse(most).count == 32)
        let error = try #require(failure(of: most + " > b"))
        #expect(error.column == most.count + 4 && error.expected.contains("32"))
    }

    @Test func `an error is one line of where, what and what instead`() throws {
        #expect(try #require(failure(of: "a >")).description == "steps, column 4: found the end, expected a step: a name, `*` or `(`")
    }

    @Test func `canonical text reads back equal`() throws {
        var random = SeededRandom(seed: 11)
        let pieces = [
            "a", "B", " ", ".", "=", "!", ">", "<", "~", ",", "]", "[", "(", ")", "|", "\"", "\\", "*", "?", "@", "\t", "\u{7}", "é", "購",
            "1", "“", "’", "»", "\u{301}",
        ]
        func word() -> String {
            (0..<Int.random(in: 1...5, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
        }
        for _ in 0..<3000 {
            let tests = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                PropertyTest(
                    path: (Int.random(in: 0..<4, using: &random) == 0 ? [["props", "session"].randomElement(using: &random)!] : [])
                        + (0..<Int.random(in: 1...3, using: &random)).map { _ in word() },
                    in: Bool.random(using: &random) ? .event : .session, comparison: FilterOperator.allCases.randomElement(using: &random)!,
                    value: Bool.random(using: &random) ? word() : "")
            }
            let names = EventPattern.Names.oneOf((0..<Int.random(in: 1...3, using: &random)).map { _ in word() })
            let pattern = EventPattern(names: Int.random(in: 0..<8, using: &random) == 0 ? .any : names, tests: tests)
            let steps = [FunnelStep("start"), FunnelStep(pattern, isOptional: Bool.random(using: &random))]
            let text = steps.map(\.description).joined(separator: " > ")
            #expect(try FunnelStep.parse(text) == steps, "\(text)")
        }
    }

    @Test(
        "titles and filters as reports show them",
        arguments: [
            ("a", "a", nil), ("*[x=1]", "*", "x=1"), ("(a|b c)", "(a | b c)", nil),
            (#""a > b"[price>=10, plan="pro]"]"#, "a > b", #"price>=10,plan="pro]""#),
            (#"a["a.b".c~x]"#, "a", #""a.b".c~x"#),
        ] as [(String, String, String?)])
    func titles(text: String, title: String, filter: String?) throws {
        let pattern = try #require(try FunnelStep.parse(text).first).pattern
        #expect(pattern.title == title && pattern.filter == filter)
    }

    @Test func `whatever text is given, parsing ends with steps or an error inside it`() {
        var random = SeededRandom(seed: 5)
        let alphabet = Array("ab *>()|[]?\"\\@!.=<~,1\t\u{7}é")
        var beside: [String] = []
        for _ in 0..<20_000 {
            let text = String((0..<Int.random(in: 0...14, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
            if let error = failure(of: text), !(1...(text.count + 1)).contains(error.column) { beside.append(text) }
        }
        #expect(beside == [])
    }
}
