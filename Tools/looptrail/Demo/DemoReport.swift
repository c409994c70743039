import EventFiles
import Funnels
import Reports
import TrackingEvents

/// The page that the demo leaves beside its events, as `looptrail report --every day` writes it.
struct DemoReport {
    static let fileName = "report.html"
    static let explorerName = "explore.html"

    private let unit = CalendarUnit.day
    private let zone: TimeZoneRules

    init(zone: TimeZoneRules) { self.zone = zone }

    /// The day of a start.
    var period: (Int64) -> Range<Int64> { { [unit, zone] in unit.period(of: $0, in: zone) } }

    /// The funnel, its conversion day by day, whom the checkout loses, and which events there are.
    func document(of overview: FunnelRun.Overview) -> ReportDocument {
        var results: [any Reportable] = []
        for (index, result) in overview.results.enumerated() {
            results.append(result)
            if index == 0 { results.append(FunnelTrendResult(overview.trends[index], every: unit, in: zone)) }
        }
        return ReportDocument(title: "Shop demo", results: results + [overview.catalogue])
    }

    /// Writes the page that answers funnels while one changes them, in place of that of an earlier run; it begins with the demo's funnel.
    func writeExplorer(of events: String, threads: Int, to path: String) throws {
        let reader = try EventFileReader(paths: [events])
        var definition = ExploreDefinition()
        definition.days = unit.periods(in: zone)
        let (payload, _) = try definition.answer(reading: reader, threads: threads)
        var checkout = SavedFunnel(name: "Checkout", steps: try FunnelStep.parse(DemoFunnel.steps))
        checkout.window = DemoFunnel.windowMilliseconds
        let page = ExplorePage(payload, in: zone, from: [events], steps: nil, funnels: [checkout])
        try OutputFile.write(page.bytes, to: path, random: SeededRandom())
    }

    /// Writes the page, in place of that of an earlier run.
    func write(_ overview: FunnelRun.Overview, to path: String) throws(OutputError) {
        try OutputFile.write(HTMLReport(zone: zone).bytes(of: document(of: overview)), to: path, random: SeededRandom())
    }
}
