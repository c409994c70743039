import Basics

/// One result's part of a page.
struct HTMLSection {
    let section: ReportSection
    /// 1 for the first; makes what is named in the page unique.
    let place: Int
    /// Whether it is the page: then the page's heading is its own.
    let isAlone: Bool
    let zone: TimeZoneRules

    /// A table of more rows than this is set closer, so that what follows is not out of sight.
    private static let manyRows = 12
    /// A table of more rows than this scrolls by itself.
    private static let mostRows = 60
    /// A table of more columns than this is wider than the text.
    private static let manyColumns = 9

    func write(to writer: inout HTMLWriter) {
        writer.blocks("section", ["id": "section-\(place)", "class": "kind-\(section.kind)"]) { writer in
            if !isAlone { writer.element("h2", isBlock: true) { $0.data(section.title) } }
            if !section.highlights.isEmpty { writer.list(section.highlights, in: zone, kind: "highlights", isBlock: true) }
            for remark in section.remarks { writer.element("p", ["class": "remark"], isBlock: true, words: remark) }
            for finding in section.findings { writer.finding(finding) }
            for (number, figure) in section.figures.enumerated() { write(figure, number: number + 1, to: &writer) }
            // Of several results on a page, these stand once at its end.
            guard isAlone else { return }
            writer.blocks("footer") { writer in
                writer.facts("h2", { $0.words("Definition") }, section.definition, in: zone)
                writer.facts("h2", { $0.words("Input") }, section.quality, in: zone)
            }
        }
    }

    private func write(_ figure: ReportFigure, number: Int, to writer: inout HTMLWriter) {
        // A wide table takes the page's whole width, so that nothing of it is out of sight.
        let isWide = figure.table.shownColumns(for: .page).count > Self.manyColumns
        writer.element("figure", ["class": isWide ? "wide" : nil], isBlock: true) { writer in
            writer.element("figcaption", isBlock: true) { $0.element(isAlone ? "h2" : "h3", words: figure.title) }
            if let chart = figure.chart { write(chart, title: figure.title, id: "chart-\(place)-\(number)", to: &writer) }
            // Of a long page one reads the pictures; the numbers of each are one click away.
            if !isAlone, figure.chart != nil, figure.table.rows.count > Self.manyRows {
                writer.element("details", isBlock: true) { writer in
                    writer.element("summary", words: "\(GroupedNumber.counted(figure.table.rows.count, "row")) as a table")
                    write(figure.table, below: figure.title, to: &writer)
                }
            } else {
                write(figure.table, below: figure.title, to: &writer)
            }
        }
    }

    private func write(_ chart: any ReportChart, title: String, id: String, to writer: inout HTMLWriter) {
        guard chart.isWide else { return writePicture(chart, title: title, id: id, to: &writer) }
        writer.element("div", ["class": "scroll wide-chart", "tabindex": "0", "role": "region", "aria-label": title], isBlock: true) {
            writePicture(chart, title: title, id: id, to: &$0)
        }
    }

    private func writePicture(_ chart: any ReportChart, title: String, id: String, to writer: inout HTMLWriter) {
        var canvas = SVGCanvas()
        chart.draw(on: &canvas)
        let height = SVGCanvas.number(chart.height)
        writer.element(
            "svg",
            [
                "role": "img", "aria-labelledby": "\(id)-title \(id)-text", "class": "chart", "width": "100%", "height": height,
                "focusable": "false",
            ], isBlock: true
        ) { writer in
            writer.element("title", ["id": "\(id)-title"], words: title)
            writer.element("desc", ["id": "\(id)-text"], words: chart.summary)
            writer.append(canvas.writer)
        }
    }

    private func write(_ table: ReportTable, below title: String, to writer: inout HTMLWriter) {
        let columns = table.shownColumns(for: .page)
        if table.rows.isEmpty { return writer.element("p", ["class": "remark"], isBlock: true, words: "None.") }
        let kinds = table.columns.indices.map { table.isNumeric($0) ? "number" : table.holdsData($0) ? "data" : "words" }
        // A table that is wider than the page is moved by itself, by keyboard too.
        let kind = table.rows.count > Self.mostRows ? "scroll long" : "scroll"
        writer.element("div", ["class": kind, "tabindex": "0", "role": "region", "aria-label": table.caption], isBlock: true) { writer in
            writer.element("table", ["class": table.rows.count > Self.manyRows ? "dense" : nil]) { writer in
                writer.element("caption", ["class": table.caption == title ? "unseen" : nil], words: table.caption)
                writer.element("thead") { writer in
                    writer.element("tr") { writer in
                        for column in columns {
                            writer.element("th", ["scope": "col", "class": kinds[column]], words: table.heading(column, in: zone))
                        }
                    }
                }
                writer.markup("\n")
                writer.element("tbody") { writer in
                    for row in table.rows {
                        writer.element("tr", isBlock: true) { writer in
                            for column in columns {
                                writer.element("td", ["class": kinds[column]]) { $0.value(row[column], in: zone) }
                            }
                        }
                    }
                }
            }
        }
    }
}
