import Foundation
import Testing

/// `session.PATH` in flags, and `props --session`.
@Suite struct SessionCallTests {
    private static let lines: String = {
        func line(_ name: String, _ second: Int, _ user: String, _ session: String, type: String = "track", _ props: String = "{}")
            -> String
        {
            #"{"v":1,"t_ms":\#(Events.start + Int64(second) * 1000),"name":"\#(name)","type":"\#(type)","user":"\#(user)","#
                + #""session":"\#(session)","props":\#(props)}"#
        }
        return Events.text([
            line("session_started", 0, "u1", "s1", type: "meta", #"{"platform":"ios","app":{"version":"2.1.0"}}"#),
            line("a", 1, "u1", "s1"), line("b", 2, "u1", "s1"), line("a", 1, "u2", "s2"), line("a", 1, "u3", "s3"),
            line("b", 3, "u3", "s3"),
            line("session_started", 0, "u2", "s2", type: "meta", #"{"platform":"web","app":{"version":"2.0.0"}}"#),
            line("session_started", 9, "u2", "s2", type: "meta", #"{"platform":"web","app":{"version":"2.0.0"}}"#),
        ])
    }()

    private func run(_ words: [String]) throws -> Child.Result {
        let folder = try TemporaryFolder()
        return try Child.looptrail(words + [try folder.file("e.ndjson", Self.lines)])
    }

    @Test func `tests, breakdowns and keys can be a session's values`() throws {
        let ios = try run(["funnel", "--steps", "a[session.platform=ios] > b", "--format", "json"])
        #expect(try FunnelJSON(ios.output).steps.map(\.count) == [1, 1] && ios.complaints == "", "\(ios.errors)")
        let groups = try run(["funnel", "--steps", "a > b", "--breakdown", "session.app.version", "--format", "csv"])
        #expect(groups.output.contains("\r\n2.1.0,2,b") && groups.output.contains("\r\n(none),2,b"), "\(groups.output)")
        let keys = try run(["users", "--steps", "a", "--by", "session.platform", "--format", "csv"])
        #expect(keys.output.contains("\r\nios,") && keys.output.contains("\r\nweb,"))
        #expect(try run(["funnel", "--steps", "a", "--by", "session.platform", "--format", "json"]).output.contains(#""without_key":2"#))
    }

    @Test func `tail and why ask sessions, too`() throws {
        let tail = try run(["tail", "--where", "(a | b)[session.platform=ios]", "--no-follow", "--format", "ndjson"])
        #expect(tail.status == 0 && tail.output.split(separator: "\n").count == 2 && tail.output.contains(#""user":"u1""#), "\(tail)")
        let why = ["--min-count", "1", "--look-back", "0s", "--window", "1s", "--format", "json"]
        let all = try run(["why", "--steps", "a > b"] + why)
        #expect(all.status == 0 && all.output.contains(#""converted":1,"dropped":2,"#), "\(all)")
        let ios = try run(["why", "--steps", "a[session.platform=ios] > b"] + why)
        #expect(ios.status == 0 && ios.output.contains(#""converted":1,"dropped":0,"#), "\(ios)")
        #expect(try run(["why", "--steps", "a > b", "--include-open"]).status == 2)
        let none = try run(["why", "--steps", "a[session.platfrom=ios] > b"] + why)
        #expect(none.errors.contains("`session.platfrom`: did you mean `session.platform`?"), "\(none.errors)")
    }

    @Test func `a path that nothing has is warned about, with the nearest`() throws {
        let result = try run(["funnel", "--steps", "a[session.platfrom=ios] > b[plna=x]", "--breakdown", "session.app.versoin"])
        #expect(result.status == 0)
        #expect(
            result.errors.contains("no session has the property `session.platfrom`: did you mean `session.platform`?"), "\(result.errors)")
        #expect(result.errors.contains("`session.app.versoin`: did you mean `session.app.version`?"))
        #expect(result.errors.contains("no event of the steps has the property `props.plna`\n"))
    }

    @Test func `what sessions know is listed, each session once`() throws {
        let result = try run(["props", "--session", "--format", "json"])
        #expect(result.status == 0 && result.errors == "", "\(result.errors)")
        #expect(result.output.contains(#""name":"session_started""#) && result.output.contains(#""events":2"#), "\(result.output)")
        #expect(result.output.contains("app.version") && result.output.contains("platform"))
    }

    @Test func `a path where the name should be says which names there are`() throws {
        let result = try run(["props"])
        #expect(result.status == 2 && result.errors.contains("NAME is needed before the path"), "\(result.errors)")
        #expect(result.errors.contains("`a`, `b`"))
    }
}
