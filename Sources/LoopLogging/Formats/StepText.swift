import LoopCore

/// The parts that formats of one line share.
struct StepText<State, Event> {
    let step: Step<State, Event>
    let values: LogValues<State, Event>

    /// `[warning] replay #3 Shop/Cart.swift:42 load(sku: "a1") failed: timeout`
    var head: String {
        var line = values.level.map { "[\($0)] " } ?? ""
        if step.isReplay { line += "replay " }
        line += "#\(step.number)"
        if let origin = step.origin { line += " \(PlainText.of(origin.description))" }
        if let event = step.event { line += " \(values.text(ofEvent: event))" }
        if let outcome { line += " \(outcome)" }
        return line
    }

    /// How it went; `nil` where that goes without saying.
    private var outcome: String? {
        switch (step.phase, step.outcome) {
        case (.initial, _): return "initial"
        case (.loading, _): return "loading"
        case (.settled, .failed(let error)): return "failed: \(values.text(ofError: error))"
        case (.settled, .cancelled): return "cancelled"
        case (.settled, .finished), (.settled, nil): return nil
        case (.effect, let outcome):
            guard let error = outcome?.error else { return "effect failed" }
            return "effect failed: \(values.text(ofError: error))"
        }
    }

    /// ` in 40 ns`: the reducer, its asynchronous work and the bindings.
    var duration: String {
        guard step.phase == .settled, let time = step.timing else { return "" }
        return " in \(NanosecondText.of(time.reduce &+ (time.effect ?? 0) &+ time.bindings))"
    }
}
