import Basics
import LoopTracing
import Testing
import TrackingEvents

/// Keeps the spans it is told, for tests to look at.
final class SpanMemory: TraceSink {
    private let spans = Lock<[TraceSpan]>([])

    func record(_ spans: [TraceSpan]) { self.spans.withLock { $0 += spans } }

    var all: [TraceSpan] { spans.withLock { $0 } }

    /// A line for each span: `load 1 [0, 24] lane 0`; a span with a parent is indented and has no number.
    func lines(from began: UInt64) -> [String] {
        all.map { span in
            let name = span.parent == nil ? "\(span.name) \(span.number)" : "  \(span.name)"
            return "\(name) [\(span.start - began), \(span.end - began)] lane \(span.lane)"
        }
    }
}

/// Of any two spans of one lane, one lies within the other or they do not overlap.
func expectNesting(_ spans: [TraceSpan], sourceLocation: SourceLocation = #_sourceLocation) {
    for (index, a) in spans.enumerated() {
        for b in spans[(index + 1)...] where a.source === b.source && a.lane == b.lane {
            let apart = a.end <= b.start || b.end <= a.start
            let within = (a.start <= b.start && b.end <= a.end) || (b.start <= a.start && a.end <= b.end)
            #expect(apart || within, "\(a.name) and \(b.name)", sourceLocation: sourceLocation)
        }
    }
}

/// Holds up work until a test lets it go on; on the main actor, as the systems of these tests.
@MainActor final class TraceGate {
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func pass() async { await withCheckedContinuation { waiting.append($0) } }

    /// Waits until `count` calls are held, and lets them go on in the order in which they came.
    func open(first count: Int) async {
        while waiting.count < count { await Task.yield() }
        let first = waiting.prefix(count)
        waiting.removeFirst(count)
        for each in first { each.resume() }
    }
}
