import Foundation
import Testing

@testable import Reports

/// What must hold of every format whatever the names are.
@Suite("Hostile names")
struct HostileNameTests {
    @Test("nothing that acts on a terminal is in any format", arguments: HostileName.allCases)
    func terminal(name: HostileName) throws {
        for format in ReportFormats.texts(TextStyle(width: 80)) {
            for document in try SampleResults.documents(named: name.rawValue) {
                let text = format.text(of: document)
                #expect(text.last?.isNewline == true)
                let acting = text.unicodeScalars.filter { scalar in
                    // Line ends are allowed, and the isolates that keep names from turning their neighbours.
                    scalar != "\n" && scalar != "\r" && scalar != "\u{2068}" && scalar != "\u{2069}" && TerminalText.acts(scalar)
                }
                #expect(acting.isEmpty, "\(format.name)")
                #expect(
                    text.unicodeScalars.count { $0 == "\u{2068}" } == text.unicodeScalars.count { $0 == "\u{2069}" }, "\(format.name)")
                if format.name != "csv" { #expect(!text.contains("\r")) }
            }
        }
    }

    @Test("equal results give equal bytes", arguments: ReportFormats.all().map(\.name))
    func determinism(name: String) throws {
        let format = try #require(ReportFormats.all().first { $0.name == name })
        // Names do not make the bytes of equal results differ, so that a few names are enough.
        for hostile in [HostileName.lines, .hebrew, .long] {
            let one = try SampleResults.newDocuments(named: hostile.rawValue).map(format.bytes)
            let other = try SampleResults.newDocuments(named: hostile.rawValue).map(format.bytes)
            #expect(one == other)
        }
    }

    private static let plain = Result { try SampleResults.documents(named: "plain").map { MarkupPage(HTMLReport().text(of: $0)) } }

    @Test("a page has the same elements whatever the names are", arguments: HostileName.allCases)
    func elements(name: HostileName) throws {
        let plain = try Self.plain.get()
        let hostile = try SampleResults.documents(named: name.rawValue).map { MarkupPage(HTMLReport().text(of: $0)) }
        for (plain, hostile) in zip(plain, hostile) {
            // A name that is cut stands twice, for wide and narrow pages, with the whole in a hint.
            let cut: Set = ["text", "title"]
            #expect(hostile.elements.filter { !cut.contains($0) } == plain.elements.filter { !cut.contains($0) })
            #expect(Set(hostile.attributes) == Set(plain.attributes))
            #expect(hostile.problems == [])
        }
    }

    @Test("the data in a page is the JSON report", arguments: HostileName.allCases)
    func data(name: HostileName) throws {
        for document in try SampleResults.documents(named: name.rawValue) {
            let page = HTMLReport().text(of: document)
            let start = try #require(page.range(of: #"<script type="application/json" id="report">"#)).upperBound
            let end = try #require(page.range(of: "</script>", range: start..<page.endIndex)).lowerBound
            let embedded = try JSONSerialization.jsonObject(with: Data(page[start..<end].utf8)) as? NSDictionary
            let report = try JSONSerialization.jsonObject(with: Data(JSONReport().text(of: document).utf8)) as? NSDictionary
            #expect(embedded != nil && embedded == report)
            #expect(!page[start..<end].contains("<") && !page[start..<end].contains("&"))
        }
    }

    @Test("a spreadsheet computes nothing and keeps its columns", arguments: HostileName.allCases)
    func spreadsheet(name: HostileName) throws {
        for document in try SampleResults.documents(named: name.rawValue) {
            let rows = try CommaSeparated.rows(CSVReport().text(of: document))
            #expect(rows.count > 1)
            for row in rows {
                #expect(row.count == rows[0].count)
                for cell in row where Double(cell) == nil {
                    let first = cell.unicodeScalars.first { !$0.properties.isWhitespace && !TerminalText.acts($0) }
                    #expect(first.map { !"=+-@＝＋－＠".unicodeScalars.contains($0) } ?? true, "\(cell)")
                }
            }
        }
    }

    @Test("Markdown keeps its lines and its columns, and takes no markup from a name", arguments: HostileName.allCases)
    func markdown(name: HostileName) throws {
        let plain = try SampleResults.documents(named: "plain").map { MarkdownReport().text(of: $0) }
        let hostile = try SampleResults.documents(named: name.rawValue).map { MarkdownReport().text(of: $0) }
        for (plain, hostile) in zip(plain, hostile) {
            let lines = (plain.split(separator: "\n"), hostile.split(separator: "\n"))
            #expect(lines.0.count == lines.1.count)
            for (plain, hostile) in zip(lines.0, lines.1) {
                #expect(plain.replacing(#"\|"#, with: "").count { $0 == "|" } == hostile.replacing(#"\|"#, with: "").count { $0 == "|" })
                // Code spans are harmless; beyond them only our own tags stand.
                let outside = hostile.replacing(#/`[^`]*`/#, with: "")
                let tags = outside.matches(of: #/<[^>]*>?/#).map { String($0.output) }
                #expect(
                    tags.allSatisfy {
                        ["<code>", "</code>", "<details>", "</details>", "<summary>", "</summary>"].contains($0) || $0.hasPrefix("<0.1%")
                    })
                #expect(!outside.contains("@") && !outside.contains("http://") && !outside.contains("www."))
                #expect(!outside.contains("`"))
            }
        }
    }
}
