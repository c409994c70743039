import Basics

extension FunnelDefinition {
    /// The definition as ``SavedFunnel/all(_:)`` reads it, without its range of time, its starts, its cohort and the data's end.
    var savedJSON: String {
        JSONWriter.line { writer in
            writer.member("name", name)
            writer.member("steps", steps.map(\.description).joined(separator: " > "))
            writer.member("window", "\(windowMilliseconds)ms")
            if let stepWindowMilliseconds { writer.member("step-window", "\(stepWindowMilliseconds)ms") }
            writer.member("session-timeout", "\(sessionTimeoutMilliseconds)ms")
            writer.member("by", key.description)
            writer.member("order", order.rawValue)
            writer.member("count", counting.rawValue)
            if let hold { writer.member("hold", PropertyPath.text(hold)) }
            if !exclusions.isEmpty { writer.array("exclude", exclusions) { $0.string($1.description) } }
            if let breakdown {
                writer.member("breakdown", breakdown.description)
                writer.member("top", breakdown.top)
            }
            writer.member("identify", identify)
            if let compat { writer.member("compat", compat.description) }
        }
    }
}
