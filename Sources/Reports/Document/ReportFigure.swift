/// A table, and the picture of it where one says more.
public struct ReportFigure: Sendable {
    /// Words of ours.
    public let title: String
    let chart: (any ReportChart)?
    public let table: ReportTable

    public init(_ title: String, table: ReportTable) { self.init(title, chart: nil, table: table) }

    init(_ title: String, chart: (any ReportChart)?, table: ReportTable) {
        self.title = title
        self.chart = chart
        self.table = table
    }
}
