public import LoopCore
import TrackingEvents

extension Middleware {
    /// Logs each step as a line.
    ///
    /// ```swift
    /// system.attach(.log())                                                   // everything to standard error
    /// system.attach(.log(LogOptions(.changes, except: ["tick"], every: 10)))
    /// system.attach(.log(LogOptions(.compact(timing: false)), to: .closure { print($0) }))
    /// ```
    /// Nothing is formatted for a step that is filtered out. Values are data: they are cut, escaped and never taken for a format. Lines are
    /// formatted on the loop's thread; ``log(_:on:)`` formats them on another.
    ///
    /// - Parameters:
    ///   - options: the format, which steps, and their levels.
    ///   - output: where the lines go.
    public static func log(_ options: LogOptions<State, Event> = .compact, to output: LogOutput = .standardError) -> Middleware {
        options.middleware { makeText in
            { level, record in if output.wants(level) { output.write(makeText(record), level: level, system: record.system) } }
        }
    }

    /// Logs each step as a line, formatted and written on its own thread **without the compiler's check** that the values may go there.
    ///
    /// For states and events that are `Sendable` there is ``log(_:on:)``. With this spelling you promise for all the others: whatever a
    /// logged state or event refers to, such as an object or the captures of a closure, is never changed after the step without
    /// synchronization, and may be read and released on any thread. A system of structs and enums over such parts keeps the promise; a
    /// state with a view controller, or with an object that the reducer changes in place, breaks it, and the program has a data race.
    public static func log(_ options: LogOptions<State, Event> = .compact, uncheckedOn thread: LogThread) -> Middleware {
        options.middleware { makeText in
            { [isJSON = options.format.isJSON] level, record in
                // By the promise above, or by `Sendable` where this is called below.
                nonisolated(unsafe) let record = record
                thread.write((level, record.system, isJSON, { makeText(record) }))
            }
        }
    }

    /// Keeps the last steps in memory and formats them when they are read. Cheap enough to be always on.
    ///
    /// - Parameters:
    ///   - memory: keeps the steps, and says what the log asks the system for.
    ///   - only: the steps to keep; `nil` for all of them.
    ///   - except: the steps not to keep, even if `only` picks them.
    ///   - every: of the events left, keeps the first and then every n-th.
    @inlinable
    public static func log(
        to memory: LogMemory<State, Event>, only: LogFilter<State, Event>? = nil, except: LogFilter<State, Event>? = nil, every: Int = 1
    ) -> Middleware { Middleware(needs: memory.format.needs) { memory.append($0) }.selecting(only: only, except: except, every: every) }
}

extension Middleware where State: Sendable, Event: Sendable {
    /// Logs each step as a line, formatted and written on a thread of its own: the loop pays for handing the step over.
    ///
    /// ```swift
    /// let thread = LogThread(to: .standardError)
    /// system.attach(.log(.changes, on: thread))
    /// ```
    /// Filters and levels are applied on the system's isolation. The lines of all systems that share a thread keep their order.
    public static func log(_ options: LogOptions<State, Event> = .compact, on thread: LogThread) -> Middleware {
        log(options, uncheckedOn: thread)
    }
}
