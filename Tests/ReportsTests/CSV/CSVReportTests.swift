import EventFiles
import Testing

@testable import Funnels
@testable import Reports

@Suite("CSV")
struct CSVReportTests {
    @Test func `a funnel is one row a step, numbers as programs want them`() throws {
        let text = CSVReport().text(of: try SampleResults.checkout())
        let rows = try CommaSeparated.rows(text)
        #expect(
            rows[0] == [
                "group", "step", "name", "filter", "optional", "count", "of_first", "of_previous", "dropped", "from_previous_n",
                "from_previous_mean_ms", "from_previous_p50_ms", "from_previous_p90_ms", "from_previous_p99_ms", "from_first_n",
                "from_first_mean_ms", "from_first_p50_ms", "from_first_p90_ms", "from_first_p99_ms", "of_first_ci95_lower",
                "of_first_ci95_upper",
                "of_previous_ci95_lower", "of_previous_ci95_upper",
            ])
        #expect(rows.count == 5)
        let bounds = ["0.9999761336095697", "1", "0.9999761336095697", "1"]
        #expect(rows[1] == ["", "1", "catalog_viewed", "", "false", "160953", "1", "1", "0"] + Array(repeating: "", count: 10) + bounds)
        #expect(rows[2][5] == "144746" && Double(rows[2][6]) == 144_746.0 / 160_953.0 && rows[2][8] == "16207")
        #expect(rows[2][9...13] == ["144746", "72000", "72000", "72000", "72000"])
        #expect(text.hasSuffix("\r\n"))
    }

    @Test func `a share of nothing is an empty field`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b[x>=1, y=2]"))
        let rows = try CommaSeparated.rows(CSVReport().text(of: SampleResults.funnel(definition, counts: [0, 0])))
        #expect(rows[2][2...8] == ["b", "x>=1,y=2", "false", "0", "", "", "0"])
    }

    @Test func `events have their times as ISO 8601`() throws {
        let catalogue = EventCatalogue(
            entries: [.init(name: "a", count: 1000, users: 2, firstMilliseconds: 250, lastMilliseconds: 86_400_000)], metaLines: 0,
            timingLines: 0, input: InputQuality())
        #expect(
            CSVReport().text(of: catalogue)
                == "name,count,users,first_seen,last_seen\r\na,1000,2,1970-01-01T00:00:00.250Z,1970-01-02T00:00:00.000Z\r\n")
    }

    @Test func `several results share one heading, and each row says whose it is`() throws {
        let results = try SampleResults.results(named: "x")
        let rows = try CommaSeparated.rows(CSVReport().text(of: ReportDocument(title: "All", results: results)))
        #expect(rows[0].prefix(5) == ["kind", "report", "group", "step", "name"])
        #expect(Set(rows[0]).count == rows[0].count)
        #expect(rows.dropFirst().map { $0[0] } == ["funnel", "funnel", "funnel", "events", "check"])
        #expect(rows[4][1] == "Events" && rows[4][4] == "x")
    }

    @Test(
        "what a spreadsheet could take for a formula has an apostrophe in front",
        arguments: [
            ("=1", "'=1"), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"), ("\tx", #"'\tx"#), ("\rx", #"'\rx"#), (" =1", "' =1"),
            ("\u{A0}=1", "'\u{A0}=1"), ("\u{FEFF}=1", #"'\u{FEFF}=1"#), ("＝1", "'＝1"), ("a=1", "a=1"), ("1-1", "1-1"), ("", ""),
            ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", #"a\nb"#), (" a", "\" a\""), ("=a,b", "\"'=a,b\""),
        ])
    func data(text: String, field: String) { #expect(CSVText.data(text) == field) }

    @Test(
        "a key comes back from a table of ours, whatever it begins with",
        arguments: ["=1", "'=1", "''=1", "'", "''", "'''", "'tis", "' x", "' ", #"'\x"#, #"\x"#, "-5", "'-5", "'\u{A0}", "a'b"])
    func keysComeBack(key: String) throws {
        let cohort = try Cohort(Array("key\r\n\(CSVText.data(key))\r\n".utf8), name: "ours")
        #expect(cohort.count == 1 && cohort.contains(.of(key)))
    }

    @Test("numbers that are computed are never prefixed", arguments: [-5.0, 1e-7, -0.25, .infinity])
    func numbers(number: Double) throws {
        let table = ReportTable("t", columns: [.init(title: "n", key: "n")], rows: [[.share(number)], [.duration(nil)], [.count(-3)]])
        let result = SampleSection(ReportSection(kind: "k", title: "t", makeRecords: { table }, makeFigures: { [] }, quality: []))
        let rows = try CommaSeparated.rows(CSVReport().text(of: result))
        #expect(rows[1] == [number.isFinite ? (number == -5 ? "-5" : number.description) : ""])
        #expect(rows[2] == [""] && rows[3] == ["-3"])
    }
}
