import Basics

struct HTMLSection {
    let section: ReportSection
    /// 1 for the first; makes the ids of elements unique in the page.
    let ordinal: Int
    /// Whether it is alone on the page: then the page's heading is also that of the section.
    let isAlone: Bool
    let zone: TimeZoneRules

    /// A table of more rows than this is set closer, so that what follows is not out of sight.
    private static let manyRows = 12
    /// A table of more rows than this scrolls by itself.
    private static let mostRows = 60
    /// A table of more columns than this is wider than the text.
    private static let manyColumns = 9

    var html: HTML {
        // Of several results on a page, the definitions and inputs stand once at its end.
        let footer = HTML.blocks(
            "footer", .facts("h2", .words("Definition"), section.definition, in: zone),
            .facts("h2", .words("Input"), section.quality, in: zone))
        return .blocks(
            "section", ["id": "section-\(ordinal)", "class": "kind-\(section.kind)"],
            isAlone ? .nothing : .element("h2", isBlock: true, .data(section.title)),
            section.highlights.isEmpty ? .nothing : .list(section.highlights, in: zone, kind: "highlights", isBlock: true),
            .all(section.remarks.map { .element("p", ["class": "remark"], isBlock: true, .sentence($0)) }),
            .all(section.findings.map { .finding($0) }), .all(section.figures.enumerated().map { figure($1, number: $0 + 1) }),
            isAlone ? footer : .nothing)
    }

    private func figure(_ figure: ReportFigure, number: Int) -> HTML {
        // A wide table takes the page's whole width, so that nothing of it is out of sight.
        let isWide = figure.table.shownColumns(for: .page).count > Self.manyColumns
        let table = table(figure.table, below: figure.title)
        // On a long page one reads the pictures; the numbers of each are one click away.
        let rows = figure.table.rows.count
        let isFolded = !isAlone && figure.chart != nil && rows > Self.manyRows
        let summary = HTML.element("summary", .words("\(GroupedNumber.counted(rows, "row")) as a table"))
        return .element(
            "figure", ["class": isWide ? "wide" : nil], isBlock: true,
            .element("figcaption", isBlock: true, .element(isAlone ? "h2" : "h3", .words(figure.title))),
            figure.chart.map { picture($0, title: figure.title, id: "chart-\(ordinal)-\(number)") } ?? .nothing,
            isFolded ? .element("details", isBlock: true, summary, table) : table)
    }

    private func picture(_ chart: any ReportChart, title: String, id: String) -> HTML {
        var canvas = SVGCanvas()
        chart.draw(on: &canvas)
        let picture = HTML.element(
            "svg",
            [
                "role": "img", "aria-labelledby": "\(id)-title \(id)-text", "class": "chart", "width": "100%",
                "height": SVGCanvas.number(chart.height), "focusable": "false",
            ], isBlock: true, .element("title", ["id": "\(id)-title"], .words(title)),
            .element("desc", ["id": "\(id)-text"], .words(chart.summary)), canvas.html)
        return chart.isWide ? scrolled("scroll wide-chart", title, picture) : picture
    }

    /// What is wider than the page scrolls by itself, by keyboard too.
    private func scrolled(_ kind: String, _ label: String, _ inside: HTML) -> HTML {
        .element("div", ["class": kind, "tabindex": "0", "role": "region", "aria-label": label], isBlock: true, inside)
    }

    private func table(_ table: ReportTable, below title: String) -> HTML {
        if table.rows.isEmpty { return .element("p", ["class": "remark"], isBlock: true, .words("None.")) }
        let columns = table.shownColumns(for: .page)
        let kinds = table.columns.indices.map { table.isNumeric($0) ? "number" : table.holdsData($0) ? "data" : "words" }
        let heading = columns.map { HTML.element("th", ["scope": "col", "class": kinds[$0]], .words(table.heading($0, in: zone))) }
        let rows = table.rows.map { row in
            let cells = columns.map { HTML.element("td", ["class": kinds[$0]], .value(row[$0], in: zone)) }
            return HTML.element("tr", isBlock: true, .all(cells))
        }
        return scrolled(
            rows.count > Self.mostRows ? "scroll long" : "scroll", table.caption,
            .element(
                "table", ["class": rows.count > Self.manyRows ? "dense" : nil],
                .element("caption", ["class": table.caption == title ? "unseen" : nil], .words(table.caption)),
                .element("thead", .element("tr", .all(heading))), .markup("\n"), .element("tbody", .all(rows))))
    }
}
