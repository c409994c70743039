import LoopCore
public import TrackingEvents

/// What a log writes and how: the format, which steps, their levels.
///
/// ```swift
/// system.attach(.log(.changes))
/// system.attach(.log(LogOptions(.changes, except: ["tick"], every: 10)))
/// ```
public struct LogOptions<State, Event> {
    let format: LogFormat<State, Event>
    private let values: LogValues<State, Event>
    private let only: LogFilter<State, Event>?
    private let except: LogFilter<State, Event>?
    private let every: Int
    private let levels: LogLevels<State, Event>?
    private let clock: WallClock?

    /// - Parameters:
    ///   - format: how a step becomes a line, and what the log asks the system for.
    ///   - values: how events and states are described and how long they may be.
    ///   - only: the steps to log; `nil` for all of them.
    ///   - except: the steps not to log, even if `only` picks them.
    ///   - every: of the events left, the first and then every n-th is logged. An event's loading and settled steps go together; an initial
    ///     step, or the failure of an effect, always passes. 1 or less logs all.
    ///   - levels: the level of each step, and which levels are logged.
    ///   - clock: the time of day that each line shows; `nil` for none.
    public init(
        _ format: LogFormat<State, Event> = .compact, values: LogValues<State, Event> = LogValues(), only: LogFilter<State, Event>? = nil,
        except: LogFilter<State, Event>? = nil, every: Int = 1, levels: LogLevels<State, Event>? = nil, clock: WallClock? = nil
    ) {
        (self.format, self.values, self.only, self.except) = (format, values, only, except)
        (self.every, self.levels, self.clock) = (every, levels, clock)
    }

    /// The middleware that does all that the options say: a new option is added here alone.
    ///
    /// - Parameter makeLog: takes a function that makes the text of a step, and returns a function that writes a step.
    func middleware(
        _ makeLog: @escaping (@escaping @Sendable (LogRecord<State, Event>) -> String) -> (LogLevel, LogRecord<State, Event>) -> Void
    ) -> Middleware<State, Event> {
        Middleware(
            needs: format.needs,
            makingHandler: { loop in
                let values = values.keepingLayouts()
                let log = makeLog { [format] in format.text(of: $0, values: values) }
                return { [levels, clock, system = loop.name] step in
                    let time = { clock.map { Duration.milliseconds($0.milliseconds) } }
                    guard let levels else { return log(LogLevels.usual(step), LogRecord(step, system: system, time: time())) }
                    if let level = levels.level(of: step) { log(level, LogRecord(step, system: system, level: level, time: time())) }
                }
            }
        ).selecting(only: only, except: except, every: every)
    }
}

/// All steps in one of the usual formats, such as ``LogFormat/changes``, so that `.log(.changes)` reads well.
extension LogOptions {
    public static var compact: LogOptions { LogOptions(.compact) }
    public static var changes: LogOptions { LogOptions(.changes) }
    public static var json: LogOptions { LogOptions(.json) }
}
