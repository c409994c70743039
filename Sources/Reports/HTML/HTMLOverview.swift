/// The first screen of a page of several results: a line each, and what holds of all of them.
struct HTMLOverview {
    let sections: [ReportSection]
    let zone: TimeZoneRules

    func write(to writer: inout HTMLWriter) {
        let lines = sections.indices.filter { sections[$0].headline != nil }
        if !lines.isEmpty {
            writer.element("table", ["class": "overview"], isBlock: true) { writer in
                writer.element("caption", ["class": "unseen"], words: "Each funnel in one line")
                writer.element("thead", ["class": "unseen"]) { writer in
                    writer.element("tr") { writer in
                        for heading in ["Funnel", "Conversion", "95% interval", "Change", "Trend"] {
                            writer.element("th", ["scope": "col"], words: heading)
                        }
                    }
                }
                writer.element("tbody") { writer in for place in lines { writeLine(place, to: &writer) } }
            }
        }
        for matter in ReportMatter.all(of: sections) {
            writer.finding(matter.finding) { writer in
                writer.element("a", ["href": "#section-\(matter.section + 1)"]) { $0.data(matter.title) }
                writer.words(": ")
            }
        }
        let others = sections.indices.filter { sections[$0].headline == nil && sections[$0].kind != "trend" }
        guard !others.isEmpty else { return }
        writer.element("nav", ["aria-label": "Contents"], isBlock: true) { writer in
            writer.element("ul") { writer in
                for place in others {
                    writer.element("li") { writer in
                        writer.element("a", ["href": "#section-\(place + 1)"]) { $0.data(sections[place].title) }
                        if let first = sections[place].highlights.first {
                            writer.element("span", ["class": "figure"]) { $0.value(first.value, in: zone) }
                        }
                    }
                }
            }
        }
    }

    private func writeLine(_ place: Int, to writer: inout HTMLWriter) {
        guard let headline = sections[place].headline else { return }
        writer.element("tr", isBlock: true) { writer in
            writer.element("th", ["scope": "row"]) { writer in
                writer.element("a", ["href": "#section-\(place + 1)"]) { $0.data(sections[place].title) }
            }
            writer.element("td", ["class": "share"]) { $0.value(.share(headline.share), in: zone) }
            writer.element("td", ["class": "interval"], words: headline.interval.map { "(\($0))" } ?? "")
            writer.element(
                "td", ["class": !headline.differenceHolds ? "change open" : (headline.difference ?? 0) < 0 ? "change less" : "change more"]
            ) { writer in
                if let difference = headline.difference {
                    // A change that chance makes, too, is no news.
                    writer.words("\(NumberFormat.points(difference)) points\(headline.differenceHolds ? "" : ", not claimed")")
                }
            }
            writer.element("td", ["class": "spark"]) { writer in
                if let points = trend(of: place) { Sparkline(points: points).write(to: &writer) }
            }
        }
    }

    /// The points of the trend that stands behind a funnel.
    private func trend(of place: Int) -> [Double?]? {
        guard sections.indices.contains(place + 1), sections[place + 1].kind == "trend" else { return nil }
        for figure in sections[place + 1].figures {
            if let chart = figure.chart as? LineChart { return chart.points.map { $0.isComplete ? $0.share : nil } }
        }
        return nil
    }
}

/// A line as small as a word: how a share went.
private struct Sparkline {
    let points: [Double?]

    private static let (width, height) = (120.0, 28.0)

    func write(to writer: inout HTMLWriter) {
        let known = points.compactMap(\.self)
        guard let least = known.min(), let most = known.max(), known.count > 1 else { return }
        // The scale begins at 0 where that costs little of the picture, so that a small change looks small.
        let floor = least > most / 2 ? 0 : least / 2
        var d = ""
        var isDrawing = false
        for (place, point) in points.enumerated() {
            guard let point else {
                isDrawing = false
                continue
            }
            let x = Self.width * Double(place) / Double(max(points.count - 1, 1))
            let y = Self.height - 3 - (most > floor ? (point - floor) / (most - floor) : 0) * (Self.height - 6)
            d += "\(isDrawing ? "L" : "M")\(SVGCanvas.number(x)) \(SVGCanvas.number(y)) "
            isDrawing = true
        }
        writer.element(
            "svg",
            [
                "class": "spark", "width": SVGCanvas.number(Self.width), "height": SVGCanvas.number(Self.height), "role": "img",
                "viewBox": "0 0 \(SVGCanvas.number(Self.width)) \(SVGCanvas.number(Self.height))", "focusable": "false",
                "aria-label": "between \(NumberFormat.percent(least)) and \(NumberFormat.percent(most))",
            ]
        ) { $0.element("path", ["class": "line", "d": d.isEmpty ? "M0 0" : String(d.dropLast())]) { _ in } }
    }
}
