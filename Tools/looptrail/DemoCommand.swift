import EventFiles
import Funnels
import LoopCore
import LoopLogFiles
import LoopLogging
import LoopRecording
import LoopTracing
import Reports
import ShopDemo

/// Flags of `demo`.
enum DemoFlags {
    static let people = Flag(
        "people", in: .input, .count(1...1_000_000, example: "500"), "How many people shop",
        standard: String(ShopPopulation.defaultShoppers), repetition: .refused)
    static let log = Flag("log", in: .output, "Show the log of one visit; and how long the loop took")
}

extension Command {
    static let demo = Command(
        name: "demo",
        summary: "run a simulated shop through the whole pipeline: log, trace, track, files, funnel",
        discussion: [
            "Four weeks of a small shop, on real systems with asynchronous effects, in seconds. The events go to DIR/events. A funnel is "
                + "read back from there. It goes to standard output, and with more beside it to the page DIR/\(DemoReport.fileName). What "
                + "matters, and where things are, go to standard error; with --log a visit's log and the loop's times, too. "
                + "DIR/\(DemoReport.explorerName) answers other funnels of the events while you change them. DIR/loop.trace.json is a "
                + "timeline of the first visits, for ui.perfetto.dev, and DIR/recordings holds their steps, for `inspect`.",
            "How long the loop took stands as timing lines in the event files, for Prometheus in DIR/metrics.prom, and for "
                + "OpenTelemetry in DIR/metrics.otlp.json and, of the first visits, span by span in DIR/traces.otlp.json.",
            "Each further run in the same folder adds other people in the four weeks after, and adopts the file of a run that "
                + "was killed. A folder that is neither empty nor the demo's own is refused.",
        ],
        operands: .optional(placeholder: "DIR", summary: "The folder, \(standardFolder) if left out"),
        flags: [DemoFlags.people.declaration, DemoFlags.log.declaration] + CommonFlags.report,
        examples: [
            Example("the whole pipeline in one go", ["demo"]),
            Example("the result only, as JSON", ["demo", "/tmp/shop", "--quiet", "--format", "json"]),
        ], seeAlso: ["funnel", "report"]
    ) { invocation in
        let output = try ReportOutput(invocation)
        let folder = try DemoFolder(path: invocation.arguments.operands.first ?? standardFolder)
        defer { folder.release() }
        let console = invocation.console
        let style = TextStyle(isASCII: !invocation.surroundings.isUTF8)
        let clock = ContinuousClock()
        let start = clock.now

        let population = ShopPopulation.demo(
            run: folder.earlierRuns, shoppers: try invocation.arguments.value(of: DemoFlags.people))
        console.story(
            "Simulating \(NumberFormat.count(population.shoppers)) people in a shop, \(population.days) days from "
                + "\(DateFormat.day(population.startMilliseconds)) \(style.ellipsis)")
        let excerpt = LogExcerpt()
        let measurements = Measurements()
        let timeline = try ChromeTraceFile(path: folder.timeline, process: "looptrail demo")
        let recorder = try Recorder(folder: folder.recordings, app: ["name": "looptrail demo", "version": Looptrail.version])
        let statistics: EventFileWriterStatistics
        let summary: ShopSimulation.Summary
        let metrics: DemoMetrics
        do {
            var options = EventFileWriterOptions.lossless
            // Small enough that the demo shows several sealed files.
            options.rotateBytes = 1 << 20
            let writer = try EventFileWriter(folder: folder.events, options: options) { error in
                console.error("\(error)")
            } onRecovery: { report in
                console.note("an earlier run was cut short: \(report)")
            }
            let measuring = DemoMetrics(
                of: measurements, to: writer, folder: folder.path, endMilliseconds: population.endMilliseconds)
            metrics = measuring
            // Each visit attaches middleware of its own, but all measure into the same table.
            let simulation = ShopSimulation(population: population, sink: writer) { visit in
                let drawn = visit < drawnVisits
                return measuring.middleware(visit: visit) + excerpt.middleware(visit: visit)
                    + (drawn ? [.trace(to: timeline), .record(to: recorder)] : [])
            }
            summary = await simulation.run()
            metrics.writeLines()
            try await recorder.close()
            try await writer.close(deadline: .seconds(60))
            statistics = writer.statistics
        }
        // The writer waits instead of dropping. If it dropped events all the same, the funnel would count too few.
        guard statistics.dropped == 0 else {
            console.error("\(NumberFormat.count(statistics.dropped)) events could not be written to `\(folder.events)`; is the disk full?")
            return .failure
        }

        try metrics.writeFiles(statistics)

        let failure = timeline.finish().failure
        if let failure { console.error("\(failure)") }
        let seconds = (clock.now - start) / .seconds(1)
        let threads = invocation.arguments[CommonFlags.threads] ?? EventFileReader.activeProcessors
        let report = DemoReport(zone: try invocation.zone())
        let overview = try FunnelRun(DemoFunnel.all(), day: invocation.day())
            .overview(reading: EventFileReader(paths: [folder.events]), threads: threads, period: report.period)
        guard let result = overview.results.first else { return .failure }
        try output.write(ReportDocument(result))
        try report.write(overview, to: folder.report)
        try report.writeExplorer(of: folder.events, threads: threads, to: folder.explorer)
        console.story(style.written("\n" + report.document(of: overview).matters.map { "What matters: \($0)\n" }.joined()))
        console.story("\nThe same and more on a page, for a browser: `\(folder.report)`")
        console.story("A page that answers other funnels while you change them: `\(folder.explorer)`")
        console.story(
            "\n\(NumberFormat.count(summary.visits)) visits sent \(NumberFormat.count(summary.sent)) events into the loop and led to "
                + "\(NumberFormat.count(summary.orders)) orders. \(NumberFormat.count(statistics.written)) lines were written to "
                + "`\(folder.events)` in \((seconds * 10).rounded() / 10) s. The loop's metrics are in `\(metrics.prometheus)` and "
                + "`\(metrics.openTelemetry)`, the spans of some visits in `\(metrics.openTelemetrySpans)`.")
        if failure == nil {
            console.story(
                "The timeline of the first \(drawnVisits) visits is in `\(folder.timeline)`: open it in https://ui.perfetto.dev.")
        }
        if invocation.arguments[DemoFlags.log] {
            console.story(style.written("\nThe log of one visit:\n\n" + excerpt.longest().map { "  \($0)\n" }.joined() + "\n"))
            console.story(style.written("How long the loop took, by event:\n\n" + measurements.table()))
        }

        let events = ShellWord.quoted(folder.events)
        let mark = ShopRelease.all.last.map { " --mark \(DateFormat.day($0.time))=\($0.version)" } ?? ""
        console.story(
            """

            Go on with:
              looptrail events \(events)
              looptrail why \(events) --steps '\(DemoFunnel.paymentSteps)' --by session
              looptrail trend \(events) --steps '\(DemoFunnel.paymentSteps)' --window 1h --by session\(mark)
              looptrail retention \(events) --start catalog_viewed --return catalog_viewed
              looptrail timings \(events)
              looptrail inspect \(ShellWord.quoted(folder.recordings)) -o session.html
              looptrail check \(events)
              zcat \(events)/*.ndjson.gz | head
            """)
        return .fine
    }

    private static let standardFolder = "looptrail-demo"
    /// How many visits the timeline shows. A viewer draws each as a lane of its own.
    private static let drawnVisits = 40
}

/// The funnels that the demo counts over its own files.
enum DemoFunnel {
    static let steps = "catalog_viewed > product_viewed > cart_added > checkout_started > payment_succeeded"
    static let paymentSteps = "checkout_started > payment_succeeded"
    static let windowMilliseconds: Int64 = 3_600_000

    /// Three funnels: the whole checkout by user, the payment by visit for each platform and version, and the payment by visit in total.
    static func all() throws -> [FunnelDefinition] {
        let checkout = try FunnelDefinition(name: "Checkout", steps: FunnelStep.parse(steps), windowMilliseconds: windowMilliseconds)
        return [checkout, try payment(by: FunnelBreakdown.parse("session.platform,session.app_version")), try payment(by: nil)]
    }

    private static func payment(by breakdown: FunnelBreakdown?) throws -> FunnelDefinition {
        try FunnelDefinition(
            name: "Payment", steps: FunnelStep.parse(paymentSteps), windowMilliseconds: windowMilliseconds, key: .session,
            counting: .visits, breakdown: breakdown
        ).counting(.mature)
    }
}

extension Console {
    /// Prints text about the demo's progress as it is, but nothing with `--quiet`.
    fileprivate func story(_ text: String) {
        if !isQuiet { lines(text.hasSuffix("\n") ? text : text + "\n") }
    }
}
