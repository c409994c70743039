import LoopCore

/// The labels of exported metrics. Dashboards ask for these keys, so they never change.
enum MetricKey {
    static let system = "system"
    static let event = "event"
    static let phase = "phase"
    static let outcome = "outcome"
}

/// One attribute of an exported span. Collectors' queries ask for these keys, so they never change.
struct SpanAttribute {
    enum Value {
        case string(String)
        case int(Int64)
        case bool(Bool)
    }

    enum Exporter { case openTelemetry, swiftTracing }

    let key: String
    let value: Value

    static func all(of span: TraceSpan, for exporter: Exporter) -> [SpanAttribute] {
        table.compactMap { row in
            guard row.only == nil || row.only == exporter else { return nil }
            return row.value(span).map { SpanAttribute(key: row.key, value: $0) }
        }
    }

    /// All attributes. `only` is the one exporter that writes an attribute, `nil` if all do; `value` gives `nil` if a span has none.
    private static let table: [(key: String, only: Exporter?, value: @Sendable (TraceSpan) -> Value?)] = [
        ("looptrail.system", nil, { span in span.source.name.map { .string($0) } }),
        ("looptrail.event", nil, { span in span.event.map { .string($0) } }),
        ("looptrail.kind", .swiftTracing, { .string($0.kind.name) }),
        ("looptrail.number", .swiftTracing, { .int(Int64($0.number)) }),
        ("looptrail.number", .openTelemetry, { $0.kind == .event ? .int(Int64($0.number)) : nil }),
        ("looptrail.queue_wait_ns", nil, { $0.kind == .event ? .int(Int64(clamping: $0.queueWait)) : nil }),
        ("looptrail.sent_at", .swiftTracing, { span in span.origin.map { .string("\($0)") } }),
        ("code.file.path", .openTelemetry, { span in span.origin.map { .string("\($0.fileID)") } }),
        ("code.line.number", .openTelemetry, { span in span.origin.map { .int(Int64($0.line)) } }),
        ("looptrail.cancelled", nil, { $0.outcome.isCancelled ? .bool(true) : nil }),
    ]
}

extension TraceSpan.Kind {
    var name: String {
        switch self {
        case .event: "event"
        case .phase: "phase"
        case .feedback: "feedback"
        }
    }
}
