import Basics
import LoopCore

/// Spans as events of the Trace Event Format, one a line. The format: "Trace Event Format" (the document behind `chrome://tracing`), JSON
/// array form. It writes complete events (`X`), the beginnings and ends of arrows (`s`, `f`), instants (`i`) and names (`M`).
struct ChromeTraceEncoder {
    private struct Lane: Hashable {
        let source: UInt64
        let number: Int
    }

    private let pid: Int64
    private var threads: [Lane: Int64] = [:]
    /// The end of the last span.
    private(set) var latest: UInt64 = 0

    init(pid: Int32) { self.pid = Int64(pid) }

    /// Appends a comma and a line for the span; names the span's lane first if the lane is new.
    mutating func encode(_ span: TraceSpan, to bytes: ByteBuffer) {
        let thread = thread(of: span.lane, in: span.source, to: bytes)
        latest = max(latest, span.end)
        encode("X", to: bytes) { json in
            json.member("name", cut: span.name)
            json.member("cat", span.kind.name)
            json.stamp(pid, thread, at: span.start)
            json.member("dur", microseconds: span.duration)
            json.object("args") { json in
                json.member("number", span.number)
                if span.kind != .event, let event = span.event { json.member("event", cut: event) }
                if span.kind == .event { json.member("queue_wait_us", microseconds: span.queueWait) }
                if let origin = span.origin { json.member("sent_at", cut: origin.description) }
                if let error = span.outcome.errorName { json.member("failed", cut: error) }
                if span.outcome.isCancelled { json.member("cancelled", true) }
            }
        }
        // The arrow comes after the span of the effect: viewers tie its end to a span of the same start only if they have read that span.
        if span.kind == .feedback, let began = span.parentStart {
            let loop = self.thread(of: 0, in: span.source, to: bytes)
            encodeArrow("s", span, thread: loop, at: began, to: bytes)
            encodeArrow("f", span, thread: thread, at: span.start, to: bytes)
        }
    }

    /// Appends a mark across all lanes with the number of lost spans.
    func encodeLoss(of spans: Int, to bytes: ByteBuffer) {
        encode("i", to: bytes) { json in
            json.member("s", "g")
            json.member("name", "spans lost")
            json.member("cat", "looptrail")
            json.stamp(pid, 0, at: latest)
            json.object("args") { $0.member("count", spans) }
        }
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

    func encodeName(_ kind: String, of thread: Int64, _ name: String, to bytes: ByteBuffer) {
        var json = JSONWriter(to: bytes)
        json.object { json in
            json.member("ph", "M")
            json.member("name", kind)
            json.member("pid", pid)
            json.member("tid", thread)
            json.object("args") { $0.member("name", cut: name) }
        }
    }

    /// One end of the arrow from the event to the effect that it started.
    private func encodeArrow(_ phase: String, _ span: TraceSpan, thread: Int64, at time: UInt64, to bytes: ByteBuffer) {
        encode(phase, to: bytes) { json in
            if phase == "f" { json.member("bp", "e") }
            json.member("name", "starts")
            json.member("cat", "feedback")
            // Span ids are unique within a source, which its first lane identifies. Perfetto reads an id as hexadecimal.
            let source = UInt64(threads[Lane(source: span.source.id, number: 0)] ?? 0)
            json.member("id", String(source << 40 | span.id & 0xFF_FFFF_FFFF, radix: 16))
            json.stamp(pid, thread, at: time)
        }
    }

    /// Appends a comma and a line.
    private func encode(_ phase: String, to bytes: ByteBuffer, _ members: (inout JSONWriter) -> Void) {
        bytes.append(",\n")
        var json = JSONWriter(to: bytes)
        json.object { json in
            json.member("ph", phase)
            members(&json)
        }
    }
}

extension JSONWriter {
    /// In bytes; longer names are cut.
    private static let maxNameBytes = 256

    fileprivate mutating func member(_ key: StaticString, cut name: String) {
        self.key(key)
        value { bytes in
            var cut = false
            JSONText.append(name, atMost: Self.maxNameBytes, to: bytes, cut: &cut)
        }
    }

    /// To the nanosecond, because rounding could make neighbours overlap.
    fileprivate mutating func member(_ key: StaticString, microseconds nanoseconds: UInt64) {
        self.key(key)
        value { bytes in
            JSONText.append(Int64(nanoseconds / 1_000), to: bytes)
            bytes.append(UInt8(ascii: "."))
            for divisor: UInt64 in [100, 10, 1] { bytes.append(UInt8(ascii: "0") + UInt8(nanoseconds / divisor % 10)) }
        }
    }

    fileprivate mutating func stamp(_ process: Int64, _ thread: Int64, at time: UInt64) {
        member("ts", microseconds: time)
        member("pid", process)
        member("tid", thread)
    }
}
