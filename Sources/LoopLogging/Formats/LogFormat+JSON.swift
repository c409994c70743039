import LoopCore
import TrackingEvents

extension LogFormat {
    /// One JSON object a line, for programs to read.
    ///
    /// ```json
    /// {"t_ms":1753000000123,"level":"info","number":1,"phase":"settled","outcome":"finished","origin":"Shop/Cart.swift:42","event":"load",
    ///  "value":"load(sku: \"a1\")","state":"loading","wait_ns":40,"reduce_ns":310,"effect_ns":12300000,"bindings_ns":0}
    /// ```
    /// Keys that a step has nothing for are left out: `t_ms` and `level` unless the log was given a clock and levels, `error` unless
    /// the step failed, `replay` unless it is `true`. `phase` is `initial`, `loading`, `settled` or `effect`; `outcome` is `finished`, `failed` or
    /// `cancelled`. Values are texts, cut and escaped as in the other formats.
    public static var json: LogFormat { json(changes: false) }

    /// The same, with the state or with what changed in it.
    ///
    /// - Parameter changes: `true` tells `"changes":[{"path":"cart.items[2].qty","old":"1","new":"2"}]` in place of `state`, and `"more"`, the number of
    ///   those not told one by one, if there are any. It needs the previous state.
    public static func json(changes: Bool) -> LogFormat {
        LogFormat(needs: changes ? [.previousState, .timing] : .timing) { step, values in
            var object = JSONObject()
            if let time = values.timeMilliseconds { object.add("t_ms", time) }
            if let level = values.level { object.add("level", level.description) }
            object.add("number", Int64(step.number))
            object.add("phase", step.phase.word)
            if let outcome = step.outcome { object.add("outcome", outcome.word) }
            if step.isReplay { object.add("replay", true) }
            if let origin = step.origin { object.add("origin", PlainText.of(origin.description)) }
            if let event = step.event {
                object.add("event", values.text(ofNameOf: event))
                object.add("value", values.text(ofEvent: event))
            }
            if let error = step.outcome?.error { object.add("error", values.text(ofError: error)) }
            if changes, let previous = step.previousState {
                object.add(values.changes(from: previous, to: step.state))
            } else {
                object.add("state", values.text(ofState: step.state))
            }
            if let time = step.timing {
                object.add("wait_ns", time.queueWait)
                object.add("reduce_ns", time.reduce)
                if let effect = time.effect { object.add("effect_ns", effect) }
                object.add("bindings_ns", time.bindings)
            }
            return object.text
        }
    }
}

extension JSONObject {
    fileprivate mutating func add(_ changes: LogChanges) {
        add(
            "changes",
            changes.told.map { change in
                var object = JSONObject()
                object.add("path", change.path)
                if let old = change.old { object.add("old", old) }
                if let new = change.new { object.add("new", new) }
                if let note = change.note { object.add("note", note) }
                return object
            })
        if changes.more > 0 { add("more", Int64(changes.more)) }
        if !changes.isComplete { add("complete", false) }
    }
}

extension Step.Phase {
    fileprivate var word: String {
        switch self {
        case .initial: "initial"
        case .loading: "loading"
        case .settled: "settled"
        case .effect: "effect"
        }
    }
}

extension Step.Outcome {
    /// `finished`, `failed` or `cancelled`.
    var word: String {
        switch self {
        case .finished: "finished"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }
}
