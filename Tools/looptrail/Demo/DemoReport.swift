import EventFiles
import Funnels
import Reports
import ShopDemo
import TrackingEvents

/// The page that the demo leaves beside its events: what `looptrail report --every day` writes, and the releases as marks.
struct DemoReport {
    static let fileName = "report.html"
    static let explorerName = "explore.html"

    private let unit = CalendarUnit.day
    private let zone: TimeZoneRules

    init(zone: TimeZoneRules) { self.zone = zone }

    /// Marks of the days on which versions came out.
    private var marks: [FunnelTrendResult.Mark] {
        ShopRelease.all.dropFirst().map { FunnelTrendResult.Mark(at: period($0.time).lowerBound, $0.version) }
    }

    /// Gives the day of a time.
    var period: (Int64) -> Range<Int64> { { [unit, zone] in unit.period(of: $0, in: zone) } }

    /// The funnel of the checkout and that of its payment, each followed by its conversion day by day, and the events.
    ///
    /// - Parameter overview: the answers to ``DemoFunnel/all()``.
    func document(of overview: FunnelRun.Overview) -> ReportDocument {
        let (results, trends) = (overview.results, overview.trends)
        let checkout = FunnelTrendResult(trends[0], every: unit, in: zone)
        let payment = FunnelTrendResult(trends[2], every: unit, in: zone, marks: marks, drop: TrendFlags.standardDrop)
        return ReportDocument(title: "Shop demo", results: [results[0], checkout, results[1], payment, overview.catalogue])
    }

    /// Writes the page that answers funnels while one changes them, over that of an earlier run. It begins with the demo's two funnels.
    func writeExplorer(of events: String, threads: Int, to path: String) throws {
        let reader = try EventFileReader(paths: [events])
        var definition = ExploreDefinition()
        definition.days = unit.periods(in: zone)
        let (payload, _) = try definition.answer(reading: reader, threads: threads)
        var checkout = SavedFunnel(name: "Checkout", steps: try FunnelStep.parse(DemoFunnel.steps))
        checkout.window = DemoFunnel.windowMilliseconds
        var payment = SavedFunnel(name: "Payment", steps: try FunnelStep.parse(DemoFunnel.paymentSteps))
        (payment.window, payment.key, payment.counting) = (DemoFunnel.windowMilliseconds, .session, .visits)
        let page = ExplorePage(payload, in: zone, from: [events], steps: nil, funnels: [checkout, payment], marks: marks)
        try OutputFile.write(page.bytes, to: path)
    }

    /// Writes the page, over that of an earlier run.
    func write(_ overview: FunnelRun.Overview, to path: String) throws(OutputError) {
        try OutputFile.write(HTMLReport(zone: zone).bytes(of: document(of: overview)), to: path)
    }
}
