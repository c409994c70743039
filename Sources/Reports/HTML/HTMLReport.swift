import CPages

/// A page to open in a meeting: one file that needs nothing else, no script and no network.
///
/// Charts are inline SVG with a table under each. The page follows the reader's choice of light or dark and prints. Its
/// `Content-Security-Policy` forbids everything but its own style, and the JSON report lies in it as data.
public struct HTMLReport: ReportFormat {
    /// Whose clocks times are shown by.
    public let zone: TimeZoneRules

    public init(zone: TimeZoneRules = .utc) { self.zone = zone }

    public var name: String { "html" }
    public var fileExtensions: [String] { ["html", "htm"] }

    public func bytes(of document: ReportDocument) -> [UInt8] {
        let sections = document.results.map(\.section)
        let title = document.title ?? sections.first?.title ?? "Report"
        var writer = HTMLWriter()
        writer.markup("<!DOCTYPE html>\n")
        writer.blocks("html", ["lang": "en"]) { writer in
            writer.blocks("head") { writeHead(title, to: &$0) }
            writer.blocks("body") { writer in
                writeTop(title, sections, of: document, to: &writer)
                writer.blocks("main") { writer in
                    for (place, section) in sections.enumerated() {
                        HTMLSection(section: section, place: place + 1, isAlone: document.title == nil, zone: zone).write(to: &writer)
                    }
                    if document.title != nil { writeEnding(sections, to: &writer) }
                }
                writer.element("script", ["type": "application/json", "id": "report"], isBlock: true) { writer in
                    writer.json(JSONReport().text(of: document))
                }
            }
        }
        return Array(writer.html.utf8)
    }

    private func writeHead(_ title: String, to writer: inout HTMLWriter) {
        writer.markup(
            """
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">

            """)
        writer.element("title", isBlock: true) { $0.isolated(title) }
        writer.blocks("style") { $0.markup(page_report_style()) }
    }

    private func writeTop(_ title: String, _ sections: [ReportSection], of document: ReportDocument, to writer: inout HTMLWriter) {
        writer.element("header", isBlock: true) { writer in
            writer.element("h1") { $0.data(title) }
            // The periods of several funnels over the same files are one.
            let periods = sections.compactMap { $0.period(in: zone) }
            if let period = periods.first, periods.allSatisfy({ $0 == period }) {
                writer.element("p", ["class": "period"], words: period)
            }
            guard document.title != nil, sections.count > 1 else { return }
            writer.markup("\n")
            HTMLOverview(sections: sections, zone: zone).write(to: &writer)
        }
    }

    /// How each of several results was counted, and once what was read.
    private func writeEnding(_ sections: [ReportSection], to writer: inout HTMLWriter) {
        writer.blocks("section", ["id": "counted", "class": "kind-ending"]) { writer in
            writer.element("h2", isBlock: true, words: "How it was counted")
            writer.blocks("footer") { writer in
                // A trend counts as the funnel before it does.
                for section in sections where section.kind != "trend" {
                    writer.facts("h3", { $0.data(section.title) }, section.definition, in: zone)
                }
                // Several results of the same files have one input.
                var written: [[ReportFact]] = []
                for section in sections where !written.contains(section.quality) {
                    let title = written.isEmpty ? "Input" : "Input of \(section.kind)"
                    writer.facts("h3", { $0.words(title) }, section.quality, in: zone)
                    written.append(section.quality)
                }
            }
        }
    }
}
