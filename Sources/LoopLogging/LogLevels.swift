public import LoopCore

/// Which level each step has, and from which level on steps are logged.
///
/// ```swift
/// system.attach(.log(LogOptions(levels: LogLevels(atLeast: .info) { step in
///     switch step.event {
///     case .tick: .trace
///     case .pay: .notice
///     default: .info
///     }
/// })))
/// ```
/// Without levels a line shows none; outputs that want one get `error` for a step that failed and `info` for any other.
public struct LogLevels<State, Event> {
    private let atLeast: LogLevel
    private let level: (Step<State, Event>) -> LogLevel?

    /// - Parameters:
    ///   - atLeast: steps below this are not logged, and nothing is formatted for them.
    ///   - level: a step's level, `nil` for one that is not to be logged. Called for every step that passes the filters.
    public init(atLeast: LogLevel = .trace, _ level: @escaping (Step<State, Event>) -> LogLevel?) {
        self.atLeast = atLeast
        self.level = level
    }

    /// The level of a step that is logged.
    func level(of step: Step<State, Event>) -> LogLevel? { level(step).flatMap { $0 < atLeast ? nil : $0 } }

    /// The level of a step where the log has no levels.
    static func usual(_ step: Step<State, Event>) -> LogLevel { step.outcome?.error == nil ? .info : .error }
}
