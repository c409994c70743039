public import LoopCore

/// A step as a log hands it to a format: with its level and its time of day.
public struct LogRecord<State, Event> {
    public let step: Step<State, Event>
    /// How much the step matters; `nil` unless the log was given levels.
    public let level: LogLevel?
    /// When the step was logged, counted from 1970 UTC; `nil` unless the log was given a clock.
    public let time: Duration?

    package init(_ step: Step<State, Event>, level: LogLevel? = nil, time: Duration? = nil) {
        self.step = step
        self.level = level
        self.time = time
    }
}

extension LogRecord: Sendable where State: Sendable, Event: Sendable {}
