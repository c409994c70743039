#if SwiftMetrics
import Basics
import LoopCore
public import Metrics
import TrackingEvents

/// Gives the times of events to swift-metrics, as timers. With the trait `SwiftMetrics`.
///
/// ```swift
/// system.attach(.trace(to: SwiftMetricsSink()))
/// ```
/// The timers are `looptrail_step`, with the dimensions `event` and `phase`, the phases of ``TracePhase``. Cancelled events and effects
/// are counted and not timed: their time only says when they were cancelled. The counters are `looptrail_events` and
/// `looptrail_effects`, with the dimensions `event` and `outcome`: `finished`, `failed`, `cancelled`. Where the system has a name, all have
/// the dimension `system`, too. An event with loading states gives a phase several values, one for each part of it.
///
/// The first 256 names are counted each by itself, later ones together as `(other)`: backends keep every name that they have seen.
public final class SwiftMetricsSink: TraceSink {
    private struct Key: Hashable {
        let system: String?
        let event: String
        let part: String
    }

    /// As many as ``Measurements`` distinguishes by default.
    private static let maxNames = 256

    private struct Made {
        var timers: [Key: Timer] = [:]
        var counters: [Key: Counter] = [:]
        var events: Set<String> = []

        mutating func bounded(_ event: String) -> String {
            if events.count < SwiftMetricsSink.maxNames { events.insert(event) }
            return events.contains(event) ? event : Measurements.otherEvents
        }
    }

    private let factory: any MetricsFactory
    private let prefix: String
    private let made = Lock(Made())

    /// - Parameters:
    ///   - prefix: what the labels begin with.
    ///   - factory: makes the timers and counters; by default what the program has bootstrapped.
    public init(prefix: String = "looptrail", factory: any MetricsFactory = MetricsSystem.factory) {
        (self.prefix, self.factory) = (prefix, factory)
    }

    public func record(_ spans: [TraceSpan]) {
        for span in spans {
            let event = span.event ?? Measurements.initialState
            switch span.kind {
            case .event:
                count("events", event, span)
                if span.outcome.isCancelled { return }
                time(.queueWait, event, span, span.queueWait)
                time(.total, event, span, span.duration &+ span.queueWait)
            case .phase(let phase): time(phase, event, span, span.duration)
            case .feedback:
                count("effects", event, span)
                if !span.outcome.isCancelled { time(.feedback, event, span, span.duration) }
            }
        }
    }

    private func time(_ phase: TracePhase, _ event: String, _ span: TraceSpan, _ nanoseconds: UInt64) {
        let timer = made.withLock { made in
            let key = Key(system: span.source.name, event: made.bounded(event), part: phase.rawValue)
            if let timer = made.timers[key] { return timer }
            let timer = Timer(label: "\(prefix)_step", dimensions: dimensions(key, MetricKey.phase), factory: factory)
            made.timers[key] = timer
            return timer
        }
        timer.recordNanoseconds(Int64(clamping: nanoseconds))
    }

    private func count(_ what: String, _ event: String, _ span: TraceSpan) {
        let counter = made.withLock { made in
            let key = Key(system: span.source.name, event: made.bounded(event), part: span.outcome.word)
            if let counter = made.counters[Key(system: key.system, event: key.event, part: "\(what) \(key.part)")] { return counter }
            let counter = Counter(label: "\(prefix)_\(what)", dimensions: dimensions(key, MetricKey.outcome), factory: factory)
            made.counters[Key(system: key.system, event: key.event, part: "\(what) \(key.part)")] = counter
            return counter
        }
        counter.increment()
    }

    private func dimensions(_ key: Key, _ part: String) -> [(String, String)] {
        [(MetricKey.event, key.event), (part, key.part)] + (key.system.map { [(MetricKey.system, $0)] } ?? [])
    }
}
#endif
