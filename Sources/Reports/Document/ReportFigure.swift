/// A table, and the picture of it where one says more.
public struct ReportFigure: Sendable {
    /// Looptrail's own words.
    public let title: String
    let chart: (any ReportChart)?
    public let table: ReportTable

    init(_ title: String, chart: (any ReportChart)? = nil, table: ReportTable) {
        self.title = title
        self.chart = chart
        self.table = table
    }
}
