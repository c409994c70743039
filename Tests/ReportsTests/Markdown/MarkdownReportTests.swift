import Testing

@testable import Funnels
@testable import Reports

@Suite("Markdown")
struct MarkdownReportTests {
    @Test func `a funnel as one pastes it into a pull request`() throws {
        let text = MarkdownReport().text(of: try SampleResults.checkout())
        #expect(
            text.hasPrefix(
                """
                ## Checkout

                Conversion **22.3%** · 95 % **22.1–22.5%** · entered **160,953** · converted **35,893** · median time **15m** · 2026-01-01 – 2026-01-15 UTC

                | Step | Event | Count | Of step 1 | 95 % | Of step before | Lost | Median time | p90 |  |
                | ---: | :--- | ---: | ---: | :--- | ---: | ---: | ---: | ---: | :--- |
                | 1 | `catalog_viewed` | 160,953 | 100.0% |  |  |  |  |  | ████████████████ |
                | 2 | `product_viewed` | 144,746 | 89.9% | 89.8–90.1% | 89.9% | 16,207 | 1m12s | 1m12s | ██████████████▍ |
                | 3 | `cart_added` | 106,358 | 66.1% | 65.8–66.3% | 73.5% | 38,388 | 14m | 14m | ██████████▌ |
                | 4 | `payment_succeeded` | 35,893 | 22.3% | 22.1–22.5% | 33.7% | 70,465 | 1s | 1s | ███▌ |

                <details><summary>Time to convert</summary>

                | From | Below | Count | Share | Cumulative |
                """))
        #expect(text.contains("The largest loss is at step 4: 70,465 (66.3% of those who were at step 3)."))
        #expect(
            text.contains("\n\n**Definition** · counted by: `user` · ")
                && text.contains(" · window: 1h from step 1, inclusive · step 1: `catalog_viewed` · "))
        #expect(text.contains("\n\n**Input** · files: 40 · size: 460 MB · events: 10,000,000 · "))
        #expect(text.hasSuffix(" · missing by sequence: 0\n"))
    }

    @Test func `nobody entered`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"))
        let text = MarkdownReport().text(of: SampleResults.funnel(definition, counts: [0, 0]))
        #expect(text.contains("| 2 | `b` | 0 | – |  | – | 0 |  |  |\n") && text.contains("Nothing matched step 1."))
    }

    @Test func `a document has its title above and each result below`() throws {
        let text = MarkdownReport().text(of: ReportDocument(title: "Shop #1", results: try SampleResults.results(named: "x")))
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("#") }
        #expect(
            headings == [
                "# Shop &#35;1", "## x", "## Events", "## Check", "### Faults", "### Places, up to 20 of a kind for each file",
                "### Sequence numbers that are missing", "### Files that were not read",
            ])
    }

    @Test(
        "names stand as code, unchanged where that is safe, else with character references",
        arguments: [
            ("cart_added", "`cart_added`"), ("Order Completed", "`Order Completed`"), ("a[price>=10]", "`a[price>=10]`"),
            ("a|b", "<code>a&#124;b</code>"), ("a`b", "<code>a&#96;b</code>"), ("<b>", "<code>&lt;b&gt;</code>"),
            (" a", "<code> a</code>"), ("", "<code></code>"), ("a\nb", #"<code>a&#92;nb</code>"#), ("@me", "<code>&#64;me</code>"),
            ("שלום", "`\u{2068}שלום\u{2069}`"), ("&amp;", "<code>&amp;amp&#59;</code>"),
        ])
    func code(text: String, markdown: String) { #expect(MarkdownText.code(text) == markdown) }

    @Test(
        "a sentence stays as it is, and what in it could be markup is written by reference",
        arguments: [
            ("u_1 reached step 1, cart_added at 00:00:00 (<0.1%).", "u_1 reached step 1, cart_added at 00:00:00 (<0.1%)."),
            ("@bob <img src=x> | _u_ came", "&#64;bob &lt;img src&#61;x&gt; &#124; &#95;u&#95; came"),
            ("at the mark #1 **b** a@x.example.", "at the mark &#35;1 &#42;&#42;b&#42;&#42; a&#64;x&#46;example&#46;"),
            ("http://x www.x a__b", "http&#58;&#47;&#47;x www&#46;x a&#95;&#95;b"),
        ])
    func words(text: String, markdown: String) { #expect(MarkdownText.words(text) == markdown) }

    @Test func `a sentence stays on its line whatever the label of a mark is`() {
        let section = ReportSection(
            kind: "k", title: "t", findings: [ReportFinding("2.1\n- sale\u{1B}[2J: no difference.", from: .trend)],
            makeRecords: { ReportTable("", columns: [], rows: []) }, makeFigures: { [] }, quality: [])
        let blocks = MarkdownReport().text(of: SampleSection(section)).split(separator: "\n")
        #expect(blocks.count == 2 && !blocks.contains { $0.unicodeScalars.contains(where: TerminalText.acts) })
    }

    @Test func `a heading holds no markup`() {
        #expect(MarkdownText.plain("*a* #1 [b](c)") == "&#42;a&#42; &#35;1 &#91;b&#93;&#40;c&#41;")
    }
}
