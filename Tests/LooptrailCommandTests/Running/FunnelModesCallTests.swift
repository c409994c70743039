import Foundation
import Testing

/// What `looptrail funnel` can be asked beyond plain ordered funnels, as a process of its own, on real files.
@Suite struct FunnelModesCallTests {
    private let lines = Events.text([
        Events.line("viewed", 0, user: "u1", props: #"{"plan":"pro","sku":1}"#), Events.line("added", 5, user: "u1", props: #"{"sku":2}"#),
        Events.line("viewed", 0, user: "u2", props: #"{"plan":"free","sku":1}"#), Events.line("cleared", 1, user: "u2"),
        Events.line("added", 5, user: "u2", props: #"{"sku":1}"#), Events.line("viewed", 0, user: "a-3", props: #"{"sku":7}"#),
        Events.line("added", 9, user: "u3", props: #"{"plan":"pro","sku":7}"#),
        Events.line("identified", 4, user: "u3", props: #"{"anonymous":"a-3"}"#, more: #","type":"meta""#),
    ])

    private func run(_ words: [String], format: String = "json") throws -> Child.Result {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", lines)
        return try Child.looptrail(["funnel", path, "--format", format] + words)
    }

    @Test(
        arguments: [
            (["--steps", "viewed > added"], [3, 3]), (["--steps", "viewed > added", "--no-identify"], [3, 2]),
            (["--steps", "viewed > added", "--hold", "props.sku"], [3, 2]), (["--steps", "viewed > added", "--by", "props.sku"], [2, 2]),
            (["--steps", "viewed > added", "--exclude", "!cleared"], [2, 2]),
            (["--steps", "viewed > added", "--exclude", "cleared@1-2"], [3, 2]), (["--steps", "viewed > cleared? > added"], [3, 1, 3]),
            (["--steps", "viewed > added", "--order", "strict"], [3, 2]), (["--steps", "added > viewed", "--order", "any"], [3, 3]),
            (["--steps", "viewed > added", "--step-window", "5s"], [3, 2]), (["--steps", "* > *", "--count", "attempts"], [7, 4]),
            (["--steps", "viewed > added", "--compat", "clickhouse:strict_order"], [3, 2]),
        ] as [([String], [Int])])
    func `each flag counts what it says`(_ words: [String], _ expected: [Int]) throws {
        let result = try run(words)
        #expect(result.status == 0 && result.complaints == "", "\(result.errors)")
        #expect(try FunnelJSON(result.output).steps.map(\.count) == expected)
    }

    @Test(
        arguments: [
            ([], ["pro 2,2", "free 1,1"]), (["--top", "1"], ["pro 2,2", "(other) 1,1"]),
        ])
    func `a breakdown's groups can be limited, named without props, and taken from a step`(_ words: [String], _ expected: [String]) throws {
        let json = try FunnelJSON(try run(["--steps", "viewed > added", "--breakdown", "props.plan"] + words).output)
        #expect(json.groups.map { "\($0.value) \($0.steps.map { String($0.count) }.joined(separator: ","))" } == expected)
        let bare = try FunnelJSON(try run(["--steps", "viewed > added", "--breakdown", "plan"] + words).output)
        #expect(bare.groups.map(\.value) == json.groups.map(\.value))
        let byStep = try FunnelJSON(try run(["--steps", "viewed > added", "--breakdown", "props.plan:step=2"]).output)
        #expect(byStep.groups.map(\.value) == ["(none)", "pro"])
    }

    @Test(
        arguments: [
            (["trend", "--every", "day"], "Trend   7 attempts by user, every day by UTC"),
            (["users"], "Users   4 attempts by user that reached step 2 (*)"),
        ])
    func `other tables of attempts name what they counted`(_ words: [String], _ heading: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", lines)
        let counting = ["--steps", "* > *", "--count", "attempts", "--step-window", "1m"]
        let result = try Child.looptrail([words[0], path, "--include-open", "--format", "table"] + words.dropFirst() + counting)
        #expect(result.output.hasPrefix(heading), "\(result.output)\(result.errors)")
        #expect(result.output.prefix { $0 != "\n" }.contains("window 7d from step 1, ordered, at most 1m from step to step"))
    }

    @Test func `a missing value and null fit != alone, and a test with an empty text asks for any value`() throws {
        let folder = try TemporaryFolder()
        let values = ["{}", #"{"p":null}"#, #"{"p":{"x":1}}"#, #"{"p":""}"#, #"{"p":"null"}"#, #"{"p":5}"#]
        let lines = values.enumerated().map { Events.line("a", user: "u\($0.offset)", props: $0.element) }
        let path = try folder.file("e.ndjson", Events.text(lines))
        for (test, count) in [("p=null", 1), ("p!=null", 5), ("p~\"\"", 3)] {
            let result = try Child.looptrail(["funnel", path, "--steps", "a[\(test)]", "--format", "json"])
            #expect(result.output.contains(#""overall":{"entered":\#(count),"#), "\(test): \(result.output)")
        }
        #expect(try Child.looptrail(["help", "funnel"]).output.contains("price=null"))
    }

    @Test func `the table tells everything that was asked`() throws {
        let result = try run(
            [
                "--steps", "viewed > cleared? > added", "--exclude", "!gone@1-3", "--step-window", "1m", "--hold", "props.sku",
                "--breakdown", "props.plan", "--no-identify",
            ], format: "table")
        for text in [
            "at most 1m from step to step", "one value of props.sku", "without users whose deepest attempts all met gone@1-3",
            "anonymous ids not joined",
            "cleared?", "props.plan:first", "of step 1",
        ] {
            #expect(result.output.contains(text), "\(result.output)")
        }
        #expect(result.complaints == "looptrail funnel: warning: no event is named `gone`\n")
        let attempts = try run(["--steps", "viewed > added", "--count", "attempts"], format: "table")
        #expect(attempts.output.contains("3 attempts by user"))
        #expect(try run(["--steps", "viewed", "--compat", "clickhouse"], format: "table").output.contains("as clickhouse counts"))
    }

    @Test func `an exclusion that does not occur is a warning with the nearest name`() throws {
        let result = try run(["--steps", "viewed > added", "--exclude", "clered"])
        #expect(
            result.status == 0 && result.complaints == "looptrail funnel: warning: no event is named `clered`: did you mean `cleared`?\n")
    }

    @Test func `a saved funnel counts as its flags would, and flags beside it change it`() throws {
        let folder = try TemporaryFolder()
        let events = try folder.file("e.ndjson", lines)
        let saved = try folder.file("f.json", #"{"name":"Cart","steps":"viewed > added","window":"6s","exclude":"!cleared"}"#)
        let plain = try Child.looptrail([
            "funnel", events, "--steps", "viewed > added", "--window", "6s", "--exclude", "!cleared", "--format", "json",
        ])
        let fromFile = try Child.looptrail(["funnel", events, "--funnels", saved, "--format", "json"])
        #expect(fromFile.status == 0 && fromFile.output == plain.output)
        let wider = try Child.looptrail(["funnel", events, "--funnels", saved, "--window", "1h", "--format", "json"])
        #expect(try FunnelJSON(wider.output).steps.map(\.count) == [2, 2])
        #expect(try Child.looptrail(["funnel", events, "--funnels", saved]).output.hasPrefix("Cart   2 users"))
    }

    @Test func `several saved funnels are shown one after the other`() throws {
        let folder = try TemporaryFolder()
        let events = try folder.file("e.ndjson", lines)
        let saved = try folder.file("f.json", #"[{"name":"One","steps":"viewed"},{"name":"Two","steps":"viewed > added"}]"#)
        let table = try Child.looptrail(["funnel", events, "--funnels", saved])
        #expect(table.status == 0 && table.output.contains("One   3 users") && table.output.contains("Two   3 users"))
    }

    @Test(
        arguments: [
            (#"{"steps":"a","windw":1}"#, ":1:14: a funnel has no `windw`: did you mean `window`?"),
            ("[]", ":1:1: the file holds no funnel"),
            (#"{"steps":"a > b","order":"any","step-window":"1s"}"#, "--order any does not go with --step-window"),
            (#"{"steps":"a","since":"soon"}"#, "`soon` is not a date or time"), ("", ":1:1: this is not JSON with funnels"),
        ])
    func `a saved funnel that is wrong is a usage error with its place`(_ text: String, _ words: String) throws {
        let folder = try TemporaryFolder()
        let saved = try folder.file("f.json", text)
        let result = try Child.looptrail(["funnel", try folder.file("e.ndjson", lines), "--funnels", saved])
        #expect(result.status == 2 && result.output == "" && result.errors.contains(words), "\(result.errors)")
    }

    @Test func `a flag that one of several saved funnels cannot take names this funnel and its line`() throws {
        let folder = try TemporaryFolder()
        let funnels = "[{\"name\":\"One\",\"steps\":\"a\",\"breakdown\":\"p\"},\n {\"name\":\"Two\",\"steps\":\"a\"}]"
        let saved = try folder.file("f.json", funnels)
        let result = try Child.looptrail(["funnel", try folder.file("e.ndjson", lines), "--funnels", saved, "--top", "3"])
        #expect(result.status == 2 && result.errors.contains("\(saved):2: funnel `Two`: --top says how many groups"), "\(result.errors)")
    }
}
