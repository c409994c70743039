import Reports
import Testing

@testable import looptrail

@Suite struct ReportOutputTests {
    private static let command = Command(
        name: "sample", summary: "", discussion: [], operands: .inputs, flags: CommonFlags.report, examples: [], run: { _ in .fine })

    private func output(_ words: [String], in surroundings: Surroundings = .made()) throws -> ReportOutput {
        guard case .run(let arguments) = try ArgumentParser.parse(words, of: Self.command) else { throw UsageError("help") }
        return try ReportOutput(
            Invocation(
                command: Self.command, arguments: arguments, surroundings: surroundings,
                console: Console(speaker: "sample", descriptor: -1)))
    }

    @Test(
        arguments: [
            ([], "table"), (["--format", "json"], "json"), (["-o", "x"], "table"), (["-o", "x.json"], "json"),
            (["-o", "./x.JSON"], "json"),
            (["-o", "x.csv"], "csv"), (["-o", "x.md"], "md"), (["-o", "x.markdown"], "md"), (["-o", "x.html"], "html"),
            (["-o", "x.HTM"], "html"), (["--format", "html"], "html"), (["-o", "x.md", "--format", "csv"], "csv"),
            (["-o", "x.txt"], "table"), (["-o", "../x"], "table"), (["-o", ".hidden"], "table"),
            (["-o", "x.txt", "--format=json"], "json"),
            (["-o", "x.csv", "--format=json"], "json"), (["-o", "/dev/null"], "table"), (["-o", "-"], "table"),
            (["-o", "-", "--format", "json"], "json"),
        ] as [([String], String)])
    func `the format is that of the flag, else that of the file's ending, else a table`(_ words: [String], _ name: String) throws {
        #expect(try output(words).targets.map(\.formatName) == [name])
    }

    @Test func `a dash is standard output`() throws {
        #expect(try output(["-o", "-"]).path == nil)
        #expect(try output(["-o", "x"]).path == "x")
    }

    @Test func `each of several files has the format of its own ending`() throws {
        let several = try output(["-o", "a.html", "-o", "b.json", "-o", "-", "-o", "b.json"]).targets
        #expect(several.map(\.formatName) == ["html", "json", "table"])
        #expect(several.map(\.path) == ["a.html", "b.json", nil])
        #expect(try output(["-o", "a.html", "-o", "-", "--format", "json"]).targets.map(\.formatName) == ["html", "json"])
    }

    private static let formats = "table, json, jsonl, csv, md or html"
    private static let endings = ".txt, .json, .csv, .md, .markdown, .html, .htm"

    @Test(arguments: [
        ("x.xml", "-o `x.xml`: the ending .xml belongs to no format (known are \(endings)); add --format \(formats)"),
        ("x.", "-o `x.`: the ending . belongs to no format (known are \(endings)); add --format \(formats)"),
    ])
    func `an ending that means nothing is a mistake`(_ path: String, _ message: String) {
        #expect(throws: UsageError(message)) { try output(["-o", path]) }
    }

    @Test func `a file that cannot be made is an error before the work`() throws {
        #expect(throws: OutputError.self) { try output(["-o", "/nowhere/at/all.json"]) }
        #expect(throws: OutputError.self) { try output(["-o", "/tmp"]) }
    }

    @Test(arguments: ["e.ndjson", "d/e.ndjson.gz", "e.jsonl", "e.jsonl.gz", "e.ndjson.gz.open"])
    func `a report never takes an event file's name`(_ path: String) {
        #expect(throws: UsageError.self) { try output(["-o", path]) }
        #expect(throws: UsageError.self) { try output(["-o", path, "--format", "json"]) }
    }

    private func style(_ words: [String], _ variables: [String: String], columns: Int? = 90) throws -> TextStyle {
        try output(words, in: .made(variables, terminals: columns == nil ? [] : [1], columns: columns)).targets[0].style
    }

    @Test func `on a terminal a table has colours and the terminal's width`() throws {
        let style = try style([], ["LANG": "C.UTF-8"])
        #expect(style.isColoured && !style.isASCII && style.width == 90)
    }

    @Test(arguments: [([], ["NO_COLOR": "1"]), (["--no-color"], [:]), ([], ["TERM": "dumb"])] as [([String], [String: String])])
    func `colours can be refused`(_ words: [String], _ variables: [String: String]) throws {
        #expect(try !style(words, variables).isColoured)
    }

    @Test func `in a pipe and in a file there are neither colours nor a width`() throws {
        let piped = try style([], ["LANG": "C.UTF-8"], columns: nil)
        #expect(!piped.isColoured && piped.width == nil)
        let filed = try style(["-o", "x"], ["LANG": "C.UTF-8", "COLUMNS": "60"])
        #expect(!filed.isColoured && filed.width == nil)
    }

    @Test func `without a UTF-8 locale everything of ours is ASCII`() throws {
        #expect(try style([], ["LANG": "C"]).isASCII)
        #expect(try style([], [:]).isASCII)
        #expect(try style(["-o", "x"], [:]).isASCII)
    }
}
