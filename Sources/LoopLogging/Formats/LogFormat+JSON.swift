import Basics
import LoopCore
import TrackingEvents

extension LogFormat {
    /// One JSON object a line with the state after the step, for programs to read.
    ///
    /// ```json
    /// {"t_ms":1753000000123,"level":"info","number":1,"phase":"settled","outcome":"finished","origin":"Shop/Cart.swift:42","event":"load",
    ///  "value":"load(sku: \"a1\")","state":"loading","wait_ns":40,"reduce_ns":310,"effect_ns":12300000,"bindings_ns":0}
    /// ```
    /// Keys that a step has nothing for are left out: `t_ms` and `level` unless the log was given a clock and levels, `error` unless the
    /// step failed, `replay` unless it is `true`, and the last key, `system`, unless the system has a name. `phase` is `initial`, `loading`,
    /// `settled` or `effect`; `outcome` is `finished`, `failed` or `cancelled`. Values are texts, cut and escaped as in other formats.
    public static var json: LogFormat { json(changes: false) }

    /// One JSON object a line, with the state or with what changed in it.
    ///
    /// - Parameter changes: `true` writes `"changes":[{"path":"cart.items[2].qty","old":"1","new":"2"}]` in place of `state`, `"more"`,
    ///   the number of changes that are not shown, and `"complete":false` if the comparison ended early. It needs the previous state.
    public static func json(changes: Bool) -> LogFormat {
        var format = LogFormat(needs: changes ? [.previousState, .timing] : .timing) { record, values in
            let step = record.step
            return JSONWriter.line { json in
                if let time = record.time { json.member("t_ms", time.clampedMilliseconds) }
                if let level = record.level { json.member("level", level.word) }
                json.member("number", step.number)
                json.member("phase", step.phase.word)
                if let outcome = step.outcome { json.member("outcome", outcome.word) }
                if step.isReplay { json.member("replay", true) }
                if let origin = step.origin { json.member("origin", PlainText.of(origin.description)) }
                if let event = step.event {
                    json.member("event", values.text(ofNameOf: event))
                    json.member("value", values.text(ofEvent: event))
                }
                if let error = step.outcome?.error { json.member("error", values.text(ofError: error)) }
                if changes, let previous = step.previousState {
                    json.changes(values.changes(from: previous, to: step.state))
                } else {
                    json.member("state", values.text(ofState: step.state))
                }
                if let time = step.timing {
                    // A time that does not fit is longer than two hundred years, and is clamped.
                    json.member("wait_ns", time.queueWait)
                    json.member("reduce_ns", time.reduce)
                    if let effect = time.effect { json.member("effect_ns", effect) }
                    json.member("bindings_ns", time.bindings)
                }
                if let system = record.system { json.member("system", PlainText.of(system, limit: values.limit)) }
            }
        }
        format.isJSON = true
        return format
    }
}

extension JSONWriter {
    /// Writes the fields that say what changed, in JSON lines and in recordings of texts.
    package mutating func changes(_ changes: LogChanges) {
        array("changes", changes.shown) { json, change in
            json.object { json in
                json.member("path", change.path)
                if let old = change.old { json.member("old", old) }
                if let new = change.new { json.member("new", new) }
                if let note = change.note { json.member("note", note) }
            }
        }
        if changes.more > 0 { member("more", changes.more) }
        if !changes.isComplete { member("complete", false) }
    }
}

extension StepPhase {
    var word: String {
        switch self {
        case .initial: "initial"
        case .loading: "loading"
        case .settled: "settled"
        case .effectFailed: "effect"
        }
    }
}
