import Basics

/// What was measured, as Prometheus reads it (text exposition format 0.0.4).
///
/// ```swift
/// let exposition = PrometheusText()
/// server.get("/metrics") { exposition.text(of: measurements) }          // with Content-Type PrometheusText.contentType
/// try PrometheusFile(path: "/var/lib/node_exporter/shop.prom").write(exposition.text(of: measurements))
/// ```
/// | family | kind | labels |
/// |---|---|---|
/// | `looptrail_step_seconds` | histogram | `event`, `phase`, `system` where it has a name |
/// | `looptrail_events_total` | counter | `event`, `system` |
/// | `looptrail_events_failed_total` | counter | `event`, `system` |
/// | `looptrail_events_cancelled_total` | counter | `event`, `system` |
///
/// Phases are `queue_wait`, `reduce`, `effect`, `bindings` …, and `total`, which is their sum: leave that one out of sums. The
/// buckets are the same at each scrape; a value within 1.6 % of a bound may count on its other side. ``Measurements``
/// bounds the number of names of events, and so the number of series.
public struct PrometheusText: Sendable {
    /// The media type to serve the text with.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private let bounds: MetricBounds

    /// - Parameter bounds: where buckets end, in any order; `nil` for 24 bounds from 1 µs to 30 s. Each bound is a series for each event and
    ///   phase, so few are better. To change them breaks the history.
    public init(bounds: [Duration]? = nil) { self.bounds = bounds.map(MetricBounds.init) ?? .standard }

    /// The exposition of all that was measured so far.
    ///
    /// - Parameters:
    ///   - measurements: its counts only rise, as counters have to, unless they are reset, which Prometheus takes for a restart.
    ///   - counters: other counters to append, such as the lines that a file writer dropped.
    /// - Returns: whole lines.
    /// - Complexity: O(names of events × bounds).
    public func text(of measurements: Measurements, counters: [PrometheusCounter] = []) -> String {
        let series = MetricSeries.of(measurements.events)
        var text = ""
        header("looptrail_step_seconds", "histogram", "How long the phases of handling an event took.", to: &text)
        for one in series { for (phase, times) in one.phases { histogram(times, of: one, phase, to: &text) } }
        counter("looptrail_events_total", "Events that were handled to their end, whichever way it was.", series, \.count, to: &text)
        counter("looptrail_events_failed_total", "Events whose work failed without a recovery.", series, \.failed, to: &text)
        counter("looptrail_events_cancelled_total", "Events whose work was cancelled.", series, \.cancelled, to: &text)
        append(counters, to: &text)
        return text
    }

    private func header(_ name: String, _ kind: String, _ help: String, to text: inout String) {
        text += "# HELP \(name) \(PrometheusEscaping.help(help))\n# TYPE \(name) \(kind)\n"
    }

    private func histogram(_ times: LatencyHistogram, of series: MetricSeries, _ phase: TracePhase, to text: inout String) {
        let labels = PrometheusEscaping.labels(series.labels + [(MetricKey.phase, phase.rawValue)])
        for (bound, count) in zip(bounds.seconds, times.cumulative(upTo: bounds.nanoseconds)) {
            text += "looptrail_step_seconds_bucket{\(labels),le=\"\(bound)\"} \(count)\n"
        }
        text += "looptrail_step_seconds_bucket{\(labels),le=\"+Inf\"} \(times.count)\n"
        text += "looptrail_step_seconds_sum{\(labels)} \(Double(times.total) / 1e9)\n"
        text += "looptrail_step_seconds_count{\(labels)} \(times.count)\n"
    }

    private func counter(
        _ name: String, _ help: String, _ series: [MetricSeries], _ value: KeyPath<MetricSeries, UInt64>, to text: inout String
    ) {
        header(name, "counter", help, to: &text)
        for one in series { text += "\(name){\(PrometheusEscaping.labels(one.labels))} \(one[keyPath: value])\n" }
    }

    /// Groups the counters by family, as the format demands.
    private func append(_ counters: [PrometheusCounter], to text: inout String) {
        var names: [String] = []
        for counter in counters where !names.contains(counter.name) { names.append(counter.name) }
        for name in names {
            let family = counters.filter { $0.name == name }
            header(name, "counter", family.first?.help ?? "", to: &text)
            for counter in family {
                let labels = PrometheusEscaping.labels(counter.labels.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
                text += labels.isEmpty ? "\(name) \(counter.value)\n" : "\(name){\(labels)} \(counter.value)\n"
            }
        }
    }
}
