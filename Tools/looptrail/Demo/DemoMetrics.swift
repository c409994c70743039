import EventFiles
import LoopCore
import LoopTracing
import ShopDemo
import TrackingEvents

/// The metrics that the demo leaves: timing lines in its event files, one file for Prometheus and two for OpenTelemetry.
struct DemoMetrics {
    /// `metrics.prom`, as node_exporter's textfile collector reads it.
    let prometheus: String
    /// `metrics.otlp.json`, one line.
    let openTelemetry: String
    /// `traces.otlp.json`, the spans of the first visits, which are also logged.
    let openTelemetrySpans: String

    private let measurements: Measurements
    private let lines: TimingLines
    private let otlp: OTLPMetrics
    private let spans: OTLPTraces

    /// - Parameter endMilliseconds: the simulated time of the timing lines, which is the end of the time that they cover.
    init(of measurements: Measurements, to sink: any TrackingSink, folder: String, endMilliseconds: Int64) {
        self.measurements = measurements
        prometheus = folder + "/metrics.prom"
        openTelemetry = folder + "/metrics.otlp.json"
        openTelemetrySpans = folder + "/traces.otlp.json"
        lines = TimingLines(of: measurements, to: sink, clock: WallClock { endMilliseconds })
        otlp = OTLPMetrics(service: "shop-demo")
        spans = OTLPTraces(service: "shop-demo")
    }

    /// The middleware that measures a visit. The first visits get another one, which keeps each span.
    func middleware(visit: Int) -> [Middleware<Shop.State, Shop.Event>] {
        let all = Middleware<Shop.State, Shop.Event>.measure(into: measurements)
        return visit < LogExcerpt.visits ? [all, .trace(to: spans)] : [all]
    }

    /// Hands the timing lines to the writer, which must still be open.
    func writeLines() { lines.write() }

    /// Writes the files over those of an earlier run, because counters count from the start of a process.
    func writeFiles(_ statistics: EventFileWriterStatistics) throws {
        let counters = [
            PrometheusCounter("looptrail_file_lines_written_total", "Lines that reached an event file.", statistics.written),
            PrometheusCounter("looptrail_file_lines_dropped_total", "Events that did not reach their file.", statistics.dropped),
        ]
        try PrometheusFile(path: prometheus).write(PrometheusText().text(of: measurements, counters: counters))
        try OutputFile.write(Array(otlp.line(of: measurements).utf8), to: openTelemetry)
        // One line holds all spans, so that the file is a single JSON value, as `metrics.otlp.json` is.
        try OutputFile.write(Array((spans.takeLine(maxSpans: .max) ?? "").utf8), to: openTelemetrySpans)
    }
}
