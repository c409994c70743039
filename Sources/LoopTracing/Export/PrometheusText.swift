import Basics

/// What was measured, as Prometheus reads it (text exposition format 0.0.4). <doc:Exporting> shows its use.
///
/// | family | kind | labels |
/// |---|---|---|
/// | `looptrail_step_seconds` | histogram | `event`, `phase`, `system` where it has a name |
/// | `looptrail_events_total` | counter | `event`, `system` |
/// | `looptrail_events_failed_total` | counter | `event`, `system` |
/// | `looptrail_events_cancelled_total` | counter | `event`, `system` |
///
/// Phases are `queue_wait`, `reduce`, `effect`, `bindings` …, and `total`, their sum: leave that one out of sums. The buckets are the same
/// at each scrape; a value within 1.6 % of a bound may count on its other side. ``Measurements`` bounds the names, and so the series.
public struct PrometheusText: Sendable {
    /// The media type to serve the text with.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private let bounds: [UInt64]

    /// - Parameter bounds: where buckets end, in any order; `nil` for 24 bounds from 1 µs to 30 s. Each bound is a series for each event
    ///   and phase, so few are better. To change them breaks the history.
    public init(bounds: [Duration]? = nil) { self.bounds = bounds.map(MetricBounds.nanoseconds) ?? MetricBounds.standard }

    /// The exposition of all that was measured so far.
    ///
    /// - Parameters:
    ///   - measurements: its counts only rise, as counters have to, unless they are reset, which Prometheus takes for a restart.
    ///   - counters: other counters to append, such as the lines that a file writer dropped.
    /// - Returns: whole lines, in O(names of events × bounds).
    public func text(of measurements: Measurements, counters: [PrometheusCounter] = []) -> String {
        let events = measurements.events
        var exposition = PrometheusExposition()
        let family = "looptrail_step_seconds"
        exposition.begin(family, "histogram", "How long the phases of handling an event took.")
        for event in events {
            for (phase, times) in event.phases {
                let labels = PrometheusExposition.labels(event.labels + [(MetricKey.phase, phase.rawValue)])
                for (bound, count) in zip(bounds, times.cumulative(upTo: bounds)) {
                    exposition.add(count, to: family, suffix: "_bucket", "\(labels),le=\"\(Double(bound) / 1e9)\"")
                }
                exposition.add(times.count, to: family, suffix: "_bucket", "\(labels),le=\"+Inf\"")
                exposition.add(Double(times.total) / 1e9, to: family, suffix: "_sum", labels)
                exposition.add(times.count, to: family, suffix: "_count", labels)
            }
        }
        let counts: [(name: String, help: String, value: KeyPath<EventMeasurements, UInt64>)] = [
            ("looptrail_events_total", "Events that were handled to their end, whichever way it was.", \.count),
            ("looptrail_events_failed_total", "Events whose work failed without a recovery.", \.failed),
            ("looptrail_events_cancelled_total", "Events whose work was cancelled.", \.cancelled),
        ]
        for (name, help, value) in counts {
            exposition.begin(name, "counter", help)
            for event in events { exposition.add(event[keyPath: value], to: name, PrometheusExposition.labels(event.labels)) }
        }
        for counter in counters {
            exposition.begin(counter.name, "counter", counter.help)
            let labels = counter.labels.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            exposition.add(counter.value, to: counter.name, PrometheusExposition.labels(labels))
        }
        return exposition.text
    }
}
