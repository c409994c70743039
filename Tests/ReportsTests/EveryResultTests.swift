import Foundation
import Testing

@testable import Funnels
@testable import Reports

/// What holds for every kind of result.
@Suite("Every result")
struct EveryResultTests {
    @Test("where only ASCII is wanted our own text has nothing beyond it", arguments: [nil, 60] as [Int?])
    func ascii(width: Int?) throws {
        for result in try SampleResults.everything(named: "x") {
            let lines = TableReport(TextStyle(width: width, isASCII: true)).text(of: ReportDocument(result)).split(separator: "\n")
            let wrong = lines.filter { !$0.utf8.allSatisfy { $0 < 0x80 } }
            #expect(wrong.isEmpty, "\(result.section.kind): \(wrong)")
        }
    }

    @Test("colours change nothing but colours", arguments: [nil, 60, 100] as [Int?])
    func colours(width: Int?) throws {
        for result in try SampleResults.everything(named: "x") {
            let plain = TableReport(TextStyle(width: width)).text(of: ReportDocument(result))
            let coloured = TableReport(TextStyle(width: width, isColoured: true)).text(of: ReportDocument(result))
            #expect(coloured.replacing(#/\u{1B}\[[0-9;]+m/#, with: "") == plain, "\(result.section.kind)")
        }
    }

    /// Results whose lines are all rows or headings. Others have sentences with a path, which a terminal breaks by itself.
    private static let inColumns: Set = ["funnel", "events", "paths", "timings", "trend", "retention", "props", "users", "user", "why"]

    @Test("no row and no heading is wider than the terminal", arguments: [60, 80, 100, 140], ["x", "購入完了"])
    func widths(width: Int, name: String) throws {
        var kinds: Set<String> = []
        for result in try SampleResults.everything(named: name) where Self.inColumns.contains(result.section.kind) {
            kinds.insert(result.section.kind)
            let lines = TableReport(TextStyle(width: width)).text(of: ReportDocument(result)).split(separator: "\n")
            let wrong = lines.filter { TerminalText.width(of: String($0)) > width }
            #expect(wrong.isEmpty, "\(result.section.kind): \(wrong)")
        }
        #expect(kinds == Self.inColumns, "every kind is tried")
    }

    @Test func `no line of a table ends in a blank`() throws {
        for result in try SampleResults.everything(named: "x") {
            for width in [nil, 60] as [Int?] {
                let lines = TableReport(TextStyle(width: width)).text(of: ReportDocument(result)).split(separator: "\n")
                #expect(!lines.contains { $0.hasSuffix(" ") }, "\(result.section.kind): \(lines.filter { $0.hasSuffix(" ") })")
            }
        }
    }

    @Test func `no format writes nan, inf or nil in place of a number`() throws {
        for result in try SampleResults.everything(named: "x") {
            for format in ReportFormats.texts() {
                let words = format.text(of: ReportDocument(result)).split { !$0.isLetter }
                #expect(
                    !words.contains { ["nan", "inf", "infinity", "Optional", "nil"].contains($0) }, "\(result.section.kind) \(format.name)")
            }
        }
    }
}
