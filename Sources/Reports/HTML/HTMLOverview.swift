import Funnels

/// The first screen of a page of several results: a line each, and what holds of all of them.
struct HTMLOverview {
    let sections: [ReportSection]
    let zone: TimeZoneRules

    var html: HTML {
        let matters = ReportMatter.all(of: sections).map { matter in
            HTML.finding(matter.finding, of: .all([link(to: matter.section), .words(": ")]))
        }
        return .all([table, .all(matters), contents])
    }

    private var table: HTML {
        let lines = sections.indices.compactMap(line)
        if lines.isEmpty { return .nothing }
        let heading = ["Funnel", "Conversion", "95% interval", "Change", "Trend"].map { HTML.element("th", ["scope": "col"], .words($0)) }
        return .element(
            "table", ["class": "overview"], isBlock: true, .element("caption", ["class": "unseen"], .words("Each funnel in one line")),
            .element("thead", ["class": "unseen"], .element("tr", .all(heading))), .element("tbody", .all(lines)))
    }

    /// Links to the results that have no line in the table: they are neither a share nor a trend.
    private var contents: HTML {
        let others = sections.indices.filter { sections[$0].headline == nil && sections[$0].kind != "trend" }
        if others.isEmpty { return .nothing }
        let items = others.map { index in
            let figure = sections[index].highlights.first.map { HTML.element("span", ["class": "figure"], .value($0.value, in: zone)) }
            return HTML.element("li", link(to: index), figure ?? .nothing)
        }
        return .element("nav", ["aria-label": "Contents"], isBlock: true, .element("ul", .all(items)))
    }

    private func link(to index: Int) -> HTML { .element("a", ["href": "#section-\(index + 1)"], .data(sections[index].title)) }

    private func line(_ index: Int) -> HTML? {
        guard let headline = sections[index].headline else { return nil }
        let kind = !headline.differenceHolds ? "change open" : (headline.difference ?? 0) < 0 ? "change less" : "change more"
        // A change that chance may have made is marked as not claimed.
        let change = headline.difference.map { "\(NumberFormat.points($0)) points\(headline.differenceHolds ? "" : ", not claimed")" }
        return .element(
            "tr", isBlock: true, .element("th", ["scope": "row"], link(to: index)),
            .element("td", ["class": "share"], .value(.share(headline.share.value), in: zone)),
            .element("td", ["class": "interval"], .words(headline.share.interval.map { "(\($0.shareText(dash: " – ")))" } ?? "")),
            .element("td", ["class": kind], .words(change ?? "")),
            .element("td", ["class": "spark"], trend(of: index).map(sparkline) ?? .nothing))
    }

    /// The shares of the trend that follows a funnel; those that are not complete are `nil`.
    private func trend(of index: Int) -> [Double?]? {
        guard sections.indices.contains(index + 1), sections[index + 1].kind == "trend" else { return nil }
        return sections[index + 1].figures.lazy.compactMap { $0.chart as? LineChart }.first?.points.map { $0.isComplete ? $0.share : nil }
    }

    /// A line as small as a word: how a share went.
    private func sparkline(_ points: [Double?]) -> HTML {
        let (width, height) = (120.0, 28.0)
        let known = points.compactMap(\.self)
        guard let least = known.min(), let most = known.max(), known.count > 1 else { return .nothing }
        let commands = points.enumerated().compactMap { index, point -> String? in
            guard let point else { return nil }
            let x = width * Double(index) / Double(max(points.count - 1, 1))
            // The scale begins at 0: half as large a share is half as high.
            let y = height - 3 - (most > 0 ? point / most : 0) * (height - 6)
            // Where a point is missing, the line begins anew.
            return "\(index > 0 && points[index - 1] != nil ? "L" : "M")\(SVGCanvas.number(x)) \(SVGCanvas.number(y))"
        }
        return .element(
            "svg",
            [
                "class": "spark", "width": SVGCanvas.number(width), "height": SVGCanvas.number(height), "role": "img",
                "viewBox": "0 0 \(SVGCanvas.number(width)) \(SVGCanvas.number(height))", "focusable": "false",
                "aria-label": "between \(NumberFormat.percent(least)) and \(NumberFormat.percent(most))",
            ], .element("path", ["class": "line", "d": commands.joined(separator: " ")]))
    }
}
