import Foundation
import Testing

/// `looptrail paths` as a process of its own.
@Suite struct PathsCallTests {
    private struct Node: Decodable {
        var name: String
        var kind: String
        var count: Int
        var next: [Node]
    }

    private struct Answer: Decodable {
        var starts: Int
        var next: [Node]
    }

    private func tree(_ json: String) throws -> (starts: Int, text: String) {
        let answer = try JSONDecoder().decode(Answer.self, from: Data(json.utf8))
        func text(_ nodes: [Node]) -> String {
            nodes.map { "\($0.name) \($0.count)" + ($0.next.isEmpty ? "" : " (\(text($0.next)))") }.joined(separator: ", ")
        }
        return (answer.starts, text(answer.next))
    }

    @Test(
        arguments: [
            ([], "added 2 (paid 1 ((end) 1), (end) 1), (end) 2"), (["--depth", "1"], "added 2, (end) 2"),
            (["--window", "10s"], "added 2 ((end) 2), (end) 2"), (["--since", "2026-01-01T12:00:02"], "added 1 ((end) 1), (end) 2"),
            (["--since", "2026-01-01T13:00:02", "--tz", "Europe/Berlin"], "added 1 ((end) 1), (end) 2"),
            (["--by", "props.price"], "added 2 ((end) 2), (end) 2"), (["--min-share", "50%"], "added 2 ((other) 1, (end) 1), (end) 2"),
            (["--count", "attempts", "--merge-repeats", "--top", "1"], "added 2 (paid 1 ((end) 1), (end) 1), (end) 2"),
        ] as [([String], String)])
    func `what comes after an event`(_ words: [String], _ expected: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let result = try Child.looptrail(["paths", path, "--from", "viewed", "--format", "json"] + words)
        #expect(result.status == 0 && result.errors == "")
        #expect(try tree(result.output).text == expected)
        let piped = try Child.looptrail(["paths", "--from=viewed", "--format=json"] + words, input: .pipe(Array(Events.shop.utf8)))
        #expect(try tree(piped.output).text == expected)
    }

    @Test func `what came before an event, with keys of its own`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let json = try Child.looptrail(["paths", path, "--to", "paid", "--format", "json"]).output
        #expect(json.contains(#""definition":{"to":"paid""#) && !json.contains(#""next""#))
        #expect(json.contains(#""previous":["#) && json.contains(#""name":"added","kind":"event","count":1"#))
        #expect(json.contains(#""name":"(start)","kind":"start","count":1"#))
        let lines = try Child.looptrail(["paths", path, "--to", "paid"]).output.split(separator: "\n")
        #expect(lines[0].hasPrefix("Before paid   1 user, from the first of each, within 1d"))
        #expect(lines[1].hasPrefix("added") && lines[2].hasPrefix("  viewed") && lines[3].hasPrefix("    (start)"))
    }

    @Test func `the table is a tree`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let lines = try Child.looptrail(["paths", path, "--from", "viewed"]).output.split(separator: "\n")
        #expect(lines[0].hasPrefix("After viewed   4 users, from the first of each, within 1d"))
        #expect(
            lines[1].hasPrefix("added") && lines[2].hasPrefix("  paid") && lines[3].hasPrefix("    (end)") && lines[5].hasPrefix("(end)"))
    }

    @Test func `a name that does not occur is a warning with the nearest, and zeros`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let result = try Child.looptrail(["paths", path, "--from", "veiwed", "--format", "json"])
        #expect(result.status == 0)
        #expect(result.errors.contains("warning: no event is named `veiwed`: did you mean `viewed`?"))
        #expect(try tree(result.output).starts == 0)
    }

    @Test(arguments: [
        (["--from", ""], "--from: the name is empty"), ([], "--from or --to is needed"),
        (["--from", "a", "--to", "b"], "--from and --to both say where paths start"), (["--from", "a", "--depth", "0"], "--depth: `0`"),
        (["--from", "a", "--by", "session.platform"], "--by: paths do not go by the context of a session: take user, session, system"),
        (["--from", "a", "--min-share", "1"], "--min-share: `1` is not a share from 0% to 100%"),
        (["--from", "a", "--from", "b"], "--from is given twice"), (["--from", "a", "--frm", "b"], "did you mean `--from`?"),
    ])
    func `what makes no sense is a usage error`(_ words: [String], _ message: String) throws {
        let result = try Child.looptrail(["paths", "x"] + words)
        #expect(result.status == 2 && result.output == "")
        #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test func `a damaged line is left out, and fails the call under --strict`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop + "{broken\n")
        let result = try Child.looptrail(["paths", path, "--from", "viewed", "--strict"])
        #expect(result.status == 3 && result.output.contains("added") && result.errors.contains("1 line that cannot be read"))
    }
}
