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
    /// `+` marks an insertion, at its new index, and `−` a removal, at its old index. Elements that are `Identifiable` are followed by
    /// their ids. A step whose previous state is not known shows the whole state. Lines begin as those of ``compact`` do.
    ///
    /// The format needs ``/LoopCore/MiddlewareNeeds/previousState``, which has its price for states with large arrays.
    public static var changes: LogFormat { changes(timing: true) }

    /// What changed in the state, with or without the time it took.
    ///
    /// - Parameters:
    ///   - timing: `false` asks the system for no timing.
    ///   - max: how many changes of a step are shown one by one; the others are counted.
    public static func changes(timing: Bool, max: Int = 16) -> LogFormat {
        LogFormat(needs: timing ? [.previousState, .timing] : .previousState) { record, values in
            values.line { line in
                line.head(of: record)
                if let previous = record.step.previousState {
                    line.text(": ")
                    line.changes(from: previous, to: record.step.state, max: max)
                } else {
                    line.text(" → ")
                    line.state(record.step.state)
                }
                if timing { line.duration(of: record.step) }
            }
        }
    }
}
