import Basics
import LoopCore

/// Spans as lines of OpenTelemetry's protocol in JSON: each is an `ExportTraceServiceRequest`. The collector's `otlpjsonfile` receiver
/// reads a file of such lines: see <doc:Exporting> for how to use the file and what to name it.
///
/// **What is exported.** An event is the root of a trace of its own and has the event's name; its parts and the effects that it led to are
/// its children. All spans have `looptrail.event`, except effects of the initial state, which are roots, too. All spans have
/// `looptrail.system` if the system has a name. An event's span also has `looptrail.number`, `looptrail.queue_wait_ns`, and the place that
/// sent it as `code.file.path` and `code.line.number`. A failed span has the status of an error, with the error's type and case but not its
/// payload; a cancelled one has `looptrail.cancelled`.
///
/// **What it costs.** ``record(_:)`` only keeps the spans; they become text when somebody takes lines. Where nobody does,
/// 65,536 spans are kept by default, some 200 bytes each, and later ones are counted in ``dropped``.
public final class OTLPTraces: TraceSink {
    private struct Contents {
        var spans = EventQueue<TraceSpan>()
        var dropped = 0
    }

    let maxSpans: Int
    private let resource: OTLPResource
    private let epoch: TraceEpoch
    private let contents = Lock(Contents())

    /// - Parameters:
    ///   - service: the attribute `service.name` of the sender.
    ///   - attributes: the sender's other attributes, by the semantic conventions: `service.version`, `deployment.environment.name`.
    ///   - epoch: turns the systems' times into times of day. Make it with the clock that the systems have.
    ///   - maxSpans: how many spans wait at most.
    public init(service: String, attributes: [String: String] = [:], epoch: TraceEpoch = TraceEpoch(), maxSpans: Int = 65_536) {
        (resource, self.epoch, self.maxSpans) = (OTLPResource(service: service, attributes: attributes), epoch, maxSpans)
    }

    /// How many spans were dropped because too many waited to be taken.
    public var dropped: Int { contents.withLock { $0.dropped } }

    public func record(_ spans: [TraceSpan]) {
        contents.withLock { contents in
            // All or nothing: an event without some of its parts would mislead.
            let hasRoom = contents.spans.count + spans.count <= maxSpans
            if hasRoom { for span in spans { contents.spans.append(span) } } else { contents.dropped += spans.count }
        }
    }

    /// Takes the oldest spans and puts them into one line, its line feed included; `nil` if there is none.
    ///
    /// - Parameter maxSpans: the most spans in the line, at least one. A thousand are some 500 KB of text; collectors take 4 MB by default.
    /// - Complexity: amortised O(spans taken).
    public func takeLine(maxSpans: Int = 1000) -> String? {
        let spans = contents.withLock { contents in
            (0..<min(contents.spans.count, max(maxSpans, 1))).compactMap { _ in contents.spans.popFirst() }
        }
        return spans.isEmpty ? nil : resource.line("Spans", spans.map(json))
    }

    private func json(_ span: TraceSpan) -> JSONObject {
        // OpenTelemetry's `SPAN_KIND_INTERNAL` and `STATUS_CODE_ERROR`.
        let (isInternal, isError) = (1, 2)
        let ids: JSONObject = ["traceId": traceID(of: span), "spanId": spanID(span.id, of: span)]
        let parent: JSONObject = span.parent.map { ["parentSpanId": spanID($0, of: span)] } ?? [:]
        let times: JSONObject = [
            "name": span.name, "kind": isInternal, "startTimeUnixNano": String(epoch.unixNanoseconds(span.start)),
            "endTimeUnixNano": String(epoch.unixNanoseconds(span.end)),
        ]
        let status: JSONObject = span.outcome.errorName.map { ["code": isError, "message": $0] } ?? [:]
        return ids + parent + times + OTLP.attributes(SpanAttribute.all(of: span, for: .openTelemetry)) + ["status": status]
    }

    // Ids are derived from spans' numbers, so an effect's span needs no memory of its event's ids. They look random, as collectors expect.

    /// 16 bytes in hexadecimal, one for each event and its effects.
    private func traceID(of span: TraceSpan) -> String {
        let number = UInt64(bitPattern: Int64(span.number))
        return Hexadecimal.text(Self.mixed(span.source.id ^ 0x7472_6163_6500_6964)) + Hexadecimal.text(Self.mixed(span.source.id &+ number))
    }

    /// 8 bytes in hexadecimal. Different ids of one system stay different.
    private func spanID(_ id: UInt64, of span: TraceSpan) -> String { Hexadecimal.text(Self.mixed((span.source.id ^ 0x7370_616E) &+ id)) }

    /// One to one, so that ids do not collide; only 0, which would mean no id, becomes 1.
    private static func mixed(_ number: UInt64) -> UInt64 { max(1, SplitMix64.mixed(number &+ SplitMix64.step)) }
}
