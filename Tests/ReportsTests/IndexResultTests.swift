import Foundation
import Testing

@testable import EventFiles
@testable import Reports

@Suite("What the index did, reported")
struct IndexResultTests {
    @Test func `a table has a row a file, a line for each without a summary, and the totals`() {
        let lines = TableReport().text(of: SampleResults.indexing(of: "a")).split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "file  summary    rows  bytes  bytes of the summary",
                "a     made     12,345   2 MB                1.2 MB",
                "a2    kept          1   1 kB                 600 B",
                "a-0   none          0   10 B                   0 B", "a-1   none          0   10 B                   0 B",
                "a-2   none          0   10 B                   0 B", "a-3   none          0   10 B                   0 B",
                "a-4   none          0   10 B                   0 B", "a-5   none          0   10 B                   0 B",
                "a-6   none          0   10 B                   0 B", "a-7   none          0   10 B                   0 B",
                "a-0: only finished files of blocked gzip, named .ndjson.gz, have summaries",
                "a-1: the file is damaged; `looptrail repair` makes a sound one",
                "a-2: line 12 is not UTF-8; `looptrail repair` mends it", "a-3: the file was removed meanwhile",
                "a-4: another process is making it", "a-5: stopped", "a-6: a: no space",
                "a-7: it is a link; give the file that it leads to",
                "1 summary made, 1 kept, 8 files without one",
            ])
        #expect(TableReport().text(of: IndexResult(files: [])) == "no files\n")
        let made = IndexResult(files: Array(SampleResults.indexing(of: "a").files.prefix(2)))
        #expect(TableReport().text(of: made).hasSuffix("\n1 summary made, 1 kept\n"))
    }

    @Test func `JSON has each file with its reason, and the totals`() throws {
        let text = JSONReport().text(of: SampleResults.indexing(of: "a"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let files = try #require(object["files"] as? [[String: Any]])
        #expect(files.map { $0["outcome"] as? String } == ["made", "kept"] + Array(repeating: "none", count: 8))
        #expect(files[0]["reason"] is NSNull && files[8]["reason"] as? String == "a: no space")
        #expect(
            object["totals"] as? [String: Int] == ["made": 1, "kept": 1, "without": 8, "bytes": 2_001_080, "summary_bytes": 1_200_600])
        #expect(files[0]["rows"] as? Int == 12_345)
    }

    @Test func `a page counts what was made, kept and left without`() {
        let section = SampleResults.indexing(of: "a").section
        #expect(section.highlights.map(\.value) == [.count(1), .count(1), .count(8)])
        #expect(section.quality.map(\.value) == [.bytes(2_001_080), .bytes(1_200_600)])
        #expect(MarkdownReport().text(of: SampleResults.indexing(of: "a")).contains("| `a-5` | none | `stopped` | 0 | 10 B | 0 B |"))
    }
}
