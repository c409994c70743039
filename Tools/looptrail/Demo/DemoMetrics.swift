import EventFiles
import LoopTracing
import TrackingEvents

/// What the demo leaves for metrics: timing lines in its event files, a file for Prometheus, one for OpenTelemetry.
struct DemoMetrics {
    /// `metrics.prom`, as node_exporter's textfile collector reads it.
    let prometheus: String
    /// `metrics.otlp.jsonl`, one line.
    let openTelemetry: String

    private let traces: Traces
    private let lines: TimingLines
    private let otlp: OTLPMetrics

    /// - Parameters:
    ///   - endMilliseconds: the simulated time that the lines bear: they stand at the end of what they tell of.
    init(of traces: Traces, to sink: any TrackingSink, folder: String, endMilliseconds: Int64) {
        self.traces = traces
        prometheus = folder + "/metrics.prom"
        openTelemetry = folder + "/metrics.otlp.jsonl"
        lines = TimingLines(of: traces, to: sink, clock: WallClock { endMilliseconds })
        otlp = OTLPMetrics(OTLPResource(service: "shop-demo"))
    }

    /// Hands the timing lines to the writer, while it is open.
    func writeLines() { lines.write() }

    /// Writes both files whole, over those of an earlier run: counters count from when a process began.
    func writeFiles(_ statistics: EventFileWriterStatistics) throws {
        let counters = [
            PrometheusCounter("looptrail_file_lines_written_total", "Lines that reached an event file.", statistics.written),
            PrometheusCounter("looptrail_file_lines_dropped_total", "Events that did not reach their file.", statistics.dropped),
        ]
        try PrometheusFile(prometheus).write(PrometheusText().text(of: traces, counters: counters))
        try WholeFile.write(otlp.line(of: traces), to: openTelemetry, random: SystemRandomNumberGenerator())
    }
}
