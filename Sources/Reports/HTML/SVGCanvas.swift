/// A picture as wide as the page lets it be: x is a share of the width, 0…1, y is in CSS pixels.
///
/// So texts keep their size and bars their thickness on any screen. In a picture that is scaled as a whole they would not.
struct SVGCanvas {
    enum Anchor: String { case start, middle, end }

    private(set) var html = HTML.nothing

    /// - Parameter strength: how opaque its colour is, 0…1; `nil` leaves that to the style of its `kind`, which is CSS classes.
    mutating func rectangle(
        x: Double, y: Double, width: Double, inPixels: Bool = false, height: Double, kind: String, strength: Double? = nil,
        hint: String? = nil
    ) {
        html += .element(
            "rect",
            [
                "x": Self.percent(x), "y": Self.number(y), "width": inPixels ? Self.number(width) : Self.percent(width),
                "height": Self.number(height), "class": kind, "fill-opacity": strength.map(Self.number),
            ], hint.map { .element("title", .words($0)) } ?? .nothing)
    }

    /// A short line that looks like those of ``paths(height:_:)``, for a legend.
    mutating func sample(x: Double, y: Double, width: Double, kind: String) {
        html += .element(
            "svg", ["x": Self.percent(x), "y": Self.number(y - 4), "width": Self.number(width), "height": "8"],
            .element("line", ["x1": "0", "y1": "4", "x2": Self.number(width), "y2": "4", "class": kind]))
    }

    mutating func line(x1: Double, y1: Double, x2: Double, y2: Double, kind: String) {
        html += .element(
            "line", ["x1": Self.percent(x1), "y1": Self.number(y1), "x2": Self.percent(x2), "y2": Self.number(y2), "class": kind])
    }

    mutating func dot(x: Double, y: Double, radius: Double, kind: String, hint: String) {
        html += .element(
            "circle", ["cx": Self.percent(x), "cy": Self.number(y), "r": Self.number(radius), "class": kind],
            .element("title", .words(hint)))
    }

    /// Looptrail's own words.
    mutating func text(_ text: String, x: Double, y: Double, shift: Double = 0, anchor: Anchor = .start, kind: String = "") {
        html += .element(
            "text", ["x": Self.percent(x), "y": Self.number(y), "dx": Self.number(shift), "text-anchor": anchor.rawValue, "class": kind],
            .words(text))
    }

    /// Looptrail's own words at the right edge, the last of them strong.
    mutating func text(_ text: String, strong: String, y: Double) {
        html += .element(
            "text", ["x": "100%", "y": Self.number(y), "text-anchor": "end", "class": "value"], .words(text),
            .element("tspan", ["class": "strong"], .words(strong)))
    }

    /// A text from data, cut to the columns that a wide and a narrow page have room for; the whole text is its hint.
    mutating func name(_ name: String, prefix: String = "", x: Double, y: Double, shift: Double = 0, wide: Int, narrow: Int) {
        let whole = TerminalText.visible(name)
        let cuts = [wide, narrow].map { TerminalText.cut(whole, to: $0) }
        for (cut, kind) in cuts[0] == cuts[1] ? [(cuts[0], "name")] : [(cuts[0], "name wide"), (cuts[1], "name narrow")] {
            html += .element(
                "text", ["x": Self.percent(x), "y": Self.number(y), "dx": Self.number(shift), "class": kind],
                cut == whole ? .nothing : .element("title", .isolated(whole)), .words(prefix), .isolated(cut))
        }
    }

    /// Lines and areas, in an inner picture that is stretched to the whole width: in it, x goes from 0 to 1000.
    mutating func paths(height: Double, _ paths: [(d: String, kind: String)]) {
        html += .element(
            "svg",
            ["width": "100%", "height": Self.number(height), "viewBox": "0 0 1000 \(Self.number(height))", "preserveAspectRatio": "none"],
            .all(paths.map { .element("path", ["d": $0.d, "class": $0.kind]) }))
    }

    static func point(_ x: Double, _ y: Double) -> String { "\(number(x * 1000)) \(number(y))" }

    static func percent(_ share: Double) -> String { number(share * 100) + "%" }

    /// A number with three digits behind the point at most: the same text on every machine.
    static func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "0" }
        return NumberFormat.plain((value * 1000).rounded() / 1000)
    }
}
