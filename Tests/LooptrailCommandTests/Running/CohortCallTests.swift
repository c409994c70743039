import Foundation
import Testing

/// Files of users, made by one command and taken by the others.
@Suite struct CohortCallTests {
    private func entered(_ words: [String], _ path: String) throws -> Int {
        let result = try Child.looptrail(["funnel", path, "--steps", "viewed > added", "--format", "json"] + words)
        #expect(result.status == 0 && result.complaints == "", "\(result.errors)")
        let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        return try #require((json?["overall"] as? [String: Any])?["entered"] as? Int)
    }

    @Test(arguments: ["lost.json", "lost.csv"])
    func `who was lost is a file that every command takes`(name: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let lost = folder.path(name)
        #expect(try Child.looptrail(["users", path, "--steps", "viewed > added", "--dropped", "-o", lost]).status == 0)
        #expect(try entered(["--only-users", lost], path) == 2)
        #expect(try entered(["--not-users", lost], path) == 2)
        #expect(try entered(["--only-users", lost, "--not-users", lost], path) == 0)

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
}
