public import LoopCore

/// A step as a log hands it to a format: with its level, its time of day and the name of its system.
public struct LogRecord<State, Event> {
    public let step: Step<State, Event>
    /// How much the step matters; `nil` unless the log was given levels.
    public let level: LogLevel?
    /// When the step was logged, counted from 1970 UTC; `nil` unless the log was given a clock.
    public let time: Duration?
    /// `nil` for a system without a name.
    let system: String?

    package init(_ step: Step<State, Event>, system: String? = nil, level: LogLevel? = nil, time: Duration? = nil) {
        (self.step, self.system, self.level, self.time) = (step, system, level, time)
    }
}

extension LogRecord: Sendable where State: Sendable, Event: Sendable {}
