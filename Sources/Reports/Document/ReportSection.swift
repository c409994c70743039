/// One result laid out for reading: what it is, its numbers, and how they came about.
public struct ReportSection: Sendable {
    /// What kind of result it is, in one of Looptrail's own words: `funnel`.
    public let kind: String
    /// From data or people.
    public let title: String
    /// The time that the data is of, in milliseconds since 1970 UTC; `nil` where nothing was read.
    public var period: ClosedRange<Int64>?
    /// The few numbers that one remembers, the most important first.
    public var highlights: [ReportFact] = []
    /// The result in one line; `nil` where it is no share.
    public var headline: ReportHeadline?
    /// Looptrail's own sentences on the numbers. Texts from data in a remark are isolated, and their acting characters are spelled out.
    public var remarks: [String] = []
    /// What can be said of differences, the surest first.
    public var findings: [ReportFinding] = []
    // Each is made when it is read: few formats need both.
    var makeRecords: @Sendable () -> ReportTable
    var makeFigures: @Sendable () -> [ReportFigure]
    /// The rows for a spreadsheet or a program, all of one kind; made anew at each reading.
    public var records: ReportTable { makeRecords() }
    /// Made anew at each reading.
    public var figures: [ReportFigure] { makeFigures() }
    /// What exactly was counted; empty where there is nothing to choose.
    public var definition: [ReportFact] = []
    /// How much was read and what was wrong with it.
    public var quality: [ReportFact]

    /// The columns' keys where columns `kind` and `report` stand in front: a key of the same name gets this section's kind before it.
    func sharedKeys(of records: ReportTable) -> [String] {
        records.columns.map { ["kind", "report"].contains($0.key) ? "\(kind)_\($0.key)" : $0.key }
    }

    /// `2026-01-01 – 2026-01-15 UTC`.
    func period(in zone: TimeZoneRules) -> String? {
        period.map { "\(DateFormat.day($0.lowerBound, in: zone)) – \(DateFormat.day($0.upperBound, in: zone)) \(zone.name)" }
    }
}
