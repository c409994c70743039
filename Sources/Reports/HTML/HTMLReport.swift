import CPages

/// A page to open in a meeting: one file that needs nothing else, no script and no network.
///
/// Charts are inline SVG with a table under each. The page follows the reader's choice of light or dark, and can be printed. Its
/// `Content-Security-Policy` forbids everything but its own style. The JSON report lies in the page as data.
public struct HTMLReport: ReportFormat {
    /// The time zone in which times are shown.
    public let zone: TimeZoneRules

    public init(zone: TimeZoneRules = .utc) { self.zone = zone }

    public var name: String { "html" }
    public var fileExtensions: [String] { ["html", "htm"] }

    public func bytes(of document: ReportDocument) -> [UInt8] {
        var sections = document.results.map(\.section)
        // An overview reads the figures of a trend, too: they are made once.
        for index in sections.indices { sections[index].makeFigures = { [figures = sections[index].figures] in figures } }
        let title = document.title ?? sections.first?.title ?? "Report"
        let isAlone = document.title == nil
        let parts = sections.enumerated().map { HTMLSection(section: $1, ordinal: $0 + 1, isAlone: isAlone, zone: zone).html }
        let page = HTML.blocks(
            "html", ["lang": "en"], head(title),
            .blocks(
                "body", top(title, sections, isAlone: isAlone), .blocks("main", .all(parts), isAlone ? .nothing : ending(sections)),
                .element("script", ["type": "application/json", "id": "report"], isBlock: true, .json(JSONReport().text(of: document)))))
        return Array("<!DOCTYPE html>\n\(page.text)".utf8)
    }

    private func head(_ title: String) -> HTML {
        .blocks(
            "head",
            .markup(
                """
                <meta charset="utf-8">
                <meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">

                """), .element("title", isBlock: true, .isolated(title)), .blocks("style", .markup(page_report_style())))
    }

    private func top(_ title: String, _ sections: [ReportSection], isAlone: Bool) -> HTML {
        // Several funnels over the same files have one period.
        let periods = Set(sections.compactMap { $0.period(in: zone) })
        let period = periods.count == 1 ? periods.map { HTML.element("p", ["class": "period"], .words($0)) } : []
        let hasOverview = !isAlone && sections.count > 1
        let overview = hasOverview ? HTML.all([.markup("\n"), HTMLOverview(sections: sections, zone: zone).html]) : .nothing
        return .element("header", isBlock: true, .element("h1", .data(title)), .all(period), overview)
    }

    /// How each of several results was counted, and what was read, each input once.
    private func ending(_ sections: [ReportSection]) -> HTML {
        // A trend counts as the funnel before it does.
        let counted = sections.filter { $0.kind != "trend" }.map { HTML.facts("h3", .data($0.title), $0.definition, in: zone) }
        // Several results of the same files have one input.
        let inputs = sections.indices.filter { index in !sections[..<index].contains { $0.quality == sections[index].quality } }
        let read = inputs.map { index in
            let title = index == inputs.first ? "Input" : "Input of \(sections[index].kind)"
            return HTML.facts("h3", .words(title), sections[index].quality, in: zone)
        }
        return .blocks(
            "section", ["id": "counted", "class": "kind-ending"], .element("h2", isBlock: true, .words("How it was counted")),
            .blocks("footer", .all(counted + read)))
    }
}
