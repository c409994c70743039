import Foundation
import Testing
import TrackingEvents

@testable import EventFiles
@testable import Reports

@Suite("Repair reports")
struct RepairResultTests {
    /// A repaired file with a hostile name, and a file that was left alone.
    private func sample() -> RepairResult {
        var report = RepairResult()
        var broken = FileReadResult(path: "in/\u{1B}[2J.ndjson.gz")
        broken.framing = .blocked
        (broken.bytes, broken.lines, broken.damagedMembers) = (100, 5, 1)
        broken.damage = [Damage(kind: .member, byteOffset: 40, bytes: 30, message: "the CRC is wrong \u{7}")]
        var file = RepairResult.File(broken)
        (file.savedLines, file.salvagedLines, file.mendedLines, file.badLines, file.duplicates) = (1_200, 3, 1, 2, 4)
        (file.output, file.original, file.outputBytes, file.missingSequences) = ("out/a.ndjson.gz", "in/a.damaged", 900, 7)
        file.firstBadLines = [CheckResult.BadLineFound(lineNumber: 3, byteOffset: 12, problem: BadLine(.empty, at: 0))]
        report.files = [file]
        var untouched = RepairResult.File(FileReadResult(path: "in/b.ndjson.gz"))
        untouched.outcome = .untouched
        report.files.append(untouched)
        report.check = Self.soundCheck
        return report
    }

    /// A check of one sound file, because a check of no file would prove nothing.
    private static var soundCheck: CheckResult {
        var check = CheckResult()
        check.files = [CheckResult.File(read: FileReadResult(path: "out/a.ndjson.gz"))]
        return check
    }

    private func unsound() -> RepairResult {
        var report = sample()
        var lost = RepairResult.File(FileReadResult(path: "in/c.ndjson.gz"))
        lost.outcome = .nothingSaved
        report.files.append(lost)
        return report
    }

    @Test func `a table has a row for each file, the places of damaged originals, and the verdict`() {
        let text = TableReport().text(of: sample())
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("file") && lines[0].hasSuffix("missing"))
        #expect(lines[1].contains("1,200") && lines[1].contains("repaired"))
        #expect(lines[2].hasPrefix("in/b.ndjson.gz") && lines[2].contains("untouched"))
        #expect(lines.contains("written to out/a.ndjson.gz") && lines.contains("the damaged file is kept as in/a.damaged"))
        #expect(lines.last == "sound")
        #expect(!text.unicodeScalars.contains { $0 != "\n" && TerminalText.acts($0) })
    }

    @Test("a long path keeps its end", arguments: [nil, 100, 60] as [Int?])
    func longPaths(columns: Int?) {
        let folder = String(repeating: "folder/", count: 40)
        var report = sample()
        report.files[0].output = folder + "good.ndjson.gz"
        report.files[0].original = folder + "bad.damaged"
        let lines = TableReport(TextStyle(width: columns)).text(of: report).split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("written to …") && $0.hasSuffix("/good.ndjson.gz") })
        #expect(lines.contains { $0.hasPrefix("the damaged file is kept as …") && $0.hasSuffix("/bad.damaged") })
    }

    @Test func `the verdict says what is wrong`() {
        var report = unsound()
        #expect(TableReport().text(of: report).hasSuffix("not sound: 1 file of which nothing could be saved\n"))
        report.check?.unexplainedSequences = 2
        #expect(
            TableReport().text(of: report).hasSuffix(
                "not sound: 1 file of which nothing could be saved, 2 missing by sequence in files that nothing damaged\n"))
        #expect(TableReport().text(of: RepairResult()) == "no files\nnothing to repair\n")
    }

    @Test func `an empty file is told, and is a fault only where nothing else was made`() {
        var report = RepairResult()
        var empty = RepairResult.File(FileReadResult(path: "in/empty"))
        empty.outcome = .empty
        report.files = [empty]
        #expect(TableReport().text(of: report).hasSuffix("not sound: nothing to make a file of\n"))
        #expect(TableReport().text(of: report).contains("in/empty  empty"))
        report.check = Self.soundCheck
        #expect(report.isSound && TableReport().text(of: report).hasSuffix("\nsound\n"))
    }

    @Test func `json has every count, and null where there is no file`() throws {
        let text = JSONReport().text(of: unsound())
        let json = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(json["sound"] as? Bool == false && json["schema"] as? Int == 1)
        let files = try #require(json["files"] as? [[String: Any]])
        #expect(files.map { $0["outcome"] as? String } == ["repaired", "untouched", "nothing_saved"])
        #expect(files[0]["original"] as? String == "in/a.damaged" && files[1]["output"] is NSNull)
        #expect((files[0]["damage"] as? [[String: Any]])?.first?["byte_offset"] as? Int == 40)
        let totals = try #require(json["totals"] as? [String: Int])
        #expect(
            totals == [
                "files": 3, "saved_lines": 1_200, "salvaged_lines": 3, "mended_lines": 1, "bad_lines": 2, "duplicates": 4,
                "damaged_places": 1, "unusable_bytes": 30, "missing_sequences": 7, "unexplained_sequences": 0,
            ])
    }

    @Test(arguments: ["csv", "md", "html"])
    func `the other formats show every file`(ending: String) throws {
        let format = try #require(ReportFormats.all().first { $0.fileExtensions.contains(ending) })
        let text = format.text(of: unsound())
        #expect(text.contains("in/b.ndjson.gz") && text.contains("nothing saved"))
        #expect(!text.contains("\u{1B}"))
    }
}
