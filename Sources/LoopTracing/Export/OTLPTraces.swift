import Basics
import LoopCore
internal import TrackingEvents

/// Spans as lines of OpenTelemetry's protocol in JSON: each is an `ExportTraceServiceRequest`.
///
/// ```swift
/// let spans = OTLPTraces(OTLPResource(service: "shop"))
/// system.attach(.trace(to: spans, name: "shop"))
/// …
/// while let line = spans.takeLine() { log.append(line) }      // now and then: to `traces.otlp.json`, or a collector's /v1/traces
/// ```
/// The collector's `otlpjsonfile` receiver reads a file of such lines. Its name must not end in `.jsonl` where event files are: the commands
/// take a folder's `*.jsonl` for those.
///
/// **What is told.** An event is the root of a trace of its own, with its name; its parts and the effects of feedbacks that it led to are its
/// children. An event's span has the attributes `looptrail.number` and `looptrail.queue_wait_ns`, and `code.file.path` and `code.line.number`
/// of where it was sent; all have `looptrail.event`, and `looptrail.system` where that has a name. What failed has the status of an error, with the
/// error's type and nothing that it holds; what was cancelled has `looptrail.cancelled`.
///
/// **What it costs.** ``record(_:)`` keeps the spans and does nothing else; they are put in words by whoever takes lines. Where nobody does,
/// ``spanLimit`` spans are kept, some 200 bytes each, and later ones are counted in ``dropped``.
public final class OTLPTraces: TraceSink {
    private struct Contents {
        var spans: [TraceSpan] = []
        var dropped = 0
    }

    /// How many spans wait at most.
    public let spanLimit: Int
    public let resource: OTLPResource
    private let epoch: TraceEpoch
    private let contents = Lock(Contents())

    /// - Parameters:
    ///   - resource: what sends it.
    ///   - epoch: makes times of day of the systems' times; made of the clock that they have.
    ///   - spanLimit: how many spans wait at most.
    public init(_ resource: OTLPResource, epoch: TraceEpoch = TraceEpoch(), spanLimit: Int = 65_536) {
        self.resource = resource
        self.epoch = epoch
        self.spanLimit = spanLimit
    }

    /// How many spans found no room because nobody took those before.
    public var dropped: Int { contents.withLock { $0.dropped } }

    public func record(_ spans: [TraceSpan]) {
        contents.withLock { contents in
            // An event without some of its parts would be a riddle: all or nothing.
            if contents.spans.count + spans.count > spanLimit {
                contents.dropped += spans.count
            } else {
                contents.spans += spans
            }
        }
    }

    /// Takes the oldest spans and puts them into one line, its line feed included; `nil` if there is none.
    ///
    /// - Parameter most: so many spans at most, and at least one. A thousand are some 500 KB of text; collectors take 4 MB by default.
    /// - Complexity: O(spans waiting).
    public func takeLine(most: Int = 1000) -> String? {
        let spans = contents.withLock { contents in
            let taken = Array(contents.spans.prefix(max(most, 1)))
            contents.spans.removeFirst(taken.count)
            return taken
        }
        if spans.isEmpty { return nil }
        return JSONWriter.line(of: .traces, from: resource, spans) { json, span in append(span, to: &json) }
    }

    private func append(_ span: TraceSpan, to json: inout JSONWriter) {
        let ids = OTLPIDs(span.source)
        json.object { json in
            json.key("traceId")
            json.string(ids.trace(of: span.number))
            json.key("spanId")
            json.string(ids.span(span.id))
            if let parent = span.parent {
                json.key("parentSpanId")
                json.string(ids.span(parent))
            }
            json.key("name")
            json.string(span.name)
            json.key("kind")
            json.integer(Self.isInternal)
            json.key("startTimeUnixNano")
            json.wide(epoch.unixNanoseconds(span.start))
            json.key("endTimeUnixNano")
            json.wide(epoch.unixNanoseconds(span.end))
            json.key("attributes")
            json.array(attributes(of: span)) { $0.attribute($1) }
            json.key("status")
            json.object { json in
                guard case .failed(let error) = span.outcome else { return }
                json.key("code")
                json.integer(Self.isError)
                json.key("message")
                json.string(error)
            }
        }
    }

    private func attributes(of span: TraceSpan) -> [OTLPAttribute] {
        var attributes: [OTLPAttribute] = []
        if let system = span.source.name { attributes.append(.init("looptrail.system", .string(system))) }
        if let event = span.event { attributes.append(.init("looptrail.event", .string(event))) }
        if span.kind == .event {
            attributes.append(.init("looptrail.number", .int(Int64(span.number))))
            attributes.append(.init("looptrail.queue_wait_ns", .int(Int64(clamping: span.queueWait))))
        }
        if let origin = span.origin {
            attributes.append(.init("code.file.path", .string("\(origin.fileID)")))
            attributes.append(.init("code.line.number", .int(Int64(origin.line))))
        }
        if span.outcome == .cancelled { attributes.append(.init("looptrail.cancelled", .bool(true))) }
        return attributes
    }

    /// `SPAN_KIND_INTERNAL`.
    private static let isInternal: Int64 = 1
    /// `STATUS_CODE_ERROR`.
    private static let isError: Int64 = 2
}
