import LoopCore

/// What was measured of the events of one name.
public struct EventTrace: Sendable, Equatable {
    /// The name of the loop they went through, if it was given one.
    public let system: String?
    /// The name of the events.
    public let event: String
    /// How many ended, whichever way.
    public private(set) var count: UInt64 = 0
    /// How many of these failed without a recovery. They are measured like the others.
    public private(set) var failed: UInt64 = 0
    /// How many of these were cancelled. They are not measured: how long they took says when they were cancelled.
    public private(set) var cancelled: UInt64 = 0

    private var queueWait = LatencyHistogram()
    private var reduce = LatencyHistogram()
    private var effect = LatencyHistogram()
    private var bindings = LatencyHistogram()
    private var middleware = LatencyHistogram()
    private var total = LatencyHistogram()
    private var feedback = LatencyHistogram()

    init(system: String?, event: String) {
        self.system = system
        self.event = event
    }

    /// Whether anything was measured or counted.
    public var isEmpty: Bool { count == 0 && feedback.isEmpty }

    /// The times of one phase. Empty for the phase `.effect` where the events do no asynchronous work, for `.feedback` where they start
    /// no effects that ended by themselves, and for `.middleware` where that is not measured, as in systems of another make.
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

    @usableFromInline
    enum Ending { case finished, failed, cancelled }

    mutating func record(_ timing: StepTiming, _ ending: Ending) {
        count &+= 1
        switch ending {
        case .finished: break
        case .failed: failed &+= 1
        case .cancelled:
            cancelled &+= 1
            return
        }
        queueWait.record(timing.queueWait)
        reduce.record(timing.reduce)
        bindings.record(timing.bindings)
        if let work = timing.effect { effect.record(work) }
        if let others = timing.middleware { middleware.record(others) }
        total.record(
            timing.queueWait &+ timing.reduce &+ timing.bindings &+ (timing.effect ?? 0) &+ (timing.middleware ?? 0))
    }

    mutating func record(feedback nanoseconds: UInt64) {
        feedback.record(nanoseconds)
    }
}
