import LoopCore

/// The labels of exported metrics. Dashboards ask for these keys, so they stay as they are.
enum MetricKey {
    static let system = "system"
    static let event = "event"
    static let phase = "phase"
    static let outcome = "outcome"
}

/// One attribute of an exported span, and the table of all there are.
///
/// To add an attribute, add a row to ``table``. Collectors' queries ask for these keys, so they stay as they are.
struct SpanAttribute {
    enum Value {
        case string(String)
        case int(Int64)
        case bool(Bool)
    }

    enum Exporter {
        case openTelemetry, swiftTracing
    }

    let key: String
    let value: Value

    /// The attributes that an exporter writes for a span.
    static func all(of span: TraceSpan, for exporter: Exporter) -> [SpanAttribute] {
        table.compactMap { row in
            guard row.exporter == nil || row.exporter == exporter else { return nil }
            return row.value(span).map { SpanAttribute(key: row.key, value: $0) }
        }
    }

    private struct Row: Sendable {
        let key: String
        /// `nil` for every exporter.
        let exporter: Exporter?
        /// `nil` where a span does not have the attribute.
        let value: @Sendable (TraceSpan) -> Value?

        init(_ key: String, only exporter: Exporter? = nil, _ value: @escaping @Sendable (TraceSpan) -> Value?) {
            self.key = key
            self.exporter = exporter
            self.value = value
        }
    }

    private static let table = [
        Row("looptrail.system") { span in span.source.name.map { .string($0) } },
        Row("looptrail.event") { span in span.event.map { .string($0) } },
        Row("looptrail.kind", only: .swiftTracing) { .string($0.kind.name) },
        Row("looptrail.number", only: .swiftTracing) { .int(Int64($0.number)) },
        Row("looptrail.number", only: .openTelemetry) { $0.kind == .event ? .int(Int64($0.number)) : nil },
        Row("looptrail.queue_wait_ns") { $0.kind == .event ? .int(Int64(clamping: $0.queueWait)) : nil },
        Row("looptrail.sent_at", only: .swiftTracing) { span in span.origin.map { .string("\($0)") } },
        Row("code.file.path", only: .openTelemetry) { span in span.origin.map { .string("\($0.fileID)") } },
        Row("code.line.number", only: .openTelemetry) { span in span.origin.map { .int(Int64($0.line)) } },
        Row("looptrail.cancelled") { $0.outcome.isCancelled ? .bool(true) : nil },
    ]
}

extension TraceSpan.Kind {
    /// The name for programs: `event`, `phase`, `feedback`.
    var name: String {
        switch self {
        case .event: "event"
        case .phase: "phase"
        case .feedback: "feedback"
        }
    }
}
