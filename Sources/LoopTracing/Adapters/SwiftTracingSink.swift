#if SwiftTracing
import Basics
import LoopCore
public import Tracing
import TrackingEvents

/// Gives events and effects to swift-distributed-tracing, as spans. With the trait `SwiftTracing`.
///
/// ```swift
/// system.attach(.trace(to: SwiftTracingSink(tracer: tracer)))
/// ```
/// An event is a span of the kind `.internal` and the beginning of a trace; its phases are its children. So are the effects that it
/// started, if it is among the last thousand events when they end. A span is handed over when it has ended, with its true times, so code
/// that runs within an event does not find the event's span in the task's context.
public final class SwiftTracingSink: TraceSink {
    /// How many events are remembered as parents of effects that end later.
    private static let maxParents = 1_000

    private struct Parent: Hashable {
        let source: UInt64
        let id: UInt64
    }

    private struct Parents {
        var contexts: [Parent: ServiceContext] = [:]
        /// In order of arrival.
        var order = EventQueue<Parent>()
    }

    private struct Instant: TracerInstant {
        let nanosecondsSinceEpoch: UInt64

        static func < (a: Instant, b: Instant) -> Bool { a.nanosecondsSinceEpoch < b.nanosecondsSinceEpoch }
    }

    private let tracer: any Tracer
    private let epoch: TraceEpoch
    private let context: ServiceContext
    private let parents = Lock(Parents())

    /// - Parameters:
    ///   - tracer: gets the spans; `InstrumentationSystem.tracer` is what the program has bootstrapped.
    ///   - context: what the events' spans are children of, if anything.
    ///   - epoch: turns the systems' times into times of day.
    public init(tracer: any Tracer, context: ServiceContext = .topLevel, epoch: TraceEpoch = TraceEpoch()) {
        (self.tracer, self.context, self.epoch) = (tracer, context, epoch)
    }

    public func record(_ spans: [TraceSpan]) { record(spans, with: tracer) }

    /// Takes the tracer by its own type, as its functions require.
    private func record(_ spans: [TraceSpan], with tracer: some Tracer) {
        for span in spans {
            let parent = span.parent.flatMap { id in parents.withLock { $0.contexts[Parent(source: span.source.id, id: id)] } }
            let started = tracer.startSpan(
                span.name, context: parent ?? context, ofKind: .internal,
                at: Instant(nanosecondsSinceEpoch: epoch.unixNanoseconds(span.start)), function: span.name,
                file: span.origin?.fileID.description ?? "", line: span.origin?.line ?? 0)
            describe(span, on: started)
            if span.kind == .event { remember(Parent(source: span.source.id, id: span.id), started.context) }
            started.end(at: Instant(nanosecondsSinceEpoch: epoch.unixNanoseconds(span.end)))
        }
    }

    private func describe(_ span: TraceSpan, on started: some Span) {
        started.updateAttributes { attributes in
            for attribute in SpanAttribute.all(of: span, for: .swiftTracing) {
                switch attribute.value {
                case .string(let text): attributes.set(attribute.key, value: .string(text))
                case .int(let number): attributes.set(attribute.key, value: .int64(number))
                case .bool(let truth): attributes.set(attribute.key, value: .bool(truth))
                }
            }
        }
        if let error = span.outcome.errorName { started.setStatus(SpanStatus(code: .error, message: error)) }
    }

    private func remember(_ parent: Parent, _ context: ServiceContext) {
        parents.withLock { parents in
            parents.contexts[parent] = context
            parents.order.append(parent)
            if parents.order.count > Self.maxParents, let oldest = parents.order.popFirst() { parents.contexts[oldest] = nil }
        }
    }
}
#endif
