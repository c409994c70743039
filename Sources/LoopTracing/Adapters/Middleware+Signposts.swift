#if canImport(os)
import Basics
public import LoopCore
public import os

extension Middleware {
    /// Shows steps and effects in Instruments: each effect as an interval, each settled event as a point with its times.
    ///
    /// ```swift
    /// system.attach(.signposts(to: OSSignposter(subsystem: "com.example.shop", category: "loop")))
    /// ```
    /// A signpost's time is that of the call, and a step is observed when it has ended, so an event is a point at its end. While no
    /// instrument records, the signposter does nothing, but the times are measured all the same.
    public static func signposts(to signposter: OSSignposter) -> Middleware {
        Middleware(needs: [.timing, .middlewareTime, .effects]) { _ in
            var open: [Int: OSSignpostIntervalState] = [:]
            return Watcher(
                step: { step in
                    guard step.phase == .settled, let event = step.event, let timing = step.timing else { return }
                    guard signposter.isEnabled else { return }
                    // Names are not secret; without `.public` they are hidden.
                    let text = "\(EventName.name(of: event)) \(SignpostText.of(timing))"
                    signposter.emitEvent("event", "\(text, privacy: .public)")
                },
                effect: { notice in
                    if notice.outcome == nil {
                        guard signposter.isEnabled else { return }
                        let name = notice.event.map { EventName.name(of: $0) } ?? Measurements.initialState
                        open[notice.id] = signposter.beginInterval(
                            "effect", id: signposter.makeSignpostID(), "\(name, privacy: .public)")
                    } else if let state = open.removeValue(forKey: notice.id) {
                        signposter.endInterval("effect", state)
                    }
                })
        }
    }
}

enum SignpostText {
    static func of(_ timing: StepTiming) -> String {
        let parts = [
            ("waited", timing.queueWait), ("reduce", timing.reduce), ("effect", timing.effect ?? 0), ("bindings", timing.bindings),
            ("middleware", timing.middleware ?? 0),
        ]
        return parts.filter { $0.1 > 0 }.map { "\($0.0) \(NanosecondText.of($0.1))" }.joined(separator: ", ")
    }
}
#endif
