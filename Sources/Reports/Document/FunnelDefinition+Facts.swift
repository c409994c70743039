import Funnels

extension FunnelDefinition {
    /// Everything that could have changed a number, in the order of the definition's points.
    var facts: [ReportFact] {
        var facts = [ReportFact("Counted by", .data(key.description))]
        facts.append(ReportFact("Duplicates", .words("events with the same id count once")))
        facts.append(ReportFact("Order", .words(orderWords)))
        facts.append(ReportFact("Window", .words("\(DurationText.exact(windowMilliseconds)) from step 1, inclusive")))
        if let since { facts.append(ReportFact("Starts since", .moment(since))) }
        if let until { facts.append(ReportFact("Starts before", .moment(until))) }
        facts += steps.enumerated().map { ReportFact("Step \($0.offset + 1)", .data($0.element.description)) }
        return facts
    }

    private var orderWords: String {
        switch order {
        case .ordered: "ordered; other events may come between, events of one millisecond in any order"
        }
    }
}
