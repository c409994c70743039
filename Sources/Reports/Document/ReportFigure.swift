/// A table, and the picture of it where one says more.
public struct ReportFigure: Sendable {
    /// Words of ours.
    public let title: String
    public let chart: ReportChart?
    public let table: ReportTable

    public init(_ title: String, chart: ReportChart? = nil, table: ReportTable) {
        self.title = title
        self.chart = chart
        self.table = table
    }
}

/// The kinds of picture. Each is drawn from plain numbers and texts and knows nothing of results.
public enum ReportChart: Sendable, Hashable {
    case funnel(FunnelChart)
    case bars(BarChart)
    case histogram(HistogramChart)
    case ranges(RangeChart)
    case line(LineChart)
    case flow(FlowChart)
    case heat(HeatChart)
}
