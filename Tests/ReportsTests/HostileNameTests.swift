import Foundation
import Testing

@testable import Reports

/// What must hold of every format whatever the names are.
@Suite("Hostile names")
struct HostileNameTests {
    @Test("nothing that acts on a terminal is in any format", arguments: HostileName.allCases)
    func terminal(name: HostileName) throws {
        for format in ReportFormats.texts(TextStyle(width: 80)) {
            for document in try SampleResults.tried(with: name) {
                let text = format.text(of: document)
                #expect(text.last?.isNewline == true)
                var (acting, returns, isolates) = (0, 0, 0)
                // One walk over the characters of a page: a debug build is slow at it.
                for scalar in text.unicodeScalars where scalar.value < 0x20 || scalar.value >= 0x7F {
                    switch scalar {
                    // Line ends are allowed, and the isolates that keep names from turning their neighbours.
                    case "\n": break
                    case "\r": returns += 1
                    case "\u{2068}": isolates += 1
                    case "\u{2069}": isolates -= 1
                    default: if TerminalText.acts(scalar) { acting += 1 }
                    }
                }
                #expect(acting == 0 && isolates == 0, "\(format.name)")
                if format.name != "csv" { #expect(returns == 0, "\(format.name)") }
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
        let documents = try SampleResults.documents(named: name.rawValue)
        for place in try SampleResults.places(for: name) {
            let (plain, hostile) = (plain[place], MarkupPage(HTMLReport().text(of: documents[place])))
            // A name that is cut stands twice, for wide and narrow pages, with the whole in a hint.
            let cut: Set = ["text", "title"]
            #expect(hostile.elements.filter { !cut.contains($0) } == plain.elements.filter { !cut.contains($0) })
            #expect(Set(hostile.attributes) == Set(plain.attributes))
            #expect(hostile.problems == [])
        }
    }

    @Test("the data in a page is the JSON report", arguments: HostileName.allCases)
    func data(name: HostileName) throws {
        for document in try SampleResults.tried(with: name) {
            let page = Data(HTMLReport().text(of: document).utf8)
            let start = try #require(page.range(of: Data(#"<script type="application/json" id="report">"#.utf8))).upperBound
            let end = try #require(page.range(of: Data("</script>".utf8), in: start..<page.endIndex)).lowerBound
            let json = Data(page[start..<end])
            let embedded = try JSONSerialization.jsonObject(with: json) as? NSDictionary
            let report = try JSONSerialization.jsonObject(with: Data(JSONReport().text(of: document).utf8)) as? NSDictionary
            #expect(embedded != nil && embedded == report)
            #expect(json.range(of: Data("<".utf8)) == nil && json.range(of: Data("&".utf8)) == nil)
        }
    }

    @Test("a spreadsheet computes nothing and keeps its columns", arguments: HostileName.allCases)
    func spreadsheet(name: HostileName) throws {
        for document in try SampleResults.tried(with: name) {
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

    private static let plainMarkdown = Result { try SampleResults.documents(named: "plain").map { MarkdownReport().text(of: $0) } }

    @Test("Markdown keeps its lines and its columns, and takes no markup from a name", arguments: HostileName.allCases)
    func markdown(name: HostileName) throws {
        let plain = try Self.plainMarkdown.get()
        let documents = try SampleResults.documents(named: name.rawValue)
        for place in try SampleResults.places(for: name) {
            let (plain, hostile) = (plain[place], MarkdownReport().text(of: documents[place]))
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
