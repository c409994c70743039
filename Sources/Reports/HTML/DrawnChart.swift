/// A chart as it is drawn in a page.
protocol DrawnChart {
    /// In CSS pixels.
    var height: Double { get }
    /// What the picture shows, for those who do not see it; words of ours.
    var summary: String { get }
    /// Whether a narrow page has no room for it: there it is moved sideways instead of squeezed.
    var isWide: Bool { get }
    func draw(on canvas: inout SVGCanvas)
}

extension DrawnChart {
    var isWide: Bool { false }
}

extension ReportChart {
    var drawn: any DrawnChart {
        switch self {
        case .funnel(let chart): chart
        case .bars(let chart): chart
        case .histogram(let chart): chart
        case .ranges(let chart): chart
        case .line(let chart): chart
        case .flow(let chart): chart
        case .heat(let chart): chart
        }
    }
}
