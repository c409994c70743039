import Funnels

extension FunnelDefinition {
    /// Everything that could have changed a number, in the order of the definition's points.
    var facts: [ReportFact] {
        var facts = [ReportFact("Counted by", .data(key.description))]
        facts.append(ReportFact("Duplicates", .words("events with the same id count once")))
        facts.append(ReportFact("Order", .words(orderWords)))
        facts.append(
            ReportFact(
                "Window",
                .words("\(DurationText.exact(windowMilliseconds)) from \(order == .any ? "the earliest step" : "step 1"), inclusive")))
        if let stepWindowMilliseconds {
            facts.append(ReportFact("Step window", .words("\(DurationText.exact(stepWindowMilliseconds)) from step to step, inclusive")))
        }
        if counting == .attempts { facts.append(ReportFact("Counted", .words("every attempt"))) }
        if let hold { facts.append(ReportFact("Held along a chain", .data(PropertyPath.text(hold)))) }
        if let breakdown { facts.append(ReportFact("Breakdown", .data("\(breakdown), top \(breakdown.top)"))) }
        if !identify { facts.append(ReportFact("Identified users", .words("not joined to their anonymous ids"))) }
        if let compat { facts.append(ReportFact("As counted by", .data(compat.description))) }
        if let since { facts.append(ReportFact("Starts since", .moment(since))) }
        if let until { facts.append(ReportFact("Starts before", .moment(until))) }
        facts += steps.enumerated().map { ReportFact("Step \($0.offset + 1)", .data($0.element.description)) }
        facts += exclusions.map { ReportFact($0.spoils ? "Removed by" : "Ended by", .data($0.description)) }
        return facts
    }

    private var orderWords: String {
        switch order {
        case .ordered: "ordered; other events may come between, events of one millisecond in any order"
        case .strict: "strict; no other event may come between, events of one millisecond in any order"
        case .any: "any; the n-th bar counts any n of the steps inside one window from the earliest of them"
        }
    }
}
