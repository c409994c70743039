import Testing

@testable import Funnels

@Suite("Exclusions, breakdowns and engines as texts")
struct ExclusionGrammarTests {
    private func pattern(_ name: String, _ tests: [PropertyTest] = []) -> EventPattern { EventPattern(names: .oneOf([name]), tests: tests) }

    @Test(arguments: [(0, 1), (1, 1), (10_000, 10_000), (10_001, 10_000), (.max, 10_000), (.min, 1)] as [(Int, Int)])
    func `a breakdown has as many groups as the flag and a saved funnel allow`(asked: Int, top: Int) throws {
        #expect(FunnelBreakdown(path: ["p"], top: asked).top == top)
        #expect(try FunnelBreakdown.parse("p", top: asked).top == top)
    }

    @Test func `exclusions read, print, and read back`() throws {
        let price = PropertyTest(path: ["price"], comparison: .greater, value: "3")
        let examples: [(String, FunnelExclusion, String)] = [
            ("x", FunnelExclusion(pattern("x")), "x"), ("!x", FunnelExclusion(pattern("x"), spoils: true), "!x"),
            (" ! x @ 1 - 3 ", FunnelExclusion(pattern("x"), steps: 1...3, spoils: true), "!x@1-3"),
            ("*@2-4", FunnelExclusion(EventPattern(names: .any), steps: 2...4), "*@2-4"),
            (
                "(x | y)[price > 3]@1-2", FunnelExclusion(EventPattern(names: .oneOf(["x", "y"]), tests: [price]), steps: 1...2),
                "(x | y)[price>3]@1-2"
            ),
            (#""!x@1-2""#, FunnelExclusion(pattern("!x@1-2")), #""!x@1-2""#),
            ("Order Cancelled@1-2", FunnelExclusion(pattern("Order Cancelled"), steps: 1...2), "Order Cancelled@1-2"),
        ]
        for (text, exclusion, printed) in examples {
            #expect(try FunnelExclusion.parse(text) == exclusion)
            #expect(exclusion.description == printed)
            #expect(try FunnelExclusion.parse(printed) == exclusion)
        }
    }

    @Test(
        "an exclusion that cannot be read is pointed at",
        arguments: [
            ("", 1, "the end"), ("!", 2, "the end"), ("x@", 3, "the end"), ("x@1", 4, "the end"), ("x@1-", 5, "the end"),
            ("x@0-2", 3, "`0`"), ("x@2-2", 5, "`2`"), ("x@3-1", 5, "`1`"), ("x@1-2 z", 7, "`z`"), ("x?", 2, "`?`"), ("x > y", 3, "`>`"),
            ("x@a-b", 3, "`a`"), ("x[p=1", 6, "the end"), ("!!x", 2, "`!`"), ("x@-1-2", 3, "`-`"), ("x@1–2", 4, "`–`"),
            ("x@2000000-3000000", 11, "`3000000`"), ("!@2-3", 2, "`@`"),
        ])
    func wrong(text: String, column: Int, found: String) {
        #expect {
            try FunnelExclusion.parse(text)
        } throws: { error in
            let error = error as? GrammarError
            return error?.column == column && error?.found == found && error?.subject == "exclude"
        }
    }

    @Test func `an exclusion holds from its first step to before its last`() {
        let exclusion = FunnelExclusion(pattern("x"), steps: 2...4)
        #expect(exclusion.standing(of: 5) == 0b0110 && FunnelExclusion(pattern("x")).standing(of: 5) == 0b1111)
        #expect(FunnelExclusion(pattern("x")).standing(of: 1) == 0)
        #expect(FunnelExclusion(pattern("x"), steps: 1...32).standing(of: 32) == 0x7FFF_FFFF)
    }

    @Test(
        "breakdowns read and print",
        arguments: [
            ("props.plan", ["plan"], .first, "props.plan:first"), ("plan:last", ["plan"], .last, "props.plan:last"),
            (#""session":all"#, ["session"], .all, "props.session:all"), ("props.plan:last", ["plan"], .last, "props.plan:last"),
            ("props.a.b:step=12", ["a", "b"], .step(12), "props.a.b:step=12"), ("props.plan:all", ["plan"], .all, "props.plan:all"),
            (#"props."utm:source":first"#, ["utm:source"], .first, #"props."utm:source":first"#),
            (#"props."a\":b""#, [#"a":b"#], .first, #"props."a\":b":first"#),
        ] as [(String, [String], FunnelBreakdown.Attribution, String)])
    func breakdown(text: String, path: [String], attribution: FunnelBreakdown.Attribution, printed: String) throws {
        let breakdown = try FunnelBreakdown.parse(text)
        #expect(breakdown == FunnelBreakdown(path: path, attribution: attribution) && breakdown.description == printed)
        #expect(try FunnelBreakdown.parse(printed) == breakdown)
    }

    @Test(
        "other breakdowns are refused where they go wrong",
        arguments: [
            ("plan.", 6), ("", 1), ("props.", 7), ("props.plan:", 12), ("props.plan:frst", 12), ("props.plan:step=0", 12),
            ("props.plan:step=", 12),
            ("props.plan:step=+1", 12), ("props.a..b", 9), ("a,b,c", 5), ("a,", 3), ("a,b.", 5),
            ("props.plan:step=99999999999999999999", 12),
        ])
    func wrongBreakdown(text: String, column: Int) {
        #expect {
            try FunnelBreakdown.parse(text)
        } throws: { ($0 as? GrammarError)?.column == column && ($0 as? GrammarError)?.text == text }
    }

    @Test func `a breakdown that begins with its mark is told what stands there`() {
        #expect { try FunnelBreakdown.parse(":first") } throws: { ($0 as? GrammarError)?.found == "`:`" }
    }

    @Test(
        "engines read and print, modes in one order",
        arguments: [
            ("clickhouse", [], "clickhouse"), ("clickhouse:strict_order", [.order], "clickhouse:strict_order"),
            ("clickhouse:strict_once+strict_deduplication", [.once, .deduplication], "clickhouse:strict_deduplication+strict_once"),
            ("clickhouse:strict_increase+strict_increase", [.increase], "clickhouse:strict_increase"),
        ] as [(String, Set<FunnelCompat.WindowFunnelMode>, String)])
    func compat(text: String, modes: Set<FunnelCompat.WindowFunnelMode>, printed: String) throws {
        #expect(try FunnelCompat.parse(text) == .clickhouse(modes))
        #expect(FunnelCompat.clickhouse(modes).description == printed)
    }

    @Test(
        "other engines are refused where they go wrong",
        arguments: [
            ("", 1), ("duckdb", 1), ("clickhouse:", 12), ("clickhouse:strict", 12), ("clickhouse:strict_order+x", 25), ("ClickHouse", 1),
        ])
    func wrongCompat(text: String, column: Int) {
        #expect { try FunnelCompat.parse(text) } throws: { ($0 as? GrammarError)?.column == column }
    }
}
