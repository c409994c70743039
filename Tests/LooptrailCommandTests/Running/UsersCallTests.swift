import Foundation
import Testing

/// `looptrail users` as a process of its own.
@Suite struct UsersCallTests {
    private struct Answer: Decodable {
        struct Member: Decodable {
            var key: String
            var depth: Int
        }

        var step: Int
        var dropped: Bool
        var members: [Member]
    }

    private func keys(_ words: [String]) throws -> (answer: Answer, errors: String) {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let result = try Child.looptrail(["users", path, "--steps", "viewed > added > paid", "--format", "json"] + words)
        #expect(result.status == 0)
        return (try JSONDecoder().decode(Answer.self, from: Data(result.output.utf8)), result.errors)
    }

    @Test(
        arguments: [
            ([], ["u1"]), (["--step", "1"], ["u1", "u2", "u3", "u4"]), (["--step", "2"], ["u1", "u2"]), (["--step=3"], ["u1"]),
            (["--step", "2", "--dropped"], ["u3", "u4"]), (["--step", "3", "--dropped"], ["u2"]), (["--dropped"], ["u2"]),
            (["--step", "2", "--window", "9s"], []), (["--step", "1", "--since", "2026-01-01T12:00:03"], ["u3", "u4"]),
            (["--step", "2", "--by", "props.price"], ["10", "20"]),
        ] as [([String], [String])])
    func `the keys of one step, by the time of entry`(_ words: [String], _ expected: [String]) throws {
        let found = try keys(words)
        #expect(found.answer.members.map(\.key) == expected)
        #expect(found.errors == "")
    }

    @Test func `the table has a key a line`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let lines = try Child.looptrail(["users", path, "--steps", "viewed > added", "--step", "2", "--tz", "Asia/Tokyo"])
            .output.split(separator: "\n")
        #expect(lines[0].hasPrefix("Users   2 users that reached step 2 (added)"))
        #expect(lines[1].contains("entered (Asia/Tokyo)"))
        #expect(lines[2].hasPrefix("u1") && lines[2].contains("2026-01-01 21:00:01"))
    }

    @Test(arguments: [
        (["--step", "4"], "--step 4: the funnel has 3 steps"), (["--step", "0"], "--step: `0` is not a whole number"),
        (["--step", "1", "--dropped"], "--dropped: nobody can be lost before step 1"),
    ])
    func `a step that does not exist is a usage error`(_ words: [String], _ message: String) throws {
        let result = try Child.looptrail(["users", "x", "--steps", "viewed > added > paid"] + words)
        #expect(result.status == 2 && result.output == "")
        #expect(result.errors.contains(message))
    }

    @Test func `hostile keys act on nothing`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file(
            "e.ndjson", Events.text([Events.line("a", user: #"=1+1\u001b[2J|<b>"#), Events.line("a", user: #"\u202eevil"#)]))
        for format in ["table", "csv", "md", "html", "json"] {
            let result = try Child.looptrail(["users", path, "--steps", "a", "--format", format])
            #expect(result.status == 0)
            #expect(!result.output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" }, "\(format)")
            if format == "md" || format == "html" { #expect(!result.output.contains("<b>")) }
            if format == "csv" { #expect(result.output.contains("'=1+1")) }
        }
    }

    @Test func `a misspelt name is a warning, and nobody is there`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let result = try Child.looptrail(["users", path, "--steps", "veiwed > added"])
        #expect(result.status == 0 && result.errors.contains("no event is named `veiwed`: did you mean `viewed`?"))
        #expect(result.output.hasPrefix("Users   0 users"))
    }
}
