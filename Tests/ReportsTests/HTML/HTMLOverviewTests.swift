import Testing

@testable import Funnels
@testable import Reports

@Suite("The first screen of a page")
struct HTMLOverviewTests {
    private func page(_ results: [any Reportable]) -> String { HTMLReport().text(of: ReportDocument(title: "All", results: results)) }

    @Test(
        "a change is news only where it is claimed",
        arguments: [
            ([1000, 500], [2000, 400], #"<td class="change more">+30.0 points</td>"#),
            ([1000, 200], [1000, 500], #"<td class="change less">−30.0 points</td>"#),
            ([10, 5], [20, 4], #"<td class="change open">+30.0 points, not claimed</td>"#),
            ([0, 0], [20, 4], #"<td class="change open"></td>"#),
        ])
    func changes(own: [Int], other: [Int], cell: String) throws {
        #expect(
            page([try ComparisonReportTests.comparison(own: own, other: other, isCovered: true), SampleResults.indexing(of: "x")]).contains(
                cell))
    }

    @Test func `a funnel without a comparison has no change, and its interval stands beside its share`() throws {
        let html = page([try SampleResults.checkout(), SampleResults.indexing(of: "x")])
        #expect(html.contains(#"<td class="change open"></td>"#) && html.contains(#"<td class="share">22.3%</td>"#))
        #expect(html.contains(#"<td class="interval">(22.1 – 22.5%)</td>"#))
        #expect(html.contains(##"<th scope="row"><a href="#section-1"><bdi>Checkout</bdi></a></th>"##))
    }

    @Test(
        "the trend of a funnel is drawn as small as a word, broken where no share is known",
        arguments: [
            // The scale goes from 0 to the best share, however small the least is.
            ([(0, 4, 2), (1, 5, 4)], "M0 11.25 L120 3", "between 50.0% and 80.0%"),
            ([(0, 4, 2), (2, 5, 4)], "M0 11.25 M120 3", "between 50.0% and 80.0%"),
            ([(0, 10, 4), (1, 5, 4)], "M0 14 L120 3", "between 40.0% and 80.0%"),
            ([(0, 10, 1), (1, 5, 4)], "M0 22.25 L120 3", "between 10.0% and 80.0%"),
            ([(0, 4, 2), (1, 4, 2)], "M0 3 L120 3", "between 50.0% and 50.0%"),
        ])
    func sparklines(days: [(Int64, Int, Int)], path: String, label: String) throws {
        let trend = try TrendReportTests.report(days.map { (day: $0.0, entered: $0.1, converted: $0.2) })
        let html = page([try SampleResults.checkout(), trend])
        #expect(html.contains("aria-label=\"\(label)\""), "\(html)")
        #expect(html.contains("<path class=\"line\" d=\"\(path)\">"))
        // A trend is no line of its own, and no entry in the contents.
        #expect(!html.contains("aria-label=\"Contents\""))
    }

    @Test func `a trend of one day has no line`() throws {
        let html = page([try SampleResults.checkout(), try TrendReportTests.report([(0, 4, 2)])])
        #expect(html.contains(#"<td class="spark"></td>"#))
    }

    @Test func `a result that is no funnel stands in the contents with its first number, and findings lead to their section`() throws {
        let html = page([
            SampleResults.indexing(of: "x"), try ComparisonReportTests.comparison(own: [1000, 300], other: [1000, 500], isCovered: true),
        ])
        #expect(html.contains(##"<li><a href="#section-1"><bdi>Index</bdi></a><span class="figure">1</span></li>"##))
        #expect(html.contains(##"<p class="finding worse"><a href="#section-2"><bdi>Funnel</bdi></a>: Conversion fell by 20.0 points"##))
        #expect(MarkupPage(html).problems == [])
    }
}
