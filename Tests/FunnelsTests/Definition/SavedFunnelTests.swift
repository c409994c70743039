import Testing

@testable import Funnels

@Suite("Saved funnels")
struct SavedFunnelTests {
    private func funnels(_ text: String) throws -> [SavedFunnel] { try SavedFunnel.all(Array(text.utf8)) }

    @Test func `the design's example, alone and in an array`() throws {
        let text = #"{"name":"Checkout","steps":"a > b > c","window":"1h","by":"user"}"#
        var expected = SavedFunnel(name: "Checkout", steps: [FunnelStep("a"), FunnelStep("b"), FunnelStep("c")])
        expected.window = 3_600_000
        #expect(try funnels(text) == [expected])
        #expect(try funnels(" [\n\(text) , {\"steps\":\"x\"} ]\r\n") == [expected, SavedFunnel(steps: [FunnelStep("x")])])
        #expect(try funnels("\u{FEFF}" + text) == [expected])
    }

    @Test func `every key is understood`() throws {
        let saved = try funnels(
            #"""
            {"steps":"a > b?\u003e c","step-window":"5m","order":"strict","by":"props.org","hold":"props.sku","count":"users",
             "exclude":["x","!y@1-2"],"breakdown":"props.plan:last","top":3,"identify":false,"since":"2026-01-01","until":"now-1d",
             "name":null,"compat":null}
            """#)[0]
        #expect(saved.steps == (try FunnelStep.parse("a > b? > c")) && saved.stepWindow == 300_000 && saved.order == .strict)
        #expect(saved.key == .property(["org"]) && saved.hold == ["sku"] && saved.counting == .users && !saved.identify)
        #expect(saved.exclusions.map(\.description) == ["x", "!y@1-2"] && saved.since == "2026-01-01" && saved.until == "now-1d")
        #expect(saved.breakdown == FunnelBreakdown(path: ["plan"], attribution: .last, top: 3) && saved.name == nil)
        let definition = try saved.definition(since: 5, until: 6)
        #expect(definition.since == 5 && definition.until == 6 && definition.stepWindowMilliseconds == 300_000 && !definition.identify)
        #expect(try funnels(#"{"steps":"a","exclude":"!x","step_window":"1s","compat":"clickhouse"}"#)[0].stepWindow == 1000)
    }

    @Test(
        "what is wrong is told with its place",
        arguments: [
            (#"{"steps":"a","windw":"1h"}"#, "1:14: a funnel has no `windw`: did you mean `window`?"),
            ("{\"steps\":\"a\",\n  \"zzzzzz\":1}", "2:3: a funnel has no `zzzzzz`; it has name, steps, window"),
            (#"{"name":"a"}"#, "1:1: this funnel has no `steps`"), (#"[{"steps":"a"},{}]"#, "1:16: this funnel has no `steps`"),
            (#"{"steps":"a >"}"#, "1:10: `steps`: steps, column 4: found the end"), (#"{"steps":3}"#, "1:10: `steps`: expected text"),
            (#"{"steps":"a","window":"1"}"#, "1:23: `window`: window, column 2"),
            (#"{"steps":"a","window":60}"#, "1:23: `window`: expected text"),
            (#"{"steps":"a","order":"random"}"#, "`order`: expected one of `ordered`, `strict`, `any`"),
            (#"{"steps":"a","top":5}"#, "`top`: expected a `breakdown` beside it"),
            (#"{"steps":"a","breakdown":"props.p","top":10001}"#, "`top`: expected a whole number from 1 to 10,000"),
            (#"{"steps":"a","breakdown":"props.p","top":0}"#, "`top`: expected a whole number from 1 to 10,000"),
            (#"{"steps":"a","identify":"no"}"#, "`identify`: expected `true` or `false`"),
            (#"{"steps":"a","exclude":["x","y@2-1"]}"#, "1:29: `exclude`: exclude, column 5"),
            (#"{"steps":"a","exclude":[1]}"#, "1:25: `exclude`: expected text"),
            (#"{"steps":"a","steps":"b"}"#, "1:14: `steps` stands twice"),
            (#"{"steps":"a","step-window":"1s","step_window":"1s"}"#, "`step_window` stands twice"),
            ("[]", "1:1: the file holds no funnel"), ("", "1:1: this is not JSON with funnels: expected a funnel in `{ }`"),
            ("3", "1:1: this is not JSON with"), (#"{"steps":"a"} x"#, "1:15: this is not JSON with funnels: expected the end of the file"),
            (#"{"steps":"a""#, "1:13: this is not JSON with funnels"), (#"{"steps" "a"}"#, "1:10: this is not JSON with funnels"),
            (#"[{"steps":"a"}"#, "1:15: this is not JSON with funnels: expected `,` or `]`"),
        ])
    func wrong(text: String, words: String) {
        #expect {
            try funnels(text)
        } throws: { error in
            let said = (error as? SavedFunnelError)?.description ?? ""
            #expect(said.contains(words), "\(said)")
            return said.contains(words)
        }
    }

    @Test func `each funnel of a file knows the line on which it begins`() throws {
        let text = "\u{FEFF}[\r\n{\"steps\":\"a\"},\n\n  {\"steps\":\n\"b > c\"}, {\"steps\":\"d\"}]"
        #expect(try WrittenFunnel.all(Array(text.utf8)).map(\.line) == [2, 4, 5])
        #expect(try WrittenFunnel.all(Array(text.utf8)).map(\.steps) == ["a", "b > c", "d"])
    }

    /// At a quadratic cost this would take a minute.
    @Test func `ten thousand funnels on one line all have its number`() throws {
        let text = "\n[" + Array(repeating: #"{"steps":"a"}"#, count: 10_000).joined(separator: ",") + "]"
        #expect(try WrittenFunnel.all(Array(text.utf8)).count { $0.line == 2 } == 10_000)
    }

    @Test(
        "a value of the wrong kind is told with its place",
        arguments: [
            (#"{"steps":"a","name":1}"#, "1:21: `name`: expected text"), (#"{"steps":"a","exclude":{}}"#, "1:24: `exclude`: expected text"),
            (#"{"steps":"a","identify":1}"#, "1:25: `identify`: expected `true` or `false`"),
            (#"{"steps":"a","count":"keys"}"#, "1:22: `count`: expected one of `users`, `attempts`"),
            (#"{"steps":"a","breakdown":"props.p","top":1.5}"#, "1:42: `top`: expected a whole number from 1 to 10,000"),
            (#"{"steps":"a","breakdown":"props.p","top":"3"}"#, "1:42: `top`: expected a whole number from 1 to 10,000"),
            (#"{"steps":"a","breakdown":"props.p:step=0"}"#, "1:26: `breakdown`: breakdown, column 9: found `step=0`"),
            (#"{"steps":"a","hold":"sku"}"#, "1:21: `hold`: hold, column 1: found `sku`, expected `props.<path>`"),
            (#"{"steps":"a","hold":"session.x"}"#, "1:21: `hold`: hold, column 1: found `session.x`, expected `props.<path>`"),
            (#"{"steps":"a","by":"props."}"#, "1:19: `by`: by, column 7"),
            (#"{"steps":"a","compat":"bigquery"}"#, "1:23: `compat`: compat, column 1: found `bigquery`, expected `clickhouse`"),
            (#"{"steps":"a","compat":"clickhouse:"}"#, "1:23: `compat`: compat, column 12: found the end, expected one of"),
            (
                #"{"steps":"a","compat":"clickhouse:strict_order+strct"}"#,
                "1:23: `compat`: compat, column 25: found `strct`, expected one of `strict_deduplication`"
            ),
            (#"{"steps":"a","since":20260101}"#, "1:22: `since`: expected text"),
        ])
    func kinds(text: String, words: String) {
        let error = #expect(throws: SavedFunnelError.self) { try funnels(text) }
        #expect(error?.description.hasPrefix(words) == true, "\(error?.description ?? "")")
    }

    @Test func `a key that is null has its default`() throws {
        let nulls = SavedFunnelReader.keys.filter { $0 != "steps" }.map { "\"\($0)\":null" }.joined(separator: ",")
        #expect(try funnels("{\"steps\":\"a\",\(nulls)}") == [SavedFunnel(steps: [FunnelStep("a")])])
    }

    @Test func `broken UTF-8 and deep nesting are refused`() {
        #expect(throws: SavedFunnelError.self) { try SavedFunnel.all([UInt8(ascii: "{"), 0xFF]) }
        let deep = #"{"steps":"# + String(repeating: "[", count: 100_000)
        #expect(throws: SavedFunnelError.self) { try funnels(deep) }
    }
}
