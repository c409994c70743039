import LoopCore
import TrackingEvents

@testable import LoopTracing

/// Collections with known measurements, without a loop that makes them.
enum Measured {
    /// Notes one event of a name that spent so many nanoseconds in the reducer and, if told, in its work.
    static func note(
        _ event: String, reduce: UInt64, effect: UInt64? = nil, wait: UInt64 = 0, system: String? = nil, in traces: Traces,
        _ ending: EventTrace.Ending = .finished
    ) {
        let timing = StepTiming(startedAt: 0, queueWait: wait, reduce: reduce, effect: effect, bindings: 0)
        traces.record(timing, ending, row: traces.row(for: event, system: system))
    }

    static func traces(_ reduce: [UInt64], event: String = "tick", system: String? = nil) -> Traces {
        let traces = Traces()
        for time in reduce { note(event, reduce: time, system: system, in: traces) }
        return traces
    }
}
