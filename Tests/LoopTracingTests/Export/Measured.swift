import LoopCore
import TrackingEvents

@testable import LoopTracing

/// Collections with known measurements, without a loop that makes them.
enum Measured {
    /// Notes one event that spent these nanoseconds in the reducer, in waiting and, if given, in its work.
    static func note(
        _ event: String, reduce: UInt64, effect: UInt64? = nil, wait: UInt64 = 0, system: String? = nil, in measurements: Measurements,
        _ outcome: Outcome = .finished
    ) {
        let timing = StepTiming(startedAt: 0, queueWait: wait, reduce: reduce, effect: effect, bindings: 0)
        measurements.record(timing, outcome, row: measurements.row(for: event, system: system))
    }

    static func times(_ reduce: [UInt64], event: String = "tick", system: String? = nil) -> Measurements {
        let measurements = Measurements()
        for time in reduce { note(event, reduce: time, system: system, in: measurements) }
        return measurements
    }
}
