import Basics
public import LoopCore

/// A step that held up its loop for longer than its limit.
public struct SlowStep: Sendable, CustomStringConvertible {
    /// The system's name.
    public let system: String?
    /// The name of the event.
    public let event: String
    /// The event's number.
    public let number: Int
    /// Whether the step showed a loading state.
    public let isLoading: Bool
    /// Where the event was sent.
    public let origin: SendOrigin?
    /// All times of the step. The wait in the queue and the asynchronous work hold nothing up and are not part of ``duration``.
    public let timing: StepTiming
    /// How long the step held up the loop, in nanoseconds: the reducer, the bindings and the middleware.
    public let duration: UInt64

    @usableFromInline
    init<State, Event>(_ step: Step<State, Event>, of event: Event, system: String?, _ timing: StepTiming, _ duration: UInt64) {
        self.system = system
        self.event = EventName.name(of: event)
        number = step.number
        isLoading = step.phase == .loading
        origin = step.origin
        self.timing = timing
        self.duration = duration
    }

    /// `openCart (12) held up the loop for 34.10 ms: reduce 2.10 ms, bindings 31.90 ms, middleware 100 µs; sent at Shop/Cart.swift:42`
    public var description: String {
        let prefix = system.map { "\(PlainText.of($0, limit: 60)): " } ?? ""
        let parts = [
            ("reduce", timing.reduce), ("bindings", timing.bindings), ("middleware", timing.middleware ?? 0),
        ].map { "\($0.0) \(NanosecondText.of($0.1))" }.joined(separator: ", ")
        let waited = timing.queueWait > 0 ? "; waited \(NanosecondText.of(timing.queueWait)) before" : ""
        return "\(prefix)\(PlainText.of(event, limit: 60)) (\(number))\(isLoading ? " loading" : "") held up the loop for "
            + "\(NanosecondText.of(duration)): \(parts)\(waited)\(origin.map { "; sent at \($0)" } ?? "")"
    }
}
