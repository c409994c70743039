import Foundation
import Testing

@testable import Funnels
@testable import Reports

@Suite("Documents")
struct ReportDocumentTests {
    @Test func `every format has a name and endings of its own`() {
        let formats = ReportFormats.all()
        #expect(formats.map(\.name) == ["table", "json", "jsonl", "csv", "md", "html", "prom"])
        #expect(formats.flatMap(\.fileExtensions) == ["txt", "json", "csv", "md", "markdown", "html", "htm", "prom"])
    }

    @Test func `a document of one result is that result's text, and one of several has the text of each`() throws {
        let funnel = try SampleResults.checkout()
        #expect(TableReport().text(of: ReportDocument(funnel)) == TableReport().text(of: funnel))
        #expect(JSONReport().text(of: ReportDocument(funnel)) == JSONReport().text(of: funnel))
        let table = TableReport().text(of: ReportDocument(title: "All\u{7}", results: [funnel, funnel]))
        #expect(table == "All\\u{7}\n\n\(TableReport().text(of: funnel))\n\(TableReport().text(of: funnel))")
    }

    @Test func `a result of any kind is the same in a document as by itself`() throws {
        let (members, repair) = (try MembersReportTests.members(), SampleResults.repair(of: "a.ndjson.gz"))
        #expect(TableReport().text(of: ReportDocument(members)) == TableReport().text(of: members))
        #expect(JSONReport().text(of: ReportDocument(members)) == JSONReport().text(of: members))
        #expect(TableReport().text(of: ReportDocument(repair)) == TableReport().text(of: repair))
        #expect(JSONReport().text(of: ReportDocument(repair)) == JSONReport().text(of: repair))
    }

    @Test func `results of every kind together are one sound document in each format`() throws {
        let everything = try SampleResults.everything(named: "x")
        let document = ReportDocument(title: "All", results: everything)
        #expect(MarkupPage(HTMLReport().text(of: document)).problems == [])
        let rows = try CommaSeparated.rows(CSVReport().text(of: document))
        #expect(Set(rows.map(\.count)).count == 1, "a field for each column in each row")
        #expect(Set(rows.dropFirst().map { $0[0] }) == Set(everything.map(\.section.kind)))
        let json = try JSONSerialization.jsonObject(with: Data(JSONReport().text(of: document).utf8)) as? [String: Any]
        #expect((json?["reports"] as? [Any])?.count == everything.count)
        let headings = MarkdownReport().text(of: document).split(separator: "\n").filter { $0.hasPrefix("## ") }
        #expect(headings.count == everything.count)
    }

    @Test func `several results are one JSON document, each as it is by itself`() throws {
        let results = try SampleResults.results(named: "\u{1B}\"")
        let text = JSONReport().text(of: ReportDocument(title: "T", results: results))
        let root = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(root["schema"] as? Int == 1 && root["title"] as? String == "T")
        let reports = try #require(root["reports"] as? [[String: Any]])
        #expect(reports.map { $0["kind"] as? String } == ["funnel", "events", "check"])
        #expect(reports.map { $0["title"] as? String } == ["\u{1B}\"", "Events", "Check"])
        for (report, result) in zip(reports, results) {
            let alone = try JSONSerialization.jsonObject(with: Data(result.text(in: JSONReport()).utf8)) as? NSDictionary
            #expect(report["result"] as? NSDictionary == alone)
        }
    }

    @Test func `no results make an empty document in every text format`() {
        // JSON Lines have nothing but rows, so that without results they are empty.
        for format in ReportFormats.texts() where format.name != "jsonl" {
            let text = format.text(of: ReportDocument(title: "Nothing", results: []))
            #expect(!text.isEmpty && text.last?.isNewline == true)
        }
    }

    @Test(
        "values as people read them",
        arguments: [
            (.data("a"), "a"), (.count(-1234), "−1,234"), (.share(0.5), "50.0%"), (.share(nil), "–"), (.duration(1500), "1.5s"),
            (.moment(250), "1970-01-01 00:00:00.250"), (.moment(nil), "–"), (.bytes(1000), "1 kB"), (.flag(true), "yes"), (.none, ""),
        ] as [(ReportValue, String)])
    func shown(value: ReportValue, text: String) { #expect(value.shown() == text) }

    @Test func `a column is numeric where every value is a quantity or missing`() {
        let columns = ["a", "b", "c"].map { ReportTable.Column(title: $0, key: $0) }
        let table = ReportTable(
            "t", columns: columns, rows: [[.count(1), .none, .count(1)], [.none, .none, .words("x")]])
        #expect(columns.indices.map(table.isNumeric) == [true, false, false])
    }

    @Test func `times in ISO 8601 are to the millisecond, before 1970 too`() {
        #expect(DateFormat.iso(-1) == "1969-12-31T23:59:59.999Z" && DateFormat.iso(1_767_225_600_250) == "2026-01-01T00:00:00.250Z")
    }

    @Test(
        "only text with letters that run from right to left is isolated",
        arguments: [
            ("abc", false), ("購入", false), ("שלום", true), ("a مرحبا", true), ("é", false), ("\u{FB20}", true), ("\u{1E900}", true),
        ])
    func bidi(text: String, isIsolated: Bool) {
        #expect(BidiText.isolated(text) == (isIsolated ? "\u{2068}\(text)\u{2069}" : text))
    }
}
