import Basics
import Foundation
import Testing

@testable import Funnels
@testable import Reports

@Suite("JSON")
struct JSONReportTests {
    @Test func `a funnel has exactly the fixed keys in their order`() throws {
        var input = InputQuality()
        (input.files, input.bytes, input.events) = (1, 1234, 10)
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a[price >= 10] > b"), windowMilliseconds: 3_600_000)
        let text = JSONReport().text(of: SampleResults.funnel(definition, counts: [4, 2], milliseconds: [1000], input: input))
        #expect(
            text == """
                {"schema":1,
                 "definition":{"steps":[{"name":"a","filter":"price>=10","optional":false},{"name":"b","filter":null,"optional":false}],\
                "window_ms":3600000,"step_window_ms":null,"order":"ordered","by":"user","ties":"any","count":"users","dedupe":"id",\
                "hold":null,"exclusions":[],"since_ms":null,"until_ms":null,"compat":null,"mature":false},
                 "steps":[{"index":1,"name":"a","count":4,"of_first":1,"of_previous":1,"dropped":0,"from_previous_ms":null,"from_first_ms":null,\
                "of_first_ci95":[0.5101091635454027,1],"of_previous_ci95":[0.5101091635454027,1]},
                   {"index":2,"name":"b","count":2,"of_first":0.5,"of_previous":0.5,"dropped":2,\
                "from_previous_ms":{"n":2,"mean":1000,"p50":1000,"p90":1000,"p99":1000},\
                "from_first_ms":{"n":2,"mean":1000,"p50":1000,"p90":1000,"p99":1000},\
                "of_first_ci95":[0.15003898915214947,0.8499610108478506],"of_previous_ci95":[0.15003898915214947,0.8499610108478506]}],
                 "overall":{"entered":4,"converted":2,"rate":0.5,"time_ms":{"n":2,"mean":1000,"p50":1000,"p90":1000,"p99":1000},\
                "rate_ci95":[0.15003898915214947,0.8499610108478506]},
                 "groups":[],
                 "window_open":0,
                 "mature":null,
                 "input":{"files":1,"bytes":1234,"events":10,"bad_lines":0,"duplicates":0,"without_key":0,"damaged_members":0,"sequence_gaps":0}}

                """)
    }

    @Test func `shares of nothing and times of nobody are null, never NaN`() throws {
        let definition = try FunnelDefinition(
            steps: FunnelStep.parse("a > b"), key: .property(["a.b", "c"]), since: -5, until: 1_767_225_600_000)
        let text = JSONReport().text(of: SampleResults.funnel(definition, counts: [0, 0]))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let overall = try #require(object["overall"] as? [String: Any])
        #expect(overall["rate"] is NSNull && overall["time_ms"] is NSNull)
        let steps = try #require(object["steps"] as? [[String: Any]])
        #expect(steps.allSatisfy { $0["of_first"] is NSNull && $0["of_previous"] is NSNull && $0["from_first_ms"] is NSNull })
        #expect(text.contains(#""by":"props.\"a.b\".c""#) && text.contains(#""since_ms":-5,"until_ms":1767225600000"#))
        #expect(!text.lowercased().contains("nan"))
    }

    @Test func `numbers are the shortest that read back`() {
        func written(_ value: Double) -> String {
            var writer = JSONWriter()
            writer.number(value)
            return writer.text
        }
        #expect(
            [1, 0.5, 0.899, 1000, 1e15, 0.1 + 0.2, -2, 1.0 / 3].map(written)
                == ["1", "0.5", "0.899", "1000", "1000000000000000", "0.30000000000000004", "-2", "0.3333333333333333"])
        #expect([Double.nan, .infinity].map(written) == ["null", "null"])
        for value in [1e16, 1e300, Double.leastNonzeroMagnitude, 9_007_199_254_740_992] {
            #expect(Double(written(value)) == value)
        }
    }

    @Test(
        "hostile names come back as they were and act on no terminal",
        arguments: ["\u{1B}[2J", "\u{9B}31m", "\u{202E}evil", "quote \" back \\ slash", "\u{7F}\0\n", "購入 👩‍👩‍👧", "\u{E0041}", "</script>"])
    func hostile(name: String) throws {
        let definition = try FunnelDefinition(steps: [FunnelStep(name)])
        let text = JSONReport().text(of: SampleResults.funnel(definition, counts: [1]))
        #expect(!text.unicodeScalars.contains { $0 != "\n" && TerminalText.acts($0) })
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(
            ((object["steps"] as? [[String: Any]])?.first?["name"] as? String)?.unicodeScalars.elementsEqual(name.unicodeScalars) == true)
    }

    @Test func `events have exactly the fixed keys in their order`() throws {
        let catalogue = EventCatalogue(
            entries: [
                .init(name: "a", count: 1, users: 0, firstMilliseconds: 1, lastMilliseconds: 2),
                .init(name: "b", count: 1, users: 1, firstMilliseconds: 0, lastMilliseconds: 0),
            ], metaLines: 3, timingLines: 4, input: InputQuality())
        #expect(
            JSONReport().text(of: catalogue) == """
                {"schema":1,
                 "events":[{"name":"a","count":1,"users":0,"first_ms":1,"last_ms":2},
                   {"name":"b","count":1,"users":1,"first_ms":0,"last_ms":0}],
                 "meta_lines":3,"timing_lines":4,"since_ms":null,"until_ms":null,
                 "input":{"files":0,"bytes":0,"events":0,"bad_lines":0,"duplicates":0,"without_key":0,"damaged_members":0,"sequence_gaps":0}}

                """)
    }
}
