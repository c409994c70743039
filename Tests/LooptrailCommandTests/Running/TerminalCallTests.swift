import Testing

@testable import looptrail

/// The built command at a terminal.
@Suite struct TerminalCallTests {
    private func funnel(
        columns: UInt16 = 100, _ words: [String] = [], _ environment: [String: String] = [:]
    ) throws -> String {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let terminal = try Terminal(columns: columns)
        let result = try Child.looptrail(
            ["funnel", path, "--steps", "viewed > added > paid"] + words, output: .descriptor(terminal.descriptor),
            environment: environment)
        #expect(result.status == 0)
        #expect(result.complaints == "")
        return terminal.text()
    }

    @Test func `a terminal gets colours, its own width and how long it took`() throws {
        let text = try funnel()
        #expect(text.contains("\u{1B}[1m"))
        #expect(text.contains("█"))
        let narrow = try funnel(columns: 60, ["--no-color"])
        for line in narrow.split(separator: "\n") { #expect(line.count <= 60, "\(line)") }
        #expect(narrow.hasSuffix(" s\n") || narrow.hasSuffix(" ms\n"))
    }

    @Test(arguments: [([], ["NO_COLOR": "1"]), ([], ["TERM": "dumb"]), (["--no-color"], [:])] as [([String], [String: String])])
    func `a terminal that wants no colours gets none`(_ words: [String], _ environment: [String: String]) throws {
        let text = try funnel(words, environment)
        #expect(!text.contains("\u{1B}"))
        #expect(text.contains("100.0%"))
    }

    @Test func `a missed gate is red at a terminal and plain in a file`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let words = ["funnel", path, "--steps", "viewed > added > paid", "--fail-under", "3:90%"]
        let terminal = try Terminal(columns: 100)
        #expect(try Child.looptrail(words, errors: .descriptor(terminal.descriptor)).status == 4)
        #expect(terminal.text().contains("looptrail funnel: \u{1B}[31mgate missed"))
        let plain = try Child.looptrail(words)
        #expect(plain.errors.contains("looptrail funnel: gate missed") && !plain.errors.contains("\u{1B}"))
    }

    @Test func `what the width has no room for is named`() throws {
        let narrow = try funnel(columns: 40, ["--no-color"])
        #expect(narrow.contains("no room for: ") && narrow.contains("times"))
        #expect(try !funnel(columns: 160).contains("no room for"))
    }

    @Test func `a folder without event files is a warning and no error`() throws {
        let folder = try TemporaryFolder()
        try folder.file("notes.txt", "x")
        let result = try Child.looptrail(["funnel", folder.path, "--steps", "a > b"])
        #expect(result.status == 0 && result.errors.contains("counts nothing: \(folder.path): no event file is here"))
        #expect(try Child.looptrail(["tail", folder.path, "--no-follow"]).errors.contains("\(folder.path): no event file is here"))
        #expect(try Child.looptrail(["funnel", folder.path, "--steps", "a > b", "--quiet"]).errors == "")
    }

    @Test func `JSON has no colours anywhere`() throws {
        #expect(try !funnel(["--format", "json"]).contains("\u{1B}"))
    }

    @Test(arguments: [["funnel", "--steps", "a > b"], ["events"], ["check"]])
    func `with nothing to read but a terminal there is a short help`(_ arguments: [String]) throws {
        let terminal = try Terminal(columns: 80)
        let result = try Child.looptrail(arguments, input: .descriptor(terminal.descriptor))
        #expect(result.status == 2)
        #expect(result.output == "")
        #expect(result.errors.hasPrefix("Usage: looptrail \(arguments[0]) [PATH...]"))
        #expect(result.errors.contains("See `looptrail help \(arguments[0])`."))
        #expect(result.errors.split(separator: "\n").count <= 4)
    }
}
