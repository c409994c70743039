import Basics
public import TrackingEvents

/// Measurements as lines of OpenTelemetry's protocol in JSON: each is an `ExportMetricsServiceRequest` with everything measured so far.
///
/// | metric | kind | unit | attributes |
/// |---|---|---|---|
/// | `looptrail.step.duration` | histogram with explicit bounds | `s` | `event`, `phase`, `system` where it has a name |
/// | `looptrail.events` | sum, rising | `{event}` | `event`, `outcome` (`finished`, `failed`, `cancelled`), `system` |
///
/// Counts are cumulative since the measurements were made or last reset. A time within 1.6 % of a bound may count on its other side. The
/// collector's `otlpjsonfile` receiver reads a file of such lines; metrics and traces are files of their own (<doc:Exporting>).
public struct OTLPMetrics: Sendable {
    private let resource: OTLPResource
    private let bounds: [UInt64]
    private let clock: WallClock

    /// - Parameters:
    ///   - service: the attribute `service.name` of the sender.
    ///   - attributes: the sender's other attributes, by the semantic conventions: `service.version`, `deployment.environment.name`.
    ///   - bounds: where buckets end, in any order; `nil` for those of ``PrometheusText``.
    ///   - clock: stamps the lines.
    public init(service: String, attributes: [String: String] = [:], bounds: [Duration]? = nil, clock: WallClock = .system) {
        resource = OTLPResource(service: service, attributes: attributes)
        self.bounds = bounds.map(MetricBounds.nanoseconds) ?? MetricBounds.standard
        self.clock = clock
    }

    /// All that was measured so far as one line, its line feed included, in O(names of events × bounds).
    public func line(of measurements: Measurements) -> String {
        let (events, start, _) = measurements.snapshot
        // A clock that was set back must not make the span end before it begins.
        let span: JSONObject = [
            "startTimeUnixNano": Self.nanoseconds(start), "timeUnixNano": Self.nanoseconds(max(clock.milliseconds, start)),
        ]
        let durations = events.flatMap { event in
            event.phases.map { phase, times in
                OTLP.attributes(event.labels + [(MetricKey.phase, phase.rawValue)]) + span + histogram(times)
            }
        }
        let counts = events.flatMap { event in
            let finished = event.count - event.failed - event.cancelled
            return [("finished", finished), ("failed", event.failed), ("cancelled", event.cancelled)].map { outcome, count in
                OTLP.attributes(event.labels + [(MetricKey.outcome, outcome)]) + span + ["asInt": String(count)]
            }
        }
        // `AGGREGATION_TEMPORALITY_CUMULATIVE`.
        let cumulative: JSONObject = ["aggregationTemporality": 2]
        return resource.line(
            "Metrics",
            [
                [
                    "name": "looptrail.step.duration", "description": "How long the phases of handling an event took.", "unit": "s",
                    "histogram": cumulative + ["dataPoints": durations],
                ],
                [
                    "name": "looptrail.events", "description": "Events that were handled to their end.", "unit": "{event}",
                    "sum": cumulative + ["isMonotonic": true, "dataPoints": counts],
                ],
            ])
    }

    private func histogram(_ times: LatencyHistogram) -> JSONObject {
        let upTo = times.cumulative(upTo: bounds) + [times.count]
        return [
            "count": String(times.count), "sum": OTLP.Seconds(nanoseconds: times.total),
            "bucketCounts": zip(upTo, [0] + upTo).map { String($0 - $1) },
            "explicitBounds": bounds.map { OTLP.Seconds(nanoseconds: $0) },
            "min": OTLP.Seconds(nanoseconds: times.min ?? 0), "max": OTLP.Seconds(nanoseconds: times.max ?? 0),
        ]
    }

    private static func nanoseconds(_ milliseconds: Int64) -> String { String(UInt64(max(0, milliseconds)) &* 1_000_000) }
}
