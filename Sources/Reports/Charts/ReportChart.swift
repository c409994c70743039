/// A picture of a table, made of plain numbers and texts; it knows nothing of results.
///
/// A new kind of chart is one conformance in one file of `Charts/`.
protocol ReportChart: Sendable {
    /// In CSS pixels.
    var height: Double { get }
    /// What the picture shows, for those who do not see it, in Looptrail's own words.
    var summary: String { get }
    /// Whether a narrow page has no room for it: there it scrolls sideways instead of being squeezed.
    var isWide: Bool { get }
    /// The lengths of its bars, 0…1, one a row of the table, for formats that draw bars beside rows; `nil` of other charts.
    var rowShares: [Double]? { get }
    /// Whether its table has many rows that few want, which are folded away where a format can.
    var hasLongTable: Bool { get }
    func draw(on canvas: inout SVGCanvas)
}

extension ReportChart {
    var isWide: Bool { false }
    var rowShares: [Double]? { nil }
    var hasLongTable: Bool { false }
}
