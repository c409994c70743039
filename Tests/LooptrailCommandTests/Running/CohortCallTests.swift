import Foundation
import Testing

/// Files of users, made by one command and taken by the others.
@Suite struct CohortCallTests {
    private func entered(_ words: [String], _ path: String, complaints: Int = 0) throws -> Int {
        let result = try Child.looptrail(["funnel", path, "--steps", "viewed > added", "--format", "json"] + words)
        #expect(result.status == 0 && result.complaints.split(separator: "\n").count == complaints, "\(result.errors)")
        let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        return try #require((json?["overall"] as? [String: Any])?["entered"] as? Int)
    }

    @Test(arguments: ["lost.json", "lost.csv"])
    func `the users that a funnel lost are a file that every command takes`(name: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let lost = folder.path(name)
        #expect(try Child.looptrail(["users", path, "--steps", "viewed > added", "--dropped", "-o", lost]).status == 0)
        #expect(try entered(["--only-users", lost], path) == 2)
        #expect(try entered(["--not-users", lost], path) == 2)
        #expect(try entered(["--only-users", lost, "--not-users", lost], path, complaints: 1) == 0)

        func output(_ words: [String]) throws -> String {
            let result = try Child.looptrail(words + [path, "--only-users", lost])
            #expect(result.status == 0 && result.complaints == "", "\(words): \(result.errors)")
            return result.output
        }
        #expect(try output(["events"]).contains("only 2 users of \(name)"))
        #expect(try output(["events", "--format", "json"]).contains(#""name":"viewed","count":2"#))
        #expect(try output(["props", "viewed"]).hasPrefix("viewed   2 events"))
        #expect(try output(["paths", "--from", "viewed"]).contains("2 users, from the first of each, within 1d, only 2 users of \(name)"))
        #expect(try output(["users", "--steps", "viewed"]).contains("u3") && !output(["users", "--steps", "viewed"]).contains("u1"))
        #expect(try output(["trend", "--include-open", "--steps", "viewed > added"]).contains("Overall 0.0%"))
        #expect(try output(["report", "--steps", "viewed > added", "--format", "json"]).contains(#""only_users":{"file":"\#(name)""#))
        let funnel = try output(["funnel", "--steps", "viewed > added", "--format", "json"])
        #expect(funnel.contains(#""only_users":{"file":"\#(name)","by":"user","keys":2}"#) && !funnel.contains("not_users"))
    }

    @Test func `a warning counts the keys that CSV spells out, and JSON keeps them`() throws {
        let folder = try TemporaryFolder()
        let lines = [Events.line("viewed", 0, user: #"a\nb"#), Events.line("viewed", 1, user: "c")]
        let path = try folder.file("e.ndjson", Events.text(lines))
        for (name, isTold) in [("u.csv", true), ("u.json", false)] {
            let result = try Child.looptrail(["users", path, "--steps", "viewed", "-o", folder.path(name)])
            #expect(result.status == 0 && result.errors.contains("1 key has characters that do not show") == isTold, "\(result.errors)")
        }
        // Nobody added anything, which is a complaint of its own.
        #expect(try entered(["--only-users", folder.path("u.json")], path, complaints: 1) == 2)
    }

    @Test(arguments: [
        ("{\"events\":[]}", ":1:1: this JSON has no `members`"), ("", ":1:1: the file is empty"),
        (Events.shop, ":1:1: these are events, not keys: `looptrail users … -o FILE.json` makes a list"),
    ])
    func `a file that is no list is a usage error with the place`(text: String, message: String) throws {
        let folder = try TemporaryFolder()
        let events = try folder.file("e.ndjson", Events.shop)
        let list = try folder.file("list", text)
        for flag in ["--only-users", "--not-users"] {
            let result = try Child.looptrail(["events", events, flag, list])
            #expect(result.status == 2 && result.output == "")
            #expect(result.errors.contains("\(flag): \(list)\(message)"), "\(result.errors)")
        }
        let missing = try Child.looptrail(["funnel", events, "--steps", "viewed", "--only-users", folder.path("none")])
        #expect(missing.status == 2 && missing.errors.contains("cannot be read"))
    }

    @Test(arguments: [
        ["events"], ["paths", "--from", "viewed"], ["funnel", "--steps", "viewed"],
        ["retention", "--start", "viewed", "--return", "added"],
    ])
    func `a list of session values is a usage error where something else is counted`(words: [String]) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let list = try folder.file("ios.json", #"{"definition":{"by":"session.platform"},"members":[{"key":"ios"}]}"#)
        for flag in ["--only-users", "--not-users"] {
            let result = try Child.looptrail(words + [path, flag, list])
            #expect(result.status == 2 && result.output == "")
            #expect(result.errors.contains("\(flag): `ios.json` lists keys by session.platform, and events have none"), "\(result.errors)")
            #expect(result.errors.utf8.allSatisfy { $0 < 0x80 }, "\(result.errors)")
            if ["events", "paths"].contains(words[0]) { continue }
            #expect(try Child.looptrail(words + [path, flag, list, "--by", "session.platform"]).status == 0)
        }
    }

    /// Commands that take a list of users, with the other arguments that they need.
    private static let calls: [[String]] = [
        ["events"], ["props", "viewed"], ["users", "--steps", "viewed > added", "--step", "1"], ["paths", "--from", "viewed"],
        ["retention", "--start", "viewed", "--return", "added"], ["trend", "--steps", "viewed > added", "--include-open"],
        ["why", "--steps", "viewed > added", "--step", "2", "--window", "1ms"], ["funnel", "--steps", "viewed > added"],
        ["report", "--steps", "viewed > added"], ["plan", "check", "--plan", "PLAN"],
    ]

    @Test(arguments: calls)
    func `a list of nobody, or of everybody, is a warning`(words: [String]) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let plan = try folder.file("plan.json", #"{"plan":1,"name":"T","events":{"viewed":{"props":{"price":{"type":"int"}}}}}"#)
        let (nobody, some) = (try folder.file("nobody.csv", "ann\nben\n"), try folder.file("some.csv", "u1\n"))
        let all = try folder.file("all.csv", (0..<10).map { "u\($0)\n" }.joined())
        func warnings(_ flags: String...) throws -> [String] {
            let result = try Child.looptrail(words.map { $0 == "PLAN" ? plan : $0 } + [path] + flags)
            #expect(result.status == (words[0] == "plan" ? result.status : 0), "\(result.errors)")
            let lines = result.errors.split(separator: "\n").filter { $0.contains("users: ") }
            return lines.map { $0.split(separator: "warning: ").last.map(String.init) ?? "" }
        }
        let none = "`nobody.csv` lists 2 users, and none has an event that is asked for"
        #expect(try warnings("--only-users", nobody) == ["--only-users: \(none): nobody counts"])
        #expect(try warnings("--not-users", nobody) == ["--not-users: \(none): nobody is left out"])
        #expect(
            try warnings("--not-users", all) == [
                "--not-users: `all.csv` leaves out everybody who has an event that is asked for: nobody counts"
            ])
        #expect(try warnings("--only-users", some) == [] && warnings("--not-users", some) == [])
        #expect(try warnings("--only-users", nobody, "--quiet") == [])
    }

    @Test(arguments: calls)
    func `a range without any event is a warning`(words: [String]) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let plan = try folder.file("plan.json", #"{"plan":1,"name":"T","events":{}}"#)
        let call = words.map { $0 == "PLAN" ? plan : $0 } + [path]
        for flags in [["--since", "2030-01-01"], ["--until", "2020-01-01"]] {
            let result = try Child.looptrail(call + flags)
            #expect(result.status == 0)
            #expect(result.errors.contains("warning: no event lies in the range of "), "\(flags): \(result.errors)")
        }
        #expect(try !Child.looptrail(call + ["--since", "2020-01-01"]).errors.contains("no event lies in"))
    }

    @Test func `a plan can be checked against the events of some users`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file(
            "e.ndjson", Events.text([Events.line("a", user: "u1"), Events.line("b", user: "u2"), Events.line("b", user: "u3")]))
        let plan = try folder.file("plan.json", #"{"plan":1,"name":"T","events":{"a":{}}}"#)
        let list = try folder.file("some.csv", "u1\nu2\n")
        let only = try Child.looptrail(["plan", "check", path, "--plan", plan, "--only-users", list, "--format", "json"])
        #expect(only.status == 4 && only.output.contains(#""event":"b","property":null,"count":1,"events":1,"#), "\(only.output)")
        #expect(only.output.contains(#""only_users":{"file":"some.csv","by":"user","keys":2}"#))
        let without = try Child.looptrail(["plan", "check", path, "--plan", plan, "--not-users", try folder.file("b.csv", "u2\nu3\n")])
        #expect(without.status == 0 && without.output.contains("without 2 users of b.csv"))
        let diff = try Child.looptrail(["plan", "diff", plan, plan, "--only-users", list])
        #expect(diff.status == 2 && diff.errors.contains("--only-users belongs to `plan check`, not to `plan diff`"))
    }

    @Test func `timings take a list of systems, and no other`() throws {
        let folder = try TemporaryFolder()
        func timing(_ system: String) -> String {
            #"{"v":1,"t_ms":1,"name":"step_timing","type":"timing","system":"\#(system)","props":{}}"#
        }
        let path = try folder.file("e.ndjson", Events.shop + timing("shop") + "\n" + timing("admin") + "\n")
        let systems = try folder.file("s.json", #"{"schema":1,"definition":{"by":"system"},"members":[{"key":"shop"}]}"#)
        let result = try Child.looptrail(["timings", path, "--only-users", systems, "--format", "json"])
        #expect(result.status == 0 && result.output.contains(#""only_users":{"file":"s.json","by":"system","keys":1}"#), "\(result.errors)")
        #expect(result.output.contains(#""unreadable_lines":1"#))
        let users = try folder.file("u.csv", "u1\n")
        let refused = try Child.looptrail(["timings", path, "--not-users", users])
        #expect(
            refused.status == 2 && refused.errors.contains("--not-users: `u.csv` lists keys by user, and timing lines have a system only"))
    }
}
