import Basics
import LoopCore
import TrackingEvents

/// Spans as events of the Trace Event Format, one a line.
///
/// The format: "Trace Event Format" (the document behind `chrome://tracing`), JSON array form. Written are complete events (`X`), the
/// beginnings and ends of arrows (`s`, `f`), instants (`i`) and names (`M`).
struct ChromeTraceEncoder {
    /// In bytes; longer names are cut.
    private static let maxNameBytes = 256

    private struct Lane: Hashable {
        let source: UInt64
        let number: Int
    }

    private let pid: Int64
    private var threads: [Lane: Int64] = [:]
    /// The end of the last span that was written.
    private(set) var latest: UInt64 = 0

    init(pid: Int32) { self.pid = Int64(pid) }

    /// Names the process.
    func encodeProcess(_ name: String, to bytes: ByteBuffer) {
        encodeName("process_name", of: 0, name, to: bytes)
    }

    /// Appends a comma and a line for the span; names its lane first if it is new.
    mutating func encode(_ span: TraceSpan, to bytes: ByteBuffer) {
        let thread = thread(of: span.lane, in: span.source, to: bytes)
        if span.end > latest { latest = span.end }
        if span.kind == .feedback, let began = span.parentStart {
            let loop = self.thread(of: 0, in: span.source, to: bytes)
            encodeArrow("{\"ph\":\"s\"", span, thread: loop, at: began, to: bytes)
            encodeArrow("{\"ph\":\"f\",\"bp\":\"e\"", span, thread: thread, at: span.start, to: bytes)
        }
        bytes.append(",\n{\"ph\":\"X\",\"name\":")
        append(span.name, to: bytes)
        switch span.kind {
        case .event: bytes.append(",\"cat\":\"event\"")
        case .phase: bytes.append(",\"cat\":\"phase\"")
        case .feedback: bytes.append(",\"cat\":\"feedback\"")
        }
        appendPlace(thread, span.start, to: bytes)
        bytes.append(",\"dur\":")
        appendMicroseconds(span.duration, to: bytes)
        bytes.append(",\"args\":{\"number\":")
        JSONText.append(Int64(span.number), to: bytes)
        if span.kind != .event, let event = span.event {
            bytes.append(",\"event\":")
            append(event, to: bytes)
        }
        if span.kind == .event {
            bytes.append(",\"queue_wait_us\":")
            appendMicroseconds(span.queueWait, to: bytes)
        }
        if let origin = span.origin {
            bytes.append(",\"sent_at\":")
            append(origin.description, to: bytes)
        }
        if let error = span.outcome.errorName {
            bytes.append(",\"failed\":")
            append(error, to: bytes)
        }
        if span.outcome.isCancelled { bytes.append(",\"cancelled\":true") }
        bytes.append("}}")
    }

    /// Appends a mark across all lanes with the number of lost spans.
    func encodeLoss(of spans: Int, to bytes: ByteBuffer) {
        bytes.append(",\n{\"ph\":\"i\",\"s\":\"g\",\"name\":\"spans lost\",\"cat\":\"looptrail\"")
        appendPlace(0, latest, to: bytes)
        bytes.append(",\"args\":{\"count\":")
        JSONText.append(Int64(spans), to: bytes)
        bytes.append("}}")
    }

    private mutating func thread(of number: Int, in source: TraceSource, to bytes: ByteBuffer) -> Int64 {
        let lane = Lane(source: source.id, number: number)
        if let thread = threads[lane] { return thread }
        let thread = Int64(threads.count + 1)
        threads[lane] = thread
        let loop = source.name ?? "System"
        bytes.append(",\n")
        encodeName("thread_name", of: thread, number == 0 ? loop : "\(loop) effects \(number)", to: bytes)
        return thread
    }

    private func encodeName(_ kind: StaticString, of thread: Int64, _ name: String, to bytes: ByteBuffer) {
        bytes.append("{\"ph\":\"M\",\"name\":\"")
        bytes.append(kind)
        bytes.append("\",\"pid\":")
        JSONText.append(pid, to: bytes)
        bytes.append(",\"tid\":")
        JSONText.append(thread, to: bytes)
        bytes.append(",\"args\":{\"name\":")
        append(name, to: bytes)
        bytes.append("}}")
    }

    /// From the event to the effect that it started.
    private func encodeArrow(_ head: StaticString, _ span: TraceSpan, thread: Int64, at time: UInt64, to bytes: ByteBuffer) {
        bytes.append(",\n")
        bytes.append(head)
        bytes.append(",\"name\":\"starts\",\"cat\":\"feedback\",\"id\":\"")
        // Span ids are unique within a source, which its first lane identifies.
        JSONText.append(threads[Lane(source: span.source.id, number: 0)] ?? 0, to: bytes)
        bytes.append(".")
        JSONText.append(Int64(truncatingIfNeeded: span.id), to: bytes)
        bytes.append("\"")
        appendPlace(thread, time, to: bytes)
        bytes.append("}")
    }

    private func appendPlace(_ thread: Int64, _ time: UInt64, to bytes: ByteBuffer) {
        bytes.append(",\"ts\":")
        appendMicroseconds(time, to: bytes)
        bytes.append(",\"pid\":")
        JSONText.append(pid, to: bytes)
        bytes.append(",\"tid\":")
        JSONText.append(thread, to: bytes)
    }

    private func append(_ name: String, to bytes: ByteBuffer) {
        var cut = false
        JSONText.append(name, atMost: Self.maxNameBytes, to: bytes, cut: &cut)
    }

    /// To the nanosecond, because rounding could make neighbours overlap.
    private func appendMicroseconds(_ nanoseconds: UInt64, to bytes: ByteBuffer) {
        JSONText.append(Int64(nanoseconds / 1_000), to: bytes)
        let rest = nanoseconds % 1_000
        bytes.append(UInt8(ascii: "."))
        bytes.append(UInt8(ascii: "0") + UInt8(rest / 100))
        bytes.append(UInt8(ascii: "0") + UInt8(rest / 10 % 10))
        bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
    }
}
