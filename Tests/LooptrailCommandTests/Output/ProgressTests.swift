import EventFiles
import Testing

@testable import looptrail

@Suite struct ProgressTests {
    @Test(
        arguments: [
            (ReadProgress(bytes: 120_000_000, lines: 3_123_456), 460_000_000, 1, "120 MB of 460 MB (26%), 3,100,000 events/s, 3s left"),
            (ReadProgress(bytes: 460, lines: 10), 460, 2, "460 B of 460 B (100%), 5 events/s"),
            (ReadProgress(bytes: 500, lines: 10), 460, 2, "500 B of 460 B (100%), 5 events/s"),
            (ReadProgress(bytes: 5000, lines: 990), nil, 10, "5 kB, 99 events/s"),
            (ReadProgress(), 1000, 0, "0 B of 1 kB (0%)"), (ReadProgress(), 0, 0, "0 B"),
            (ReadProgress(bytes: 1, lines: 0), 10_000_000, 1, "1 B of 10 MB (0%), 0 events/s, 116d left"),
        ] as [(ReadProgress, Int64?, Double, String)])
    func `a line has bytes of all, speed and time left`(_ progress: ReadProgress, _ total: Int64?, _ seconds: Double, _ text: String) {
        #expect(ProgressLine.text(progress, total: total, seconds: seconds) == text)
    }

    private func funnel(_ words: [String], terminal: Bool = false, _ environment: [String: String] = [:]) throws -> (
        output: String, errors: String
    ) {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let arguments = ["funnel", path, "--steps", "viewed > added", "--window", "15s", "--no-color"] + words
        guard terminal else {
            let result = try Child.looptrail(arguments, environment: environment)
            return (result.output, result.complaints)
        }
        let terminal = try Terminal(columns: 60)
        let result = try Child.looptrail(arguments, errors: .descriptor(terminal.descriptor), environment: environment)
        return (result.output, terminal.rawText())
    }

    @Test func `nothing is told where standard error is no terminal, unless it is asked for`() throws {
        let silent = try funnel([])
        #expect(silent.errors == "")
        #expect(try funnel(["--progress", "never"]).errors == "")
        let told = try funnel(["--progress", "always"])
        #expect(told.errors.hasSuffix(" events/s\n") && told.errors.contains("(100%)"))
        #expect(!told.errors.contains("\r") && !told.errors.contains("\u{1B}"))
        #expect(told.output == silent.output)
    }

    @Test func `at a terminal the line is written over and taken away`() throws {
        let told = try funnel(["--progress", "always"], terminal: true).errors
        #expect(told.hasPrefix("\r") && told.hasSuffix("\r\u{1B}[K"))
        #expect(told.split(separator: "\u{1B}[K").allSatisfy { $0.count < 60 })
    }

    @Test func `work of less than a second shows no progress, nor does any under --quiet`() throws {
        #expect(try funnel([], terminal: true).errors == "")
        #expect(try funnel(["--progress", "auto"], terminal: true).errors == "")
        #expect(try funnel(["--progress", "always", "--quiet"], terminal: true).errors == "")
        #expect(try funnel(["--progress=always", "--quiet"]).errors == "")
    }

    @Test func `a dumb terminal gets lines`() throws {
        let told = try funnel(["--progress", "always"], terminal: true, ["TERM": "dumb"]).errors
        #expect(!told.contains("\u{1B}") && told.contains("(100%)"))
    }

    @Test func `an unknown word is a usage error`() throws {
        #expect(try funnel(["--progress", "sometimes"]).errors.contains("--progress: `sometimes` is not one of"))
    }
}
