public import LoopCore
public import TrackingEvents

extension Middleware {
    /// Tells each step in a line.
    ///
    /// ```swift
    /// system.attach(.log())                                                   // everything to standard error
    /// system.attach(.log(.changes, except: ["tick"], every: 10))
    /// system.attach(.log(.compact(timing: false), to: .closure { print($0) }))
    /// ```
    /// Nothing is formatted for a step that is filtered out. Values are data: they are cut, escaped and never taken for a format. Formatting happens
    /// here and now; ``log(_:on:values:only:except:every:levels:clock:)`` takes it off the loop's thread.
    ///
    /// - Parameters:
    ///   - format: how a step becomes a line, and what the log asks the system for.
    ///   - output: where the lines go.
    ///   - values: how events and states are described and how long they may be.
    ///   - only: the steps to tell; all of them if left out.
    ///   - except: the steps not to tell, even if `only` means them.
    ///   - every: of the events left, tells the first and then every n-th. An event's loading and settled steps go together,
    ///     an initial step always passes. 1 or less tells all.
    ///   - levels: how much each step matters, and how much it must for being told.
    ///   - clock: stamps the steps, for formats that tell the time of day; without it none is read.
    public static func log(
        _ format: LogFormat<State, Event> = .compact, to output: LogOutput = .standardError,
        values: LogValues<State, Event> = LogValues(), only: LogFilter<State, Event>? = nil, except: LogFilter<State, Event>? = nil,
        every: Int = 1, levels: LogLevels<State, Event>? = nil, clock: WallClock? = nil
    ) -> Middleware {
        logging(LogSelection(only: only, except: except, every: every), needs: format.needs) { step in
            guard let level = levels == nil ? LogLevels.usual(step) : levels?.level(of: step), output.wants(level) else { return }
            output.write(format.text(of: step, values: values.with(levels == nil ? nil : level, clock)), level: level)
        }
    }

    /// Keeps the last steps in memory and formats them when they are read. Cheap enough to be always on.
    ///
    /// - Parameters:
    ///   - memory: keeps the steps, and says what the log asks the system for.
    ///   - only: the steps to keep; all of them if left out.
    ///   - except: the steps not to keep, even if `only` means them.
    ///   - every: of the events left, keeps the first and then every n-th.
    @inlinable
    public static func log(
        to memory: LogMemory<State, Event>, only: LogFilter<State, Event>? = nil, except: LogFilter<State, Event>? = nil,
        every: Int = 1
    ) -> Middleware {
        logging(LogSelection(only: only, except: except, every: every), needs: memory.format.needs) { memory.append($0) }
    }

    @inlinable
    static func logging(
        _ selection: LogSelection<State, Event>, needs: MiddlewareNeeds, _ tell: @escaping (Step<State, Event>) -> Void
    ) -> Middleware {
        Middleware(
            needs: needs,
            makingHandler: {
                guard let isMeant = selection.makeTest() else { return tell }
                return { if isMeant($0) { tell($0) } }
            })
    }
}

extension Middleware where State: Sendable, Event: Sendable {
    /// Tells each step in a line that is formatted and written on a thread of its own: the loop pays for handing the step over.
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
    ///   - only: the steps to tell; all of them if left out.
    ///   - except: the steps not to tell, even if `only` means them.
    ///   - every: of the events left, tells the first and then every n-th.
    ///   - levels: how much each step matters, and how much it must for being told.
    ///   - clock: stamps the steps, for formats that tell the time of day.
    public static func log(
        _ format: LogFormat<State, Event> = .compact, on thread: LogThread, values: LogValues<State, Event> = LogValues(),
        only: LogFilter<State, Event>? = nil, except: LogFilter<State, Event>? = nil, every: Int = 1,
        levels: LogLevels<State, Event>? = nil, clock: WallClock? = nil
    ) -> Middleware {
        logging(LogSelection(only: only, except: except, every: every), needs: format.needs) { step in
            guard let level = levels == nil ? LogLevels.usual(step) : levels?.level(of: step) else { return }
            let values = values.with(levels == nil ? nil : level, clock)
            thread.write(level: level) { format.text(of: step, values: values) }
        }
    }
}

extension LogValues {
    fileprivate func with(_ level: LogLevel?, _ clock: WallClock?) -> LogValues {
        var stamped = self
        stamped.level = level
        stamped.timeMilliseconds = clock?.milliseconds
        return stamped
    }
}
