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
