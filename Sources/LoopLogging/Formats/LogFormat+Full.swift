import LoopCore

extension LogFormat {
    /// All that is known of a step, still on one line: the states before and after, and each part of the time.
    ///
    /// ```
    /// #1 Shop/Cart.swift:42 load(sku: "a1") | before: start | after: loaded(…) | waited 40 ns, reduce 310 ns, effect 12.3 ms, bindings 2.10 µs
    /// ```
    public static var full: LogFormat {
        LogFormat(needs: [.previousState, .timing]) { step, values in
            var line = StepText(step: step, values: values).head
            if let previous = step.previousState { line += " | before: \(values.text(ofState: previous))" }
            line += " | after: \(values.text(ofState: step.state))"
            guard let time = step.timing else { return line }
            line += " | waited \(NanosecondText.of(time.queueWait)), reduce \(NanosecondText.of(time.reduce))"
            if let effect = time.effect { line += ", effect \(NanosecondText.of(effect))" }
            return line + ", bindings \(NanosecondText.of(time.bindings))"
        }
    }
}
