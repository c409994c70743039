import Funnels
import Reports
import TrackingEvents

/// The page that the demo leaves beside its events, as `looptrail report --every day` writes it.
struct DemoReport {
    static let fileName = "report.html"

    private let unit = CalendarUnit.day
    private let zone: TimeZoneRules

    init(zone: TimeZoneRules) { self.zone = zone }

    /// The day of a start.
    var period: (Int64) -> Range<Int64> { { [unit, zone] in unit.period(of: $0, in: zone) } }

    /// The page: each funnel, its conversion day by day, and which events there are.
    func bytes(of overview: FunnelRun.Overview) -> [UInt8] {
        var results: [any Reportable] = []
        for (result, trend) in zip(overview.results, overview.trends) {
            results.append(result)
            results.append(FunnelTrendResult(trend, every: unit, in: zone))
        }
        results.append(overview.catalogue)
        return HTMLReport(zone: zone).bytes(of: ReportDocument(title: "Shop demo", results: results))
    }

    /// Writes the page, in place of that of an earlier run.
    func write(_ overview: FunnelRun.Overview, to path: String) throws(OutputError) {
        try OutputFile.write(bytes(of: overview), to: path, random: SeededRandom())
    }
}
