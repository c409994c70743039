import Foundation
import PlanAuthoring
import Testing
import TrackingPlans

/// `looptrail plan` as a process of its own, and `--plan` of the other commands.
@Suite struct PlanCallTests {
    private struct Check: Decodable {
        struct Violation: Decodable {
            var kind: String
            var event: String
            var property: String?
            var count: Int
            var events: Int
            var file: String
            var line: Int
            var versions: [String: Int]
        }

        var plan: String
        var violations: [Violation]
    }

    private static let plan = #"""
        {"plan":1,"name":"Shop","events":{
          "viewed":{"props":{"price":{"type":"int"}}},
          "added":{"props":{"price":{"type":"int"}}},
          "paid":{"props":{"total":{"type":"number"},"coupon":{"type":"string","optional":true}}},
          "returned":{}}}
        """#

    /// A folder with the events of the shop, and a plan of them.
    private func folder(_ plan: String = plan) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.file("e.ndjson", Events.shop)
        try folder.file("plan.json", plan)
        return folder
    }

    @Test func `a plan is inferred, checks out, and gives the Swift that the plugin gives`() throws {
        let folder = try folder()
        let plan = folder.path("inferred.json")
        let inferred = try Child.looptrail(["plan", "infer", folder.path("e.ndjson"), "--name", "Shop", "-o", plan])
        #expect(inferred.status == 0 && inferred.output == "" && inferred.errors == "")
        let text = try String(contentsOfFile: plan, encoding: .utf8)
        #expect(
            text == """
                {"plan":1,"name":"Shop",
                 "events":{
                  "viewed":{"props":{
                    "price":{"type":"int"}}},
                  "added":{"props":{
                    "price":{"type":"int"}}},
                  "paid":{"props":{
                    "total":{"type":"number"}}}}}

                """)
        #expect(try Child.looptrail(["plan", "infer", "--name=Shop"], input: .pipe(Array(Events.shop.utf8))).output == text)
        let check = try Child.looptrail(["plan", "check", folder.path("e.ndjson"), "--plan", plan])
        #expect(check.status == 0 && check.output.contains("every event is as the plan has it"))
        let swift = folder.path("ShopEvent.swift")
        #expect(try Child.looptrail(["plan", "swift", plan, "-o", swift]).status == 0)
        #expect(try String(contentsOfFile: swift, encoding: .utf8) == SwiftGenerator.source(of: try TrackingPlan(Array(text.utf8))))
    }

    @Test func `without a name the plan is called Events, and an unusable name is refused`() throws {
        let folder = try folder()
        #expect(try Child.looptrail(["plan", "infer", folder.path("e.ndjson")]).output.hasPrefix(#"{"plan":1,"name":"Events","#))
        let none = try Child.looptrail(["plan", "infer", folder.path("e.ndjson"), "--name", "…"])
        #expect(none.status == 2 && none.errors.contains("expected a name with a letter or digit"))
        #expect(try Child.looptrail(["plan", "infer", folder.path("e.ndjson"), "--name", "Tracking"]).status == 2)
    }

    @Test func `a property of several types is a string, with a note that quiet silences`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.text([Events.line("a", props: #"{"x":1}"#), Events.line("a", props: #"{"x":"1"}"#)]))
        let result = try Child.looptrail(["plan", "infer", path])
        #expect(result.status == 0 && result.errors.contains("property `x` of `a` is string and int: the plan has it as a string"))
        #expect(try Child.looptrail(["plan", "infer", path, "--quiet"]).errors == "")
    }

    @Test func `what is not as planned is found with its place, and exits with 4`() throws {
        let folder = try folder()
        let path = folder.path("e.ndjson")
        try folder.file(
            "e.ndjson", Events.shop + Events.line("viewed", 90, props: #"{"price":"9"}"#) + "\n" + Events.line("veiwed", 91) + "\n")
        let result = try Child.looptrail(["plan", "check", path, "--plan", folder.path("plan.json"), "--format", "json"])
        #expect(result.status == 4)
        let found = try JSONDecoder().decode(Check.self, from: Data(result.output.utf8))
        #expect(found.plan == "Shop")
        #expect(
            found.violations.map { "\($0.kind) \($0.event) \($0.count)/\($0.events) \($0.line) \($0.versions)" } == [
                #"unplanned_event veiwed 1/1 9 ["(none)": 1]"#, #"wrong_type viewed 1/5 8 ["(none)": 1]"#,
            ])
        #expect(found.violations.allSatisfy { $0.file == path })
        let elsewhere = try Child.looptrail(["plan", "check", path, "--plan", folder.path("plan.json"), "-o", folder.path("r.html")])
        #expect(elsewhere.status == 4 && elsewhere.errors.contains("not every event is as planned; see `\(folder.path("r.html"))`"))
        let early = try Child.looptrail(["plan", "check", path, "--plan", folder.path("plan.json"), "--until", "2026-01-01T12:01:20"])
        #expect(early.status == 0)
    }

    @Test(arguments: [(["-"], "standard input was empty: nothing"), ([], "standard input was empty and no PATH was given: nothing")])
    func `a check that read nothing proves nothing, and fails`(paths: [String], message: String) throws {
        let folder = try folder()
        let result = try Child.looptrail(["plan", "check", "--plan", folder.path("plan.json")] + paths, input: .pipe([]))
        #expect(result.status == 1 && result.output == "" && result.errors.contains(message), "\(result.errors)")
    }

    @Test func `damaged input under --strict comes before what is not planned`() throws {
        let folder = try folder()
        let path = try folder.file("bad.ndjson", "no line\n" + Events.line("veiwed") + "\n")
        #expect(try Child.looptrail(["plan", "check", path, "--plan", folder.path("plan.json"), "--strict"]).status == 3)
        #expect(try Child.looptrail(["plan", "check", path, "--plan", folder.path("plan.json")]).status == 4)
    }

    @Test func `a comparison names what breaks, and which steps of saved funnels`() throws {
        let folder = try folder()
        let new = try folder.file("new.json", Self.plan.replacingOccurrences(of: "\"added\"", with: "\"put\""))
        let funnels = try folder.file("funnels.json", #"[{"name":"Buy","steps":"viewed > added > paid"},{"name":"See","steps":"viewed"}]"#)
        let more = try folder.file("more.json", #"{"name":"Add","steps":"added"}"#)
        for arguments in [["--funnels", funnels, "--funnels", more], ["--funnels", funnels, more]] {
            let result = try Child.looptrail(["plan", "diff", folder.path("plan.json"), new] + arguments)
            #expect(result.status == 4)
            #expect(result.output.contains("perhaps renamed: added → put"))
            #expect(result.output.contains("funnel Buy, step 2, column 10 of its steps: added no longer matches"))
            #expect(result.output.contains("funnel Add, step 1, column 1 of its steps: added no longer matches"))
            #expect(!result.output.contains("See"))
        }
        #expect(try Child.looptrail(["plan", "diff", new, new, "--funnels", funnels]).status == 0)
    }

    @Test func `a catalogue is a page, with counts if there are files`() throws {
        let folder = try folder()
        let bare = try Child.looptrail(["plan", "docs", folder.path("plan.json"), "--format", "md"])
        #expect(bare.status == 0 && bare.output.contains("`returned`"))
        #expect(!bare.output.contains("Last seen") && !bare.output.contains("**Input**"))
        let counted = try Child.looptrail(["plan", "docs", folder.path("plan.json"), folder.path("e.ndjson")])
        #expect(counted.output.contains("viewed  4") && counted.output.contains("returned  0"))
        #expect(try Child.looptrail(["plan", "docs", folder.path("plan.json"), "-o", folder.path("plan.html")]).status == 0)
        #expect(try String(contentsOfFile: folder.path("plan.html"), encoding: .utf8).contains("<table"))
    }

    @Test(arguments: [
        (["plan"], "TASK is needed: `infer`, `check`, `diff`, `docs`, `swift`"),
        (["plan", "chekc"], "`chekc` is not a TASK, only `infer`, `check`, `diff`, `docs`, `swift` are; did you mean `check`?"),
        (["plan", "check", "x"], "--plan is needed, for example `--plan tracking-plan.json`"),
        (["plan", "check", "x", "--name", "Shop", "--plan", "PLAN"], "--name belongs to `plan infer`, not to `plan check`"),
        (["plan", "docs", "x", "--plan", "PLAN"], "--plan belongs to `plan check`, not to `plan docs`"),
        (["plan", "infer", "x", "--since", "2026-01-01"], "--since belongs to `plan check`, not to `plan infer`"),
        (["plan", "check", "x", "-plan", "PLAN"], "unknown flag `-plan`: did you mean `--plan`?"),
        (["plan", "docs", "x", "-format", "md"], "unknown flag `-format`: did you mean `--format`?"),
        (["plan", "diff", "x", "y", "--until", "2026-01-01"], "--until belongs to `plan check`, not to `plan diff`"),
        (["plan", "infer", "x", "--format", "json"], "--format belongs to `plan check`, not to `plan infer`"),
        (["plan", "diff", "a"], "`plan diff` needs two plans, OLD and NEW"), (["plan", "swift"], "FILE is needed"),
        (["plan", "docs"], "FILE is needed, for example `looptrail plan docs tracking-plan.json`"),
        (["plan", "diff", "a", "b", "c"], "`plan diff` needs two plans, OLD and NEW"),
        (["events", "--plan", "/nowhere/plan.json"], "--plan: `/nowhere/plan.json` cannot be read: No such file or directory"),
        (["events", "--plan", "/"], "--plan: `/` is a folder, and a file is needed"),
        (["events", "--only-users", "/dev/null"], "--only-users: `/dev/null` is a pipe or a device, and a file is needed"),
        (["funnel", "--funnels", "LARGE"], "large.json` has more than 1,048,576 bytes"),
        (["plan", "diff", "PLAN", "PLAN", "--funnels", "/"], "--funnels: `/` is a folder, and a file is needed"),
        (
            ["plan", "docs", "PLAN", "--since", "2026-01-01"],
            "--since chooses events to count: give their PATH behind the plan\nSee `looptrail help plan docs`."
        ),
        (["help", "plan", "infre"], "`looptrail plan` has no TASK `infre`; did you mean `infer`?"),
        (["help", "events", "x"], "`x` is one argument too many: `looptrail help events` says all"),
        (["help", "plan", "infer", "x"], "`x` is one too many: COMMAND is `plan` already"),
    ])
    func `a wrong call says what is wrong`(arguments: [String], message: String) throws {
        let folder = try folder()
        let large = try folder.file("large.json", String(repeating: " ", count: 1 << 20) + "[]")
        let result = try Child.looptrail(arguments.map { ["PLAN": folder.path("plan.json"), "LARGE": large][$0] ?? $0 })
        #expect(result.status == 2 && result.errors.contains(message), "\(result.errors)")
    }

    @Test(
        arguments: [
            ("infer", "looptrail plan infer [PATH...] [flags]", "at most 12 were seen", "--name"),
            ("check", "looptrail plan check [PATH...] --plan FILE [flags]", "Exits with 4", "--only-users"),
            ("diff", "looptrail plan diff OLD NEW [flags]", "a narrower range", "--funnels"),
            ("docs", "looptrail plan docs FILE [PATH...] [flags]", "last seen", "--since"),
            ("swift", "looptrail plan swift FILE [flags]", "build plugin", "--output"),
        ])
    func `each task has a help of its own`(task: String, usage: String, words: String, flag: String) throws {
        let help = try Child.looptrail(["help", "plan", task])
        #expect(help.status == 0 && help.output.hasPrefix("looptrail plan \(task) - "))
        for part in ["Usage: \(usage)\n", words, flag] {
            #expect(help.output.replacingOccurrences(of: "\n", with: " ").contains(part.trimmingCharacters(in: .newlines)))
        }
        #expect(try Child.looptrail(["plan", task, "--help"]).output == help.output)
        #expect(try Child.looptrail(["help", "plan"]).output.contains("  \(task) "))
    }

    @Test func `a plan that is none is named with file, line and column`() throws {
        let folder = try folder("{\"plan\":1,\n \"nme\":2}")
        let path = folder.path("plan.json")
        for arguments in [["plan", "swift", path], ["plan", "docs", path], ["plan", "diff", path, path]] {
            let result = try Child.looptrail(arguments)
            #expect(result.status == 1 && result.errors.contains("\(path):2:2: found the key `nme`"))
        }
        let flagged = try Child.looptrail(["funnel", folder.path("e.ndjson"), "--steps", "a", "--plan", path])
        #expect(flagged.status == 2 && flagged.errors.contains("--plan: \(path):2:2: found the key `nme`"))
    }

    @Test func `with a plan, only names that neither plan nor data have are warned of`() throws {
        let folder = try folder()
        let (events, plan) = (folder.path("e.ndjson"), folder.path("plan.json"))
        func errors(_ steps: String, _ more: [String] = []) throws -> String {
            let result = try Child.looptrail(["funnel", events, "--steps", steps, "--plan", plan] + more)
            #expect(result.status == 0)
            return result.complaints
        }
        #expect(try errors("viewed > returned") == "")
        #expect(try errors("viewed[price>1] > paid[coupon=x]") == "")
        #expect(try errors("viewed > retruned").contains("no event is named `retruned` in the plan or the data: did you mean `returned`?"))
        #expect(
            try errors("viewed[prise>1] > paid").contains(
                "event `viewed` has no `props.prise` in the plan or the data: did you mean `props.price`?"))
        #expect(
            try errors("viewed > paid", ["--breakdown", "props.nothing"]).contains("no event has `props.nothing` in the plan or the data"))
        #expect(try errors("viewed[prise>1] > paid", ["--quiet"]) == "")
        let piped = try Child.looptrail(["funnel", "--steps", "viewed[prise>1]", "--plan", plan], input: .pipe(Array(Events.shop.utf8)))
        #expect(piped.errors.contains("event `viewed` has no `props.prise` in the plan: did you mean `props.price`?"))
        for command in [
            ["users", "--step", "1"], ["trend", "--every", "day"], ["report", "-o", folder.path("r.html")], ["why"], ["explain"],
        ] {
            let result = try Child.looptrail(
                [command[0], events, "--steps", "viewed[prise>1] > paid", "--plan", plan] + command.dropFirst())
            #expect(result.errors.contains("has no `props.prise` in the plan or the data"), "\(command[0]): \(result.errors)")
        }
        let retention = ["retention", events, "--start", "viewed[prise>1]", "--return", "paid", "--plan", plan]
        #expect(try Child.looptrail(retention).errors.contains("has no `props.prise` in the plan or the data"))
        #expect(try Child.looptrail(["props", "retruned", events, "--plan", plan]).errors.contains("did you mean `returned`?"))
    }
}
