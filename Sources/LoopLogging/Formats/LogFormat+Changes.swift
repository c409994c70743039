import LoopCore

extension LogFormat {
    /// What changed in the state and nothing else: only the paths that differ.
    ///
    /// ```
    /// #0 initial → Shop(cart: Cart(items: []), user: nil)
    /// #1 Shop/Cart.swift:42 add("a1"): cart.items[0]: + Item(sku: "a1", qty: 1) in 4.12 µs
    /// #2 Shop/Cart.swift:57 more(0): cart.items[0].qty: 1 → 2, cart.total: 5 → 10 in 3.90 µs
    /// #3 Shop/Cart.swift:57 look: no change in 1.04 µs
    /// ```
    /// `+` stands before what was inserted, at its place after, and `−` before what was removed, at its place before. Elements that are
    /// `Identifiable` are followed by their ids. A step of which the state before is not known tells the whole state.
    ///
    /// The format needs ``/LoopCore/MiddlewareNeeds/previousState``, which has its price for states with large arrays.
    public static var changes: LogFormat { changes(timing: true) }

    /// The same, with or without the time.
    ///
    /// - Parameters:
    ///   - timing: `false` asks the system for no timing.
    ///   - most: how many changes of a step are told one by one; the others are counted.
    public static func changes(timing: Bool, most: Int = LogChanges.most) -> LogFormat {
        LogFormat(needs: timing ? [.previousState, .timing] : .previousState) { step, values in
            let text = StepText(step: step, values: values)
            let duration = timing ? text.duration : ""
            guard let previous = step.previousState else { return "\(text.head) → \(values.text(ofState: step.state))\(duration)" }
            return "\(text.head): \(values.changes(from: previous, to: step.state, most: most).text)\(duration)"
        }
    }
}
