import Foundation
import Testing

@testable import Funnels
@testable import Reports

@Suite("Pages")
struct HTMLReportTests {
    private func checkout() throws -> String { HTMLReport().text(of: try SampleResults.checkout()) }

    @Test func `a page says its language, its encoding, its policy and its title`() throws {
        let html = try checkout()
        #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"))
        #expect(
            html.contains(
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;\">"))
        #expect(html.contains("<title>Checkout</title>") && html.hasSuffix("</body>\n</html>\n"))
        #expect(MarkupPage(html).problems == [])
    }

    @Test func `a page asks for nothing from outside and runs nothing`() throws {
        let page = MarkupPage(HTMLReport().text(of: ReportDocument(title: "All", results: try SampleResults.results(named: "x"))))
        #expect(page.problems == [])
        let elements = Set(page.elements)
        #expect(elements.isDisjoint(with: ["link", "img", "iframe", "object", "embed", "form", "video", "audio", "base", "image", "use"]))
        #expect(page.elements.count { $0 == "script" } == 1)
        #expect(!page.attributes.contains { $0.hasPrefix("on") || $0 == "src" || $0 == "style" })
        #expect(page.values["href", default: []].allSatisfy { $0.hasPrefix("#") })
        #expect(page.values["type"] == ["application/json"])
        let style = try #require(checkout().split(separator: "<style>").last?.split(separator: "</style>").first)
        #expect(!style.contains("url(") && !style.contains("@import") && !style.contains("</"))
        #expect(style.contains("prefers-color-scheme: dark") && style.contains("@media print"))
    }

    @Test func `every picture has a name and a description, and every id is there once`() throws {
        let page = MarkupPage(HTMLReport().text(of: ReportDocument(title: "All", results: try SampleResults.results(named: "x"))))
        let ids = page.values["id", default: []]
        #expect(Set(ids).count == ids.count)
        let labels = page.values["aria-labelledby", default: []]
        #expect(labels.count == 3 && page.values["role", default: []].count { $0 == "img" } == 3)
        for label in labels { #expect(label.split(separator: " ").allSatisfy { ids.contains(String($0)) }) }
        #expect(page.elements.count { $0 == "desc" } == 3)
    }

    @Test func `under each picture there is a table with a caption and headings`() throws {
        let page = MarkupPage(try checkout())
        #expect(page.elements.count { $0 == "table" } == 2 && page.elements.count { $0 == "caption" } == 2)
        let svg = try #require(page.elements.firstIndex(of: "svg"))
        let table = try #require(page.elements.firstIndex(of: "table"))
        #expect(svg < table)
        #expect(page.values["scope", default: []].count == 9 + 5)
        let html = try checkout()
        #expect(html.contains("<td class=\"number\">144,746</td><td class=\"number\">89.9%</td><td class=\"words\">89.8–90.1%</td>"))
    }

    @Test func `the definition and the input stand at the foot`() throws {
        let html = try checkout()
        let foot = try #require(html.range(of: "<footer>")).lowerBound
        let table = try #require(html.range(of: "</table>")).lowerBound
        #expect(table < foot)
        #expect(html[foot...].contains("<dt>Window</dt><dd>1h from step 1, inclusive</dd>"))
        #expect(html[foot...].contains("<dt>Events</dt><dd>10,000,000</dd>"))
    }

    @Test func `what is wrong with the input stands out, and what is not wrong does not`() throws {
        var input = InputQuality()
        (input.badLines, input.duplicates) = (3, 2)
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a"))
        let html = HTMLReport().text(of: SampleResults.funnel(definition, counts: [1], input: input))
        #expect(html.contains("<dt>Bad lines</dt><dd class=\"alarm\">3</dd>") && html.contains("<dt>Duplicates</dt><dd>2</dd>"))
        #expect(html.components(separatedBy: "class=\"alarm\"").count == 2)
    }

    @Test func `times are by the clocks of the zone that is asked for, and say so`() throws {
        let here = TimeZoneRules(name: "Here/There", .init(offsets: [3600]))
        let html = HTMLReport(zone: here).text(of: try SampleResults.results(named: "x")[1])
        #expect(html.contains(">First seen (\(here.name))</th>") && html.contains(">1970-01-01 01:00:00</td>"))
        #expect(html.contains("<dd>1970-01-01 01:00:00 \(here.name)</dd>"))
    }

    @Test func `several results are listed above and are sections with headings below the page's`() throws {
        let results = try SampleResults.results(named: "x")
        let html = HTMLReport().text(of: ReportDocument(title: "All of it", results: results + [results[0]]))
        #expect(html.contains("<h1><bdi>All of it</bdi></h1>"))
        #expect(html.contains("<a href=\"#section-2\"><bdi>Events</bdi></a>") && html.contains("<section id=\"section-2\""))
        #expect(html.contains("<a href=\"#section-1\"><bdi>x</bdi></a>"))
        // Each input stands once, at the end: that of both funnels, without the property, and that of the events, without a user.
        #expect(html.components(separatedBy: "<dt>First event</dt>").count == 3)
        let counted = try #require(html.range(of: "<section id=\"counted\""))
        #expect(!html[..<counted.lowerBound].contains("<dt>Counted by</dt>") && html[counted.lowerBound...].contains("<dt>Counted by</dt>"))
        let alone = try checkout()
        #expect(!alone.contains("<nav") && alone.contains("<h1><bdi>Checkout</bdi></h1>") && !alone.contains("<h3>"))
    }

    @Test func `the first screen has a line for each funnel, with its interval, its change and how it went`() throws {
        let result = try SampleResults.checkout()
        let html = HTMLReport().text(
            of: ReportDocument(
                title: "t",
                results: [
                    result, try TrendReportTests.report([(0, 4, 2), (1, 3, 3)], name: "x"), try ComparisonReportTests.comparison(name: "x"),
                ]))
        let end = try #require(html.range(of: "</header>"))
        let screen = html[..<end.lowerBound]
        #expect(screen.contains("<td class=\"share\">22.3%</td>"))
        #expect(screen.contains("<td class=\"interval\">(22.1 – 22.5%)</td>"))
        #expect(screen.contains(" points</td>") || screen.contains(" points, not claimed</td>"))
        #expect(screen.contains("class=\"spark\""))
    }

    @Test func `a page without entries and without events is sound`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"))
        let empty = EventCatalogue(entries: [], metaLines: 0, timingLines: 0, input: InputQuality())
        let page = MarkupPage(
            HTMLReport().text(of: ReportDocument(title: "t", results: [SampleResults.funnel(definition, counts: [0, 0]), empty])))
        #expect(page.problems == [] && !page.elements.contains("svg"))
    }

    @Test func `no page has nan or inf in place of a number`() throws {
        let html = try checkout()
        #expect(!html.contains("nan") && !html.contains("inf%"))
    }
}
