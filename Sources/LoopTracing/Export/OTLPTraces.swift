import Basics
import LoopCore
internal import TrackingEvents

/// Spans as lines of OpenTelemetry's protocol in JSON: each is an `ExportTraceServiceRequest`.
///
/// ```swift
/// let spans = OTLPTraces(service: "shop")
/// system.attach(.trace(to: spans))
/// …
/// while let line = spans.takeLine() { log.append(line) }      // now and then: to `traces.otlp.json`, or a collector's /v1/traces
/// ```
/// The collector's `otlpjsonfile` receiver reads a file of such lines. Beside event files its name must not end in `.jsonl`, because the
/// commands read a folder's `*.jsonl` as event files.
///
/// **What is exported.** An event is the root of a trace of its own and has the event's name; its parts and the effects of feedbacks that
/// it led to are its children. All spans have `looptrail.event`, and `looptrail.system` where the system has a name. An event's span also has
/// `looptrail.number`, `looptrail.queue_wait_ns`, and the place that sent it as `code.file.path` and `code.line.number`. A failed span has the
/// status of an error, with the error's type and nothing that it holds; a cancelled one has `looptrail.cancelled`.
///
/// **What it costs.** ``record(_:)`` only keeps the spans; they become text when somebody takes lines. Where nobody does,
/// 65,536 spans are kept by default, some 200 bytes each, and later ones are counted in ``dropped``.
public final class OTLPTraces: TraceSink {
    private struct Contents {
        var spans: [TraceSpan] = []
        var dropped = 0
    }

    /// How many spans wait at most.
    let maxSpans: Int
    private let resource: OTLPResource
    private let epoch: TraceEpoch
    private let contents = Lock(Contents())

    /// - Parameters:
    ///   - service: the attribute `service.name` of what sends it.
    ///   - attributes: others of it, by the semantic conventions: `service.version`, `deployment.environment.name`.
    ///   - epoch: turns the systems' times into times of day. Make it with the clock that the systems have.
    ///   - maxSpans: how many spans wait at most.
    public init(service: String, attributes: [String: String] = [:], epoch: TraceEpoch = TraceEpoch(), maxSpans: Int = 65_536) {
        resource = OTLPResource(service: service, attributes: attributes)
        self.epoch = epoch
        self.maxSpans = maxSpans
    }

    /// How many spans found no room because nobody took those before.
    public var dropped: Int { contents.withLock { $0.dropped } }

    public func record(_ spans: [TraceSpan]) {
        contents.withLock { contents in
            // All or nothing: an event without some of its parts would mislead.
            if contents.spans.count + spans.count > maxSpans {
                contents.dropped += spans.count
            } else {
                contents.spans += spans
            }
        }
    }

    /// Takes the oldest spans and puts them into one line, its line feed included; `nil` if there is none.
    ///
    /// - Parameter maxSpans: the most spans in the line, at least one. A thousand are some 500 KB of text; collectors take 4 MB by default.
    /// - Complexity: O(spans waiting).
    public func takeLine(maxSpans: Int = 1000) -> String? {
        let spans = contents.withLock { contents in
            let taken = Array(contents.spans.prefix(max(maxSpans, 1)))
            contents.spans.removeFirst(taken.count)
            return taken
        }
        if spans.isEmpty { return nil }
        return JSONWriter.line(of: .traces, from: resource, spans) { json, span in append(span, to: &json) }
    }

    private func append(_ span: TraceSpan, to json: inout JSONWriter) {
        let ids = OTLPIDs(span.source)
        json.object { json in
            json.member("traceId", ids.trace(of: span.number))
            json.member("spanId", ids.span(span.id))
            if let parent = span.parent {
                json.member("parentSpanId", ids.span(parent))
            }
            json.member("name", span.name)
            json.member("kind", Self.isInternal)
            json.member("startTimeUnixNano", wide: epoch.unixNanoseconds(span.start))
            json.member("endTimeUnixNano", wide: epoch.unixNanoseconds(span.end))
            json.array("attributes", SpanAttribute.all(of: span, for: .openTelemetry)) { $0.attribute($1) }
            json.object("status") { json in
                guard let error = span.outcome.errorName else { return }
                json.member("code", Self.isError)
                json.member("message", error)
            }
        }
    }

    /// `SPAN_KIND_INTERNAL`.
    private static let isInternal: Int64 = 1
    /// `STATUS_CODE_ERROR`.
    private static let isError: Int64 = 2
}
