import Foundation
import Testing

/// `looptrail explore` as a process of its own.
@Suite struct ExploreCallTests {
    private static let viewers = Events.text(
        (1...40).map { Events.line("viewed", Int64($0), user: "u\($0)", props: #"{"price":\#($0 * 10)}"#) })

    @Test func `the page is one file, the same for the same events in whatever order they came`() throws {
        let folder = try TemporaryFolder()
        let lines = Self.viewers.split(separator: "\n").map(String.init)
        let path = try folder.file("e.ndjson", Events.text(lines))
        let first = try Child.looptrail(["explore", path, "-o", folder.path("a.html")])
        #expect(first.status == 0 && first.output == "" && first.errors == "")
        try folder.file("e.ndjson", Events.text(lines.reversed()))
        try Child.looptrail(["explore", path, "-o", folder.path("b.html")])
        let page = try #require(folder.text("a.html"))
        #expect(page.hasPrefix("<!doctype html>") && page.contains(#"id="c-head""#))
        #expect(page == folder.text("b.html"))
        #expect(try Child.looptrail(["explore", path, "-o", "-"]).output == page)
    }

    @Test(
        arguments: [
            ([], "-o says where the page goes, one file"), (["-o", "a.html", "-o", "b.html"], "-o says where the page goes, one file"),
            (["-o", "-", "--open"], "--open shows a file: give -o its name"),
            (["-o", "-", "--min-users", "0"], "--min-users: `0` is not a whole number from 1"),
            (["-o", "-", "--events", "some"], "--events: `some`"),
            (["-o", "-", "--props", "a]"], "--props: `a]` is no list of properties"),
            (["-o", "-", "--steps", "viewed >"], "--steps: these steps cannot be read"),
        ] as [([String], String)])
    func `what is asked wrongly is a usage error, and nothing is written`(_ words: [String], _ message: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Self.viewers)
        let result = try Child.looptrail(["explore", path] + words)
        #expect(result.status == 2 && result.output == "")
        #expect(result.errors.contains(message))
    }

    @Test func `what cannot be read or written is a failure`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Self.viewers)
        let nowhere = try Child.looptrail(["explore", folder.path("none"), "-o", folder.path("a.html")])
        #expect(nowhere.status == 1 && nowhere.errors.contains("no such file or folder"))
        let unwritten = try Child.looptrail(["explore", path, "-o", folder.path("none/a.html")])
        #expect(unwritten.status == 1 && unwritten.errors.contains("cannot make a file"))
        #expect(folder.names == ["e.ndjson"])
    }

    @Test func `properties that nobody has are named`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Self.viewers)
        let flags = ["--props", "price,prise", "--without-props", "session.plan", "--exact", "price", "-o", folder.path("a.html")]
        let result = try Child.looptrail(["explore", path] + flags)
        #expect(result.status == 0)
        #expect(
            result.errors == """
                looptrail explore: warning: no event has the property `props.prise`: did you mean `props.price`?
                looptrail explore: warning: no session has the property `session.plan`

                """)
        let silent = try Child.looptrail(["explore", path, "--without-props", "price", "-o", folder.path("a.html")])
        #expect(silent.errors == "", "one that is left out is known")
    }

    @Test func `a property whose key has a comma is named in quotes`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.line("viewed", 1, user: "u", props: #"{"a,b":1}"#) + "\n")
        let result = try Child.looptrail(["explore", path, "--without-props", #""a,b", session.plan"#, "-o", folder.path("a.html")])
        #expect(result.status == 0 && result.errors.contains("no session has the property `session.plan`"))
        #expect(!result.errors.contains("a,b"))
    }

    @Test func `an event far after all others is a warning`() throws {
        let folder = try TemporaryFolder()
        let times = (0..<200).map { Int64($0) } + [2_335_176_000]
        let path = try folder.file("e.ndjson", Events.text(times.map { Events.line("viewed", $0, user: "u") }))
        let result = try Child.looptrail(["explore", path, "-o", folder.path("a.html")])
        #expect(result.status == 0)
        #expect(result.errors.contains("1 event from 2100-01-01 00:00:00 on, far after all others: is a clock wrong?"))
    }

    @Test(arguments: [("--only-users", "nobody counts"), ("--not-users", "nobody is left out")])
    func `a list of users whom nobody is on is a warning`(flag: String, words: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Self.viewers)
        let list = try folder.file("list.csv", "ann\n")
        let result = try Child.looptrail(["explore", path, flag, list, "-o", folder.path("a.html")])
        #expect(result.status == 0)
        #expect(result.errors.contains("\(flag): `list.csv` lists 1 user, and none has an event that is asked for: \(words)"))
        try folder.file("list.csv", "u1\n")
        #expect(try Child.looptrail(["explore", path, flag, list, "-o", folder.path("a.html")]).errors == "")
    }

    @Test func `above --events the page holds a sample, and says so`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Self.viewers)
        let result = try Child.looptrail(["explore", path, "-o", folder.path("a.html"), "--events", "20"])
        #expect(result.status == 0)
        #expect(result.errors.contains("the page holds a sample: 50.0% of the users") && result.errors.contains("--events all"))
    }

    @Test func `--open hands the page to the program that shows files, and says if it is not shown`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Self.viewers)
        let words = ["explore", path, "-o", folder.path("a.html"), "--open"]
        let without = try Child.looptrail(words, environment: ["PATH": folder.path("none")])
        #expect(without.status == 0 && without.errors.contains("cannot be started"))
        #expect(without.errors.contains("the page is written") && folder.text("a.html") != nil)
        for name in ["open", "xdg-open"] {
            try folder.file(name, "#!/bin/sh\nprintf %s \"$1\" > '\(folder.path("shown"))'\n")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path(name))
        }
        let with = try Child.looptrail(words, environment: ["PATH": folder.path])
        #expect(with.status == 0)
        #expect(folder.text("shown") == folder.path("a.html"))
        for name in ["open", "xdg-open"] { try folder.file(name, "#!/bin/sh\nexit 3\n") }
        let failed = try Child.looptrail(words, environment: ["PATH": folder.path])
        #expect(failed.status == 0 && failed.errors.contains("did not show it; the page is written"))
    }
}
