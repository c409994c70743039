import LoopCore

extension LogFormat {
    /// One line a step: number, origin of the send, event, how it went, the state after, the time it took.
    ///
    /// ```
    /// #0 initial → start
    /// #1 Shop/Cart.swift:42 load(sku: "a1") loading → loading
    /// #1 Shop/Cart.swift:42 load(sku: "a1") → loaded(Product(sku: "a1")) in 12.3 ms
    /// #2 Shop/Cart.swift:57 pay failed: timeout → cart(3) in 3.20 s
    /// #3 Shop/Cart.swift:57 pay cancelled → cart(3) in 417 ms
    /// ```
    /// The time it took is that of the reducer, of its asynchronous work and of the bindings, without the wait in the queue. A line begins
    /// with the time of day if the log was given a clock, with the level if it was given levels, and with the system's name if it has one:
    /// ```
    /// 2025-07-20T08:26:40.123Z [warning] stock #2 Shop/Cart.swift:57 pay failed: timeout → cart(3) in 3.20 s
    /// ```
    public static var compact: LogFormat { compact(timing: true) }

    /// One line a step, with or without the time it took.
    ///
    /// - Parameter timing: `false` asks the system for no timing, which saves three clock reads a step, five if there are bindings.
    public static func compact(timing: Bool) -> LogFormat {
        LogFormat(needs: timing ? .timing : []) { record, values in
            values.line { line in
                line.head(of: record)
                line.text(" → ")
                line.state(record.step.state)
                // Another middleware may have asked for the time; the line is the same with and without that one.
                if timing { line.duration(of: record.step) }
            }
        }
    }
}
