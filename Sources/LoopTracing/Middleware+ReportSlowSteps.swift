public import Basics
public import LoopCore

extension Middleware {
    /// Reports each step that held up the loop for longer than a limit, by its reducer, bindings and middleware together.
    ///
    /// ```swift
    /// system.attach(.reportSlowSteps(over: .milliseconds(16)) { report in logger.warning("\(report)") })
    /// // openCart (12) held up the loop for 34.10 ms: reduce 2.10 ms, bindings 31.90 ms, middleware 100 µs; sent at Shop/Cart.swift:42
    /// ```
    /// Asynchronous work and the wait in the queue hold nothing up and do not count. An event with a loading state makes two steps; the
    /// reducer's time belongs to the first. The middleware's time leaves out this middleware and others that measure.
    ///
    /// - Parameters:
    ///   - limit: 16 ms is a frame at 60 Hz. A negative limit reports every step.
    ///   - report: called on the system's isolation, right after the step. Events that it sends are taken later.
    @inlinable
    public static func reportSlowSteps(over limit: Duration, _ report: @escaping (SlowStep) -> Void) -> Middleware {
        Middleware(needs: [.timing, .middlewareTime]) { loop in
            let limit = limit.clampedNanoseconds
            var reduced = 0
            return { step in
                guard let event = step.event, var timing = step.timing, step.phase == .loading || step.phase == .settled else { return }
                // Later steps of an event repeat its reducer's time.
                if reduced == step.number { timing.reduce = 0 }
                reduced = step.number
                let duration = timing.reduce &+ timing.bindings &+ (timing.middleware ?? 0)
                guard Int64(clamping: duration) > limit else { return }
                report(SlowStep(step, of: event, system: loop.name, timing, duration))
            }
        }
    }
}
