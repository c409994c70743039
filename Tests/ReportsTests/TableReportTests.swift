import Testing

@testable import Funnels
@testable import Reports

@Suite("Table")
struct TableReportTests {
    private static func unwanted() -> ReportTable {
        Issue.record("a table that no terminal shows was made")
        return ReportTable("", columns: [], rows: [])
    }

    @Test func `a terminal's report makes neither the rows nor the figures of other formats`() {
        let result = SampleSection(
            ReportSection(
                kind: "funnel", title: "a", makeRecords: { Self.unwanted() },
                makeFigures: { [ReportFigure(title: "b", table: Self.unwanted())] }, quality: []))
        #expect(TableReport().text(of: result) == "a\n")
        #expect(TableReport().text(of: ReportDocument(title: "c", results: [result, result])) == "c\n\na\n\na\n")
    }

    @Test func `a funnel as the design shows it`() throws {
        let text = TableReport(TextStyle(elapsedSeconds: 2.9)).text(of: try SampleResults.checkout())
        #expect(
            text == """
                Checkout   160,953 users, window 1h from step 1, ordered, same-millisecond events in any order     2026-01-01 – 2026-01-15 UTC
                 1 catalog_viewed     160,953  100.0%  ████████████████████████████████████████
                 2 product_viewed     144,746   89.9%  ███████████████████████████████████▉      −16,207   89.9% of step 1   p50 1m12s  p90 1m12s
                 3 cart_added         106,358   66.1%  ██████████████████████████▍               −38,388   73.5% of step 2   p50 14m    p90 14m
                 4 payment_succeeded   35,893   22.3%  ████████▉                                 −70,465   33.7% of step 3   p50 1s     p90 1s
                Overall 22.3% · 95% 22.1–22.5% · median 15m · largest loss at step 4 (−70,465)
                10,000,000 events in 40 files (460 MB): 0 bad lines, 0 duplicates, 0 without user, 0 damaged. 2.9 s

                """)
    }

    @Test("no line is wider than the terminal, nor ends in blanks", arguments: [40, 50, 60, 70, 80, 100, 120, 140, 200])
    func width(columns: Int) throws {
        for isASCII in [false, true] {
            let text = TableReport(TextStyle(width: columns, isASCII: isASCII, elapsedSeconds: 1)).text(of: try SampleResults.checkout())
            for line in text.split(separator: "\n") {
                #expect(TerminalText.width(of: String(line)) <= columns, "\(line)")
                #expect(line.last != " ")
            }
            #expect(text.contains("35,893") && text.contains("22.3%"))
            if isASCII { #expect(text.utf8.allSatisfy { $0 < 0x80 }) }
        }
    }

    @Test func `at 80 columns there is a bar and what was lost`() throws {
        let text = TableReport(TextStyle(width: 80)).text(of: try SampleResults.checkout())
        #expect(text.contains(" 2 product_viewed     144,746   89.9%  ████"))
        #expect(text.contains("−16,207"))
    }

    @Test func `a funnel that nobody entered has no shares`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"))
        let text = TableReport().text(of: SampleResults.funnel(definition, counts: [0, 0]))
        #expect(
            text == """
                Funnel   0 users, window 7d from step 1, ordered, same-millisecond events in any order
                 1 a  0       –
                 2 b  0       –                                            0   – of step 1
                Overall –: nothing matched step 1
                0 events in 0 files (0 B): 0 bad lines, 0 duplicates, 0 without user, 0 damaged

                """)
    }

    @Test func `a funnel's filters, key, time range, open windows and bad input are named`() throws {
        let definition = try FunnelDefinition(
            steps: FunnelStep.parse("(a | b)[price>=10]"), windowMilliseconds: 90_000, key: .property(["org"]), since: 0, until: 86_400_000)
        var input = InputQuality()
        input.files = 1
        input.bytes = 1234
        (input.events, input.badLines, input.duplicates, input.withoutKey, input.damagedMembers, input.sequenceGaps) = (1, 1, 1, 2, 3, 4)
        let text = TableReport().text(of: SampleResults.funnel(definition, counts: [5], windowOpen: 2, input: input))
        #expect(
            text.hasPrefix(
                "Funnel   5 by props.org, window 90s from step 1, ordered, same-millisecond events in any order, "
                    + "starts 1970-01-01 00:00:00 – 1970-01-02 00:00:00\n 1 (a | b)[price>=10]  5  100.0%  ███"))
        #expect(text.contains("Overall 100.0% · 95% 56.6–100.0% · 2 still in their window\n"))
        #expect(
            text.hasSuffix("1 event in 1 file (1.2 kB): 1 bad line, 1 duplicate, 2 without props.org, 3 damaged, 4 missing by sequence\n"))
    }

    @Test func `bounds of starts that are no whole seconds are told to the millisecond`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a"), windowMilliseconds: 1, since: 1000, until: 1001)
        let text = TableReport().text(of: SampleResults.funnel(definition, counts: [1]))
        #expect(text.contains("starts 1970-01-01 00:00:01 – 1970-01-01 00:00:01.001"))
    }

    @Test("hostile names do nothing and keep the columns", arguments: [nil, 60, 80] as [Int?])
    func hostile(columns: Int?) throws {
        let names = [
            "\u{1B}[2J\u{1B}]0;x\u{7}", "\u{202E}evil", String(repeating: "n", count: 200), "購入完了", "a\nb", "\u{9B}31m", "<script>",
        ]
        let definition = try FunnelDefinition(
            name: "\u{1B}[31m",
            steps: names.map {
                FunnelStep(EventPattern(names: .oneOf([$0]), tests: [PropertyTest(path: ["\u{7}"], comparison: .equal, value: "\u{1B}")]))
            })
        let text = TableReport(TextStyle(width: columns)).text(of: SampleResults.funnel(definition, counts: [9, 8, 7, 6, 5, 4, 3]))
        #expect(!text.unicodeScalars.contains { $0 != "\n" && TerminalText.acts($0) })
        let rows = text.split(separator: "\n").dropFirst().map(String.init)
        #expect(rows.filter { $0.contains("%") && !$0.hasPrefix("Overall") }.count == 7)
        for row in rows { #expect(TerminalText.width(of: row) <= columns ?? 250) }
    }

    @Test func `colours are escape sequences only where they are wanted, and around our own text`() throws {
        let plain = TableReport().text(of: try SampleResults.checkout())
        let coloured = TableReport(TextStyle(isColoured: true)).text(of: try SampleResults.checkout())
        #expect(!plain.contains("\u{1B}") && coloured.contains("\u{1B}[1mCheckout\u{1B}[0m"))
        #expect(coloured.replacing(#/\x{1B}\[[0-9]+m/#, with: "") == plain)
    }

    @Test func `on a narrow terminal a long name is cut before a column is lost`() {
        let rows = [[String(repeating: "n", count: 80), "1", "2"], ["b", "1,000", "22"]]
        func lines(_ width: Int?, cutsStart: Bool = false) -> [String] {
            TableReport(TextStyle(width: width)).columns(["name", "count", "users"], rows, rightAligned: [1, 2], cutsStart: cutsStart)
        }
        #expect(lines(nil)[1].hasPrefix(String(repeating: "n", count: 80) + "      1"))
        #expect(lines(40)[1] == String(repeating: "n", count: 25) + "…      1      2")
        #expect(lines(40, cutsStart: true)[1] == "…" + String(repeating: "n", count: 25) + "      1      2")
        #expect(lines(30)[1] == String(repeating: "n", count: 22) + "…      1")
        for width in 14...100 { #expect(lines(width).allSatisfy { TerminalText.width(of: $0) <= width }, "\(width)") }
    }

    @Test func `a name that runs from right to left turns nothing beside it`() {
        func line(_ table: TableReport) -> String {
            let rows = [[table.shown("שלום"), "1"]]
            return table.columns(["name", "count"], rows)[1]
        }
        #expect(line(TableReport()) == "\u{2068}שלום\u{2069}  1")
        #expect(line(TableReport(TextStyle(isASCII: true))) == "שלום  1")
    }

    @Test func `a funnel's title and names that run from right to left are isolated as a whole, cut or not`() throws {
        let name = String(repeating: "ש", count: 70)
        let definition = try FunnelDefinition(name: "שלום", steps: [FunnelStep(name), FunnelStep("מ")])
        for width in [nil, 40, 80] {
            let text = TableReport(TextStyle(width: width)).text(of: SampleResults.funnel(definition, counts: [5, 3]))
            #expect(text.unicodeScalars.count { $0 == "\u{2068}" } == 3 && text.unicodeScalars.count { $0 == "\u{2069}" } == 3)
            #expect(text.hasPrefix("\u{2068}שלום\u{2069}   5 users") && text.contains("\u{2068}מ\u{2069} "))
            for line in text.split(separator: "\n") { #expect(TerminalText.width(of: String(line)) <= width ?? 200) }
        }
        let ascii = TableReport(TextStyle(isASCII: true)).text(of: SampleResults.funnel(definition, counts: [5, 3]))
        #expect(!ascii.contains("\u{2068}"))
    }

    @Test func `events with their counts, users and times`() throws {
        var input = InputQuality()
        (input.files, input.bytes, input.events) = (1, 100, 3)
        let catalogue = EventCatalogue(
            entries: [
                .init(name: "購入\u{7}", count: 1000, users: 2, firstMilliseconds: 1000, lastMilliseconds: 86_400_000),
                .init(name: "b", count: 1, users: 1, firstMilliseconds: 0, lastMilliseconds: 0),
            ], metaLines: 1, timingLines: 0, input: input)
        #expect(
            TableReport().text(of: catalogue) == """
                event      count  users  first seen (UTC)     last seen (UTC)
                購入\\u{7}  1,000      2  1970-01-01 00:00:01  1970-01-02 00:00:00
                b              1      1  1970-01-01 00:00:00  1970-01-01 00:00:00
                Besides: 1 meta line, 0 timing lines.
                3 events in 1 file (100 B): 0 bad lines, 0 duplicates, 0 without user, 0 damaged

                """)
        let narrow = TableReport(TextStyle(width: 40)).text(of: catalogue)
        #expect(narrow.hasPrefix("event      count  users\n"))
        input.duplicates = 1
        var since = EventCatalogue(entries: [], metaLines: 2, timingLines: 0, input: input)
        since.range = try TimeRange(since: 0, until: nil)
        #expect(TableReport().text(of: since).contains("\nBesides, at any time, copies too: 2 meta lines, 0 timing lines.\n"))
        #expect(TableReport().text(of: EventCatalogue(entries: [], metaLines: 0, timingLines: 0, input: input)).hasPrefix("no events\n"))
    }
}
