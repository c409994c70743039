public import LoopCore

extension Middleware {
    /// Tells each step in a line.
    ///
    /// ```swift
    /// system.attach(.log())                                                   // everything to standard error
    /// system.attach(.log(except: ["tick"], every: 10))
    /// system.attach(.log(.compact(timing: false), to: .closure { print($0) }))
    /// ```
    /// Nothing is formatted for a step that is filtered out. Values are data: they are cut, escaped and never taken for a format.
    ///
    /// - Parameters:
    ///   - format: how a step becomes a line, and what the log asks the system for.
    ///   - output: where the lines go.
    ///   - values: how events and states are described and how long they may be.
    ///   - only: the steps to tell; all of them if left out.
    ///   - except: the steps not to tell, even if `only` means them.
    ///   - every: of the events left, tells the first and then every n-th. An event's loading and settled steps go together,
    ///     an initial step always passes. 1 or less tells all.
    public static func log(
        _ format: LogFormat<State, Event> = .compact, to output: LogOutput = .standardError,
        values: LogValues<State, Event> = LogValues(), only: LogFilter<State, Event>? = nil, except: LogFilter<State, Event>? = nil,
        every: Int = 1
    ) -> Middleware {
        logging(LogSelection(only: only, except: except, every: every), needs: format.needs) {
            output.write(format.text(of: $0, values: values))
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
