import Foundation
import Testing

@testable import Funnels
@testable import Reports

@Suite("Timings in reports")
struct TimingReportTests {
    static func timings(event: String = "open", system: String? = nil, leftOut: Int = 0, unreadable: Int = 0) -> TimingCatalogue {
        func entry(_ event: String, _ phase: String, _ scale: UInt64) -> TimingCatalogue.Entry {
            .init(
                system: system, event: event, phase: phase, count: 1204, total: 1204 * 15 * scale, minimum: scale, maximum: 99 * scale,
                p50: 12 * scale, p90: 41 * scale, p99: 77 * scale)
        }
        return TimingCatalogue(
            entries: [entry(event, "reduce", 1), entry(event, "total", 100_000), entry("quick", "total", 1_000)], leftOut: leftOut,
            lines: 3,
            unreadableLines: unreadable, firstMilliseconds: 1_767_268_800_000, lastMilliseconds: 1_767_268_860_000, system: system,
            input: InputQuality())
    }

    @Test func `JSON has exactly the documented keys`() {
        #expect(
            JSONReport().text(of: Self.timings(system: "shop", leftOut: 2, unreadable: 1)) == """
                {"schema":1,
                 "timings":[{"system":"shop","event":"open","phase":"reduce","count":1204,"p50_ns":12,"p90_ns":41,"p99_ns":77,"min_ns":1,\
                "max_ns":99,"mean_ns":15,"total_ns":18060},
                   {"system":"shop","event":"open","phase":"total","count":1204,"p50_ns":1200000,"p90_ns":4100000,"p99_ns":7700000,\
                "min_ns":100000,"max_ns":9900000,"mean_ns":1500000,"total_ns":1806000000},
                   {"system":"shop","event":"quick","phase":"total","count":1204,"p50_ns":12000,"p90_ns":41000,"p99_ns":77000,"min_ns":1000,\
                "max_ns":99000,"mean_ns":15000,"total_ns":18060000}],
                 "left_out":2,"lines":3,"unreadable_lines":1,"first_ms":1767268800000,"last_ms":1767268860000,"since_ms":null,"until_ms":null,\
                "system":"shop",
                 "input":{"files":0,"bytes":0,"events":0,"bad_lines":0,"duplicates":0,"without_key":0,"damaged_members":0,"sequence_gaps":0}}

                """)
    }

    @Test func `a table for people`() {
        #expect(
            TableReport().text(of: Self.timings())
                == """
                event  phase   count      p50      p90      p99  longest     mean      sum
                open   reduce  1,204    12 ns    41 ns    77 ns    99 ns    15 ns  18.1 µs
                open   total   1,204  1.20 ms  4.10 ms  7.70 ms  9.90 ms  1.50 ms   1.81 s
                quick  total   1,204  12.0 µs  41.0 µs  77.0 µs  99.0 µs  15.0 µs  18.1 ms
                from 3 timing lines, 2026-01-01 12:00:00 – 2026-01-01 12:01:00 UTC
                0 events in 0 files (0 B): 0 bad lines, 0 duplicates, 0 without user, 0 damaged

                """)
    }

    @Test func `the table names the system, and counts left-out events and unreadable lines`() {
        let text = TableReport(TextStyle(isASCII: true)).text(of: Self.timings(system: "shop", leftOut: 1, unreadable: 2))
        #expect(text.hasPrefix("event  phase"))
        #expect(text.contains("left out: 1 more event, which took less time") && text.contains("2 timing lines could not be understood"))
        #expect(text.contains("from 3 timing lines of shop") && text.contains("12.0 us") && text.utf8.allSatisfy { $0 < 0x80 })
        let nothing = TimingCatalogue(entries: [], lines: 0, input: InputQuality())
        #expect(TableReport().text(of: nothing).hasPrefix("no timings\nfrom 0 timing lines\n"))
        let once = TimingCatalogue(entries: [], lines: 2, firstMilliseconds: 0, lastMilliseconds: 999, input: InputQuality())
        #expect(TableReport().text(of: once).contains("from 2 timing lines, 1970-01-01 00:00:00 UTC\n"))
    }

    @Test func `only programs see a phase that never took time, but everybody sees the total`() {
        func entry(_ phase: String) -> TimingCatalogue.Entry {
            .init(event: "open", phase: phase, count: 2, total: 0, minimum: 0, maximum: 0, p50: 0, p90: 0, p99: 0)
        }
        let timings = TimingCatalogue(entries: [entry("bindings"), entry("total")], lines: 2, input: InputQuality())
        for text in [TableReport().text(of: timings), MarkdownReport().text(of: ReportDocument(timings))] {
            #expect(!text.contains("bindings") && text.contains("total"))
        }
        for text in [CSVReport().text(of: ReportDocument(timings)), JSONReport().text(of: timings)] { #expect(text.contains("bindings")) }
    }

    @Test("no line is wider than the terminal", arguments: [40, 60, 80, 140])
    func width(columns: Int) {
        let text = TableReport(TextStyle(width: columns)).text(of: Self.timings(event: String(repeating: "長い", count: 60)))
        for line in text.split(separator: "\n") where !line.hasPrefix("from") { #expect(TerminalText.width(of: String(line)) <= columns) }
    }

    @Test func `CSV has one row for each event and phase, in whole nanoseconds`() throws {
        let rows = try CommaSeparated.rows(CSVReport().text(of: Self.timings(event: "=1+1", system: "shop")))
        #expect(rows[0] == ["system", "event", "phase", "count", "p50_ns", "p90_ns", "p99_ns", "max_ns", "min_ns", "mean_ns", "total_ns"])
        #expect(rows[1] == ["shop", "'=1+1", "reduce", "1204", "12", "41", "77", "99", "1", "15", "18060"])
        #expect(rows.count == 4)
    }

    @Test func `Markdown and HTML show the phases, and the slowest events as bars`() {
        let markdown = MarkdownReport().text(of: ReportDocument(Self.timings()))
        #expect(markdown.contains("| `open` |") && markdown.contains("7.70 ms") && !markdown.contains("min_ns"))
        let page = HTMLReport().text(of: ReportDocument(Self.timings(event: "<b>")))
        #expect(page.contains("<svg") && page.contains("&lt;b&gt;") && !page.contains("<b>") && page.contains("p99 of the total"))
    }
}
