import Basics
public import TrackingEvents

/// Measurements as lines of OpenTelemetry's protocol in JSON: each is an `ExportMetricsServiceRequest` with everything measured so far.
///
/// ```swift
/// let metrics = OTLPMetrics(service: "shop")
/// let line = metrics.line(of: measurements)       // append it to `metrics.otlp.json`, or POST it to a collector's /v1/metrics
/// ```
/// | metric | kind | unit | attributes |
/// |---|---|---|---|
/// | `looptrail.step.duration` | histogram with explicit bounds | `s` | `event`, `phase`, `system` where it has a name |
/// | `looptrail.events` | sum, rising | `{event}` | `event`, `outcome` (`finished`, `failed`, `cancelled`), `system` |
///
/// Counts are cumulative since the measurements were made or last reset. A time within 1.6 % of a bound may count on its other side. The collector's
/// `otlpjsonfile` receiver reads a file of such lines and wants metrics and traces in separate files. Beside event files the name must not
/// end in `.jsonl`, because the commands read a folder's `*.jsonl` as event files.
public struct OTLPMetrics: Sendable {
    private let resource: OTLPResource
    private let bounds: MetricBounds
    private let clock: WallClock

    /// - Parameters:
    ///   - service: the attribute `service.name` of what sends it.
    ///   - attributes: others of it, by the semantic conventions: `service.version`, `deployment.environment.name`.
    ///   - bounds: where buckets end, in any order; `nil` for those of ``PrometheusText``.
    ///   - clock: stamps the lines.
    public init(service: String, attributes: [String: String] = [:], bounds: [Duration]? = nil, clock: WallClock = .system) {
        resource = OTLPResource(service: service, attributes: attributes)
        self.bounds = bounds.map(MetricBounds.init) ?? .standard
        self.clock = clock
    }

    /// All that was measured so far as one line, its line feed included.
    ///
    /// - Complexity: O(names of events × bounds).
    public func line(of measurements: Measurements) -> String {
        let series = MetricSeries.of(measurements.events)
        let start = measurements.start
        // A clock that was set back must not end a time before it began.
        let span = start...max(clock.milliseconds, start)
        return JSONWriter.line(of: .metrics, from: resource, [durations, events]) { json, metric in metric(series, span, &json) }
    }

    /// The time that the counts cover, in milliseconds since 1970.
    private typealias Span = ClosedRange<Int64>

    private func durations(_ series: [MetricSeries], _ span: Span, _ json: inout JSONWriter) {
        metric("looptrail.step.duration", "How long the phases of handling an event took.", "s", isSum: false, &json) { json in
            for one in series {
                for (phase, times) in one.phases {
                    json.object { json in
                        point(of: one, [MetricKey.phase: phase.rawValue], span, &json)
                        json.member("count", wide: times.count)
                        json.member("sum", double: Double(times.total) / 1e9)
                        json.key("bucketCounts")
                        var passed: UInt64 = 0
                        json.array(times.cumulative(upTo: bounds.nanoseconds) + [times.count]) { json, upTo in
                            json.wide(upTo - passed)
                            passed = upTo
                        }
                        json.array("explicitBounds", bounds.seconds) { $0.double($1) }
                        json.member("min", double: Double(times.min ?? 0) / 1e9)
                        json.member("max", double: Double(times.max ?? 0) / 1e9)
                    }
                }
            }
        }
    }

    private func events(_ series: [MetricSeries], _ span: Span, _ json: inout JSONWriter) {
        metric("looptrail.events", "Events that were handled to their end.", "{event}", isSum: true, &json) { json in
            for one in series {
                let finished = one.count - one.failed - one.cancelled
                for (outcome, count) in [("finished", finished), ("failed", one.failed), ("cancelled", one.cancelled)] {
                    json.object { json in
                        point(of: one, [MetricKey.outcome: outcome], span, &json)
                        json.member("asInt", wide: count)
                    }
                }
            }
        }
    }

    private func metric(
        _ name: String, _ description: String, _ unit: String, isSum: Bool, _ json: inout JSONWriter, points: (inout JSONWriter) -> Void
    ) {
        json.object { json in
            json.member("name", name)
            json.member("description", description)
            json.member("unit", unit)
            json.object(isSum ? "sum" : "histogram") { json in
                json.member("aggregationTemporality", Self.cumulative)
                if isSum {
                    json.member("isMonotonic", true)
                }
                json.array("dataPoints", CollectionOfOne(())) { json, _ in points(&json) }
            }
        }
    }

    private func point(of series: MetricSeries, _ more: KeyValuePairs<String, String>, _ span: Span, _ json: inout JSONWriter) {
        json.attributes(series.labels + more.map { ($0.key, $0.value) })
        json.member("startTimeUnixNano", wide: Self.nanoseconds(span.lowerBound))
        json.member("timeUnixNano", wide: Self.nanoseconds(span.upperBound))
    }

    /// `AGGREGATION_TEMPORALITY_CUMULATIVE`.
    private static let cumulative: Int64 = 2

    private static func nanoseconds(_ milliseconds: Int64) -> UInt64 {
        UInt64(max(0, milliseconds)).multipliedReportingOverflow(by: 1_000_000).partialValue
    }
}
