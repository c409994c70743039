public import LoopCore
public import TrackingEvents

extension Middleware {
    /// Logs each step as a line.
    ///
    /// ```swift
    /// system.attach(.log())                                                   // everything to standard error
    /// system.attach(.log(.changes, except: ["tick"], every: 10))
    /// system.attach(.log(.compact(timing: false), to: .closure { print($0) }))
    /// ```
    /// Nothing is formatted for a step that is filtered out. Values are data: they are cut, escaped and never taken for a format. Lines are
    /// formatted on the loop's thread; ``log(_:on:values:only:except:every:levels:clock:)`` formats them on another.
    ///
    /// - Parameters:
    ///   - format: how a step becomes a line, and what the log asks the system for.
    ///   - output: where the lines go.
    ///   - values: how events and states are described and how long they may be.
    ///   - only: the steps to log; `nil` for all of them.
    ///   - except: the steps not to log, even if `only` means them.
    ///   - every: of the events left, logs the first and then every n-th. An event's loading and settled steps go together,
    ///     an initial step always passes. 1 or less logs all.
    ///   - levels: the level of each step, and which levels are logged.
    ///   - clock: the time of day that each line shows; `nil` for none.
    public static func log(
        _ format: LogFormat<State, Event> = .compact, to output: LogOutput = .standardError,
        values: LogValues<State, Event> = LogValues(), only: LogFilter<State, Event>? = nil, except: LogFilter<State, Event>? = nil,
        every: Int = 1, levels: LogLevels<State, Event>? = nil, clock: WallClock? = nil
    ) -> Middleware {
        logging(format, values, levels, clock) { makeText in
            { level, record in if output.wants(level) { output.write(makeText(record), level: level) } }
        }.selecting(only: only, except: except, every: every)
    }

    /// Logs each step as a line, formatted and written on a thread of its own **without the compiler's check** that the values may go there.
    ///
    /// For states and events that are `Sendable` there is ``log(_:on:values:only:except:every:levels:clock:)``. With this spelling you promise
    /// for all the others: whatever a logged state or event refers to, such as an object or the captures of a closure, is never changed
    /// after the step without synchronization, and may be read and released on any thread. A system of structs and enums over such parts keeps
    /// the promise; a state with a view controller, or with an object that the reducer changes in place, breaks it, and the program has a data race.
    ///
    /// - Parameters:
    ///   - format: how a step becomes a line, and what the log asks the system for.
    ///   - thread: formats the steps and holds the output.
    ///   - values: how events and states are described and how long they may be.
    ///   - only: the steps to log; `nil` for all of them.
    ///   - except: the steps not to log, even if `only` means them.
    ///   - every: of the events left, logs the first and then every n-th.
    ///   - levels: the level of each step, and which levels are logged.
    ///   - clock: the time of day that each line shows; `nil` for none.
    public static func log(
        _ format: LogFormat<State, Event> = .compact, uncheckedOn thread: LogThread, values: LogValues<State, Event> = LogValues(),
        only: LogFilter<State, Event>? = nil, except: LogFilter<State, Event>? = nil, every: Int = 1,
        levels: LogLevels<State, Event>? = nil, clock: WallClock? = nil
    ) -> Middleware {
        logging(format, values, levels, clock) { makeText in
            { level, record in
                // By the promise above, or by `Sendable` where this is called below.
                nonisolated(unsafe) let record = record
                thread.write(level: level) { makeText(record) }
            }
        }.selecting(only: only, except: except, every: every)
    }

    /// Keeps the last steps in memory and formats them when they are read. Cheap enough to be always on.
    ///
    /// - Parameters:
    ///   - memory: keeps the steps, and says what the log asks the system for.
    ///   - only: the steps to keep; `nil` for all of them.
    ///   - except: the steps not to keep, even if `only` means them.
    ///   - every: of the events left, keeps the first and then every n-th.
    @inlinable
    public static func log(
        to memory: LogMemory<State, Event>, only: LogFilter<State, Event>? = nil, except: LogFilter<State, Event>? = nil,
        every: Int = 1
    ) -> Middleware {
        Middleware(needs: memory.format.needs) { memory.append($0) }.selecting(only: only, except: except, every: every)
    }

    private static func logging(
        _ format: LogFormat<State, Event>, _ values: LogValues<State, Event>, _ levels: LogLevels<State, Event>?, _ clock: WallClock?,
        _ makeLog: @escaping (@escaping @Sendable (LogRecord<State, Event>) -> String) -> (LogLevel, LogRecord<State, Event>) -> Void
    ) -> Middleware {
        Middleware(
            needs: format.needs,
            makingHandler: {
                let values = values.keepingPlans()
                let log = makeLog { format.text(of: $0, values: values) }
                return { step in
                    let time = { clock.map { Duration.milliseconds($0.milliseconds) } }
                    guard let levels else { return log(LogLevels.usual(step), LogRecord(step, time: time())) }
                    if let level = levels.level(of: step) { log(level, LogRecord(step, level: level, time: time())) }
                }
            })
    }
}

extension Middleware where State: Sendable, Event: Sendable {
    /// Logs each step as a line, formatted and written on a thread of its own: the loop pays for handing the step over.
    ///
    /// ```swift
    /// let thread = LogThread(to: .standardError)
    /// system.attach(.log(.changes, on: thread))
    /// ```
    /// Filters and levels are asked on the loop's side, before anything is handed over. The lines of all systems that share a thread keep the
    /// order of their steps.
    ///
    /// - Parameters:
    ///   - format: how a step becomes a line, and what the log asks the system for.
    ///   - thread: formats the steps and holds the output.
    ///   - values: how events and states are described and how long they may be.
    ///   - only: the steps to log; `nil` for all of them.
    ///   - except: the steps not to log, even if `only` means them.
    ///   - every: of the events left, logs the first and then every n-th.
    ///   - levels: the level of each step, and which levels are logged.
    ///   - clock: the time of day that each line shows; `nil` for none.
    public static func log(
        _ format: LogFormat<State, Event> = .compact, on thread: LogThread, values: LogValues<State, Event> = LogValues(),
        only: LogFilter<State, Event>? = nil, except: LogFilter<State, Event>? = nil, every: Int = 1,
        levels: LogLevels<State, Event>? = nil, clock: WallClock? = nil
    ) -> Middleware {
        log(format, uncheckedOn: thread, values: values, only: only, except: except, every: every, levels: levels, clock: clock)
    }
}
