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
    /// The time is that of the reducer, of its asynchronous work and of the bindings; what the event waited before is not in it.
    public static var compact: LogFormat { compact(timing: true) }

    /// The same, with or without the time.
    ///
    /// - Parameter timing: `false` asks the system for no timing, which saves three or four clock reads a step.
    public static func compact(timing: Bool) -> LogFormat {
        LogFormat(needs: timing ? .timing : []) { step, values in
            let text = StepText(step: step, values: values)
            // Another middleware may have asked for the time; the line is the same with and without that one.
            return "\(text.head) → \(values.text(ofState: step.state))\(timing ? text.duration : "")"
        }
    }
}
