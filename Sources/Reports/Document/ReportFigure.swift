/// A table, and the picture of it where one says more.
public struct ReportFigure: Sendable {
    /// Looptrail's own words.
    public let title: String
    var chart: (any ReportChart)?
    public let table: ReportTable
}
