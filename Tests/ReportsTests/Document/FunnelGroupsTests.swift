import Testing

@testable import Funnels
@testable import Reports

@Suite("Groups of a funnel")
struct FunnelGroupsTests {
    @Test func `in CSV everybody comes first, then a row a group and step`() throws {
        let rows = try CommaSeparated.rows(CSVReport().text(of: try SampleResults.groups(["pro", "=x", "(none)"])))
        #expect(rows.dropFirst().map { $0[0] } == ["", "", "", "pro", "pro", "pro", "'=x", "'=x", "'=x", "(none)", "(none)", "(none)"])
        #expect(rows[4][1...5] == ["1", "a", "", "false", "10"] && rows[5][1...5] == ["2", "b", "", "true", "2"])
    }

    @Test func `in Markdown groups have a table of their own, with bars of their conversion`() throws {
        let text = MarkdownReport().text(of: try SampleResults.groups(["pro", "a|b"]))
        #expect(text.contains("### Conversion by group\n\n| Group | Step 1 | Step 2 | Step 3 | Conversion | Median time | p90 |  |\n"))
        #expect(text.contains("| `pro` | 10 | 2 | 5 | 50.0% | 3s | 3s | ████████ |\n"))
        #expect(text.contains("| <code>a&#124;b</code> | 9 | 2 | 5 | 55.6% | 3s | 3s | ████████▉ |\n"))
    }

    @Test func `in a page groups are bars of their conversion, a full one being the whole group`() throws {
        let html = HTMLReport().text(of: try SampleResults.groups(["pro", "<b>"]))
        #expect(MarkupPage(html).problems == [])
        #expect(html.contains("50.0% of 10") && html.contains("width=\"50%\" height=\"12\" class=\"bar\""))
        #expect(html.contains("<td class=\"data\"><bdi>&lt;b&gt;</bdi></td>"))
    }

    @Test func `a funnel without a breakdown has no groups anywhere`() throws {
        let funnel = try SampleResults.checkout()
        #expect(!HTMLReport().text(of: funnel).contains("by group") && !MarkdownReport().text(of: funnel).contains("by group"))
    }

    @Test("a group's name does nothing in any format", arguments: HostileName.allCases)
    func hostile(name: HostileName) throws {
        let result = try SampleResults.groups([name.rawValue])
        #expect(MarkupPage(HTMLReport().text(of: result)).problems == [])
        #expect(try CommaSeparated.rows(CSVReport().text(of: result)).allSatisfy { $0.count == 19 })
        for format in ReportFormats.all() {
            let text = format.text(of: result).unicodeScalars
            #expect(text.allSatisfy { "\n\r\u{2068}\u{2069}".unicodeScalars.contains($0) || !TerminalText.acts($0) }, "\(format.name)")
        }
    }
}
