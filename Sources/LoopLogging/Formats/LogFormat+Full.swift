import Basics
import LoopCore

extension LogFormat {
    /// All that is known of a step, still on one line: the states before and after, and each part of the time it took.
    ///
    /// ```
    /// #1 Shop/Cart.swift:42 load(sku: "a1") | before: start | after: loaded(…) | waited 40 ns, reduce 310 ns, effect 12.3 ms, bindings 2.10 µs
    /// ```
    /// Lines begin as those of ``compact`` do.
    public static var full: LogFormat {
        LogFormat(needs: [.previousState, .timing]) { record, values in
            values.line { line in
                line.head(of: record)
                if let previous = record.step.previousState {
                    line.text(" | before: ")
                    line.state(previous)
                }
                line.text(" | after: ")
                line.state(record.step.state)
                guard let time = record.step.timing else { return }
                line.text(made: " | waited \(NanosecondText.of(time.queueWait)), reduce \(NanosecondText.of(time.reduce))")
                if let effect = time.effect { line.text(made: ", effect \(NanosecondText.of(effect))") }
                line.text(made: ", bindings \(NanosecondText.of(time.bindings))")
            }
        }
    }
}
