import Basics
import LoopCore

/// The times of all events of one name.
public struct EventMeasurements: Sendable, Equatable, CustomStringConvertible {
    /// The name of their system, if it has one.
    public let system: String?
    /// The name of the events.
    public let event: String
    /// How many ended: finished, failed or cancelled.
    public private(set) var count: UInt64 = 0
    /// How many of these failed without a recovery. They are measured like the others.
    public private(set) var failed: UInt64 = 0
    /// How many of these were cancelled. They are not measured, because their time only says when they were cancelled.
    public private(set) var cancelled: UInt64 = 0

    private var queueWait = LatencyHistogram()
    private var reduce = LatencyHistogram()
    private var effect = LatencyHistogram()
    private var bindings = LatencyHistogram()
    private var middleware = LatencyHistogram()
    private var total = LatencyHistogram()
    private var feedback = LatencyHistogram()

    init(system: String?, event: String) { (self.system, self.event) = (system, event) }

    var isEmpty: Bool { count == 0 && feedback.isEmpty }

    /// The times of one phase. `.effect` is empty if the events do no asynchronous work, `.feedback` if they start no effects that end by
    /// themselves, and `.middleware` in systems that do not measure it, such as those of other libraries.
    public subscript(phase: TracePhase) -> LatencyHistogram {
        switch phase {
        case .queueWait: queueWait
        case .reduce: reduce
        case .effect: effect
        case .bindings: bindings
        case .middleware: middleware
        case .total: total
        case .feedback: feedback
        }
    }

    var phases: [(phase: TracePhase, times: LatencyHistogram)] { TracePhase.allCases.map { ($0, self[$0]) }.filter { !$0.times.isEmpty } }

    var labels: [(String, String)] { (system.map { [(MetricKey.system, $0)] } ?? []) + [(MetricKey.event, event)] }

    mutating func record(_ timing: StepTiming, _ outcome: Outcome) {
        count &+= 1
        if outcome.isCancelled {
            cancelled &+= 1
            return
        }
        if !outcome.isFinished { failed &+= 1 }
        queueWait.record(timing.queueWait)
        reduce.record(timing.reduce)
        bindings.record(timing.bindings)
        if let work = timing.effect { effect.record(work) }
        if let others = timing.middleware { middleware.record(others) }
        total.record(timing.queueWait &+ timing.reduce &+ timing.bindings &+ (timing.effect ?? 0) &+ (timing.middleware ?? 0))
    }

    mutating func record(feedback nanoseconds: UInt64) { feedback.record(nanoseconds) }

    /// One line: `openProduct: 1,204 events, total p50 1.20 ms, p99 2.30 ms, max 2.41 ms`.
    public var description: String {
        let prefix = system.map { "\(PlainText.of($0, limit: 60)): " } ?? ""
        let counts = [("failed", failed), ("cancelled", cancelled)].filter { $0.1 > 0 }
        let ends = counts.map { ", \(GroupedNumber.text($0.1)) \($0.0)" }.joined()
        let times = total.isEmpty ? "" : ", total \(total.times)"
        return "\(prefix)\(PlainText.of(event, limit: 60)): \(GroupedNumber.counted(count, "event"))\(ends)\(times)"
    }
}
