import Basics
import Funnels

extension FunnelDefinition {
    /// Everything that could have changed a number.
    var facts: [ReportFact] {
        let counted: String? =
            switch counting {
            case .users: breakdown?.attribution == .all ? "once for each value of the breakdown" : nil
            case .attempts: "every attempt"
            case .visits: "every visit: the starts of one session, in the time of the first"
            }
        let timeout = hasOwnTimeout ? DurationText.exact(sessionTimeoutMilliseconds) : nil
        let asked = [
            ReportFact("Counted by", .data(key.description)), ReportFact("Duplicates", .words("events with the same id count once")),
            ReportFact("Order", .words(order.words)),
            ReportFact("Window", .words("\(DurationText.exact(windowMilliseconds)) from \(order.windowOrigin), inclusive")),
            ReportFact("Step window", .words(stepWindowMilliseconds.map { "\(DurationText.exact($0)) from step to step, inclusive" })),
            ReportFact("Counted", .words(counted)), ReportFact("A session ends after", .words(timeout)),
            ReportFact("Held along a chain", .data(hold.map { PropertyPath.text($0) })), ReportFact(breakdown: breakdown),
            ReportFact(identify: identify), ReportFact("As counted by", .data(compat?.description)),
            ReportFact("Starts since", since.map { .moment($0) } ?? .none), ReportFact("Starts before", until.map { .moment($0) } ?? .none),
            ReportFact("Starts", .words(starts == .mature ? "only those whose window has ended with the data" : nil)),
            ReportFact("The data ends", dataEnd.map { .moment($0) } ?? .none),
        ]
        return ReportFact.known(asked) + steps.enumerated().map { ReportFact("Step \($0.offset + 1)", .data($0.element.description)) }
            + cohort.facts + exclusions.map { ReportFact($0.spoils ? "Removed by" : "Ended by", .data($0.description)) }
    }

    private var hasOwnTimeout: Bool { sessionTimeoutMilliseconds != Self.defaultSessionTimeoutMilliseconds }

    /// `12,304 visits`, `912 attempts by user`, `310 users`, `402 pairs of user and value`: what entered.
    func counted(_ count: Int, in table: TableReport) -> String {
        switch counting {
        case .users where breakdown?.attribution == .all:
            "\(GroupedNumber.counted(count, "pair")) of \(table.shown(key.description)) and value"
        case .users: table.counted(count, by: key)
        case .attempts: "\(GroupedNumber.counted(count, "attempt")) by \(table.shown(key.description))"
        case .visits: GroupedNumber.counted(count, "visit")
        }
    }

    /// `any 2 of 3`: what the row of a step counts where steps have no order; `nil` where it counts the step. 1 is the first.
    package func anySteps(_ step: Int) -> String? { order.numbersSteps ? nil : "any \(step) of \(steps.count)" }

    /// What the row of a step counts, in a table.
    func row(_ step: Int) -> ReportValue { anySteps(step).map { .words($0) } ?? .data(steps[step - 1].description) }

    var windowWords: String { "window \(DurationText.exact(windowMilliseconds)) from \(order.windowOrigin)" }

    /// How the steps had to follow each other, and whatever else was asked for. A part too long for a line has `\n` where it may break.
    func modes(in table: TableReport) -> [String] {
        // No text from people may fill a line by itself.
        let room = min(max((table.style.width ?? 200) - 22, 8), 60)
        var modes = [order.rawValue]
        if let stepWindowMilliseconds { modes.append("at most \(DurationText.exact(stepWindowMilliseconds)) from step to step") }
        if let hold { modes.append("one value of \(table.shown(PropertyPath.text(hold), atMost: room))") }
        modes += exclusions.map { exclusion in
            // Without the `!` of one that spoils: the words say that.
            let event = FunnelExclusion(exclusion.pattern, steps: exclusion.steps).description
            return (exclusion.spoils ? "without users whose deepest attempts\nall met " : "ended by ") + table.shown(event, atMost: room)
        }
        if !identify { modes.append("anonymous ids not joined") }
        if let compat { modes.append("as \(compat.description) counts") }
        if starts == .mature { modes.append("mature starts only") }
        modes += cohort.words(in: table)
        return modes
    }

    func limits(in table: TableReport) -> [String?] {
        [breakdown.map { "by \(table.shown($0.description))" }, table.times(since, until, what: "starts")]
    }

    /// The field `definition` of a JSON report, with what a question asks beyond its funnel.
    func json(_ more: JSONObject = [:]) -> JSONObject {
        let steps: [JSONObject] = self.steps.map { ["name": $0.pattern.title, "filter": $0.pattern.filter, "optional": $0.isOptional] }
        let exclusions: [JSONObject] = self.exclusions.map {
            [
                "name": $0.pattern.title, "filter": $0.pattern.filter, "from_step": $0.steps?.lowerBound ?? 1,
                "to_step": $0.steps?.upperBound ?? steps.count, "spoils": $0.spoils,
            ]
        }
        var json: JSONObject = [
            "steps": steps, "window_ms": windowMilliseconds, "step_window_ms": stepWindowMilliseconds, "order": order.rawValue,
            "by": key.description, "ties": "any", "count": counting.rawValue, "dedupe": "id", "hold": hold.map { PropertyPath.text($0) },
            "exclusions": exclusions, "since_ms": since, "until_ms": until, "compat": compat?.description, "mature": starts == .mature,
        ]
        // Only where they were asked for, so that the keys of a plain funnel stay as they are.
        if let breakdown { json += breakdown.json }
        if !identify { json += ["identify": false] }
        if let dataEnd { json += ["data_end_ms": dataEnd] }
        if hasOwnTimeout { json += ["session_timeout_ms": sessionTimeoutMilliseconds] }
        return ["definition": json + cohort.json + more]
    }
}

extension ReportFact {
    init(breakdown: FunnelBreakdown?) { self.init("Breakdown", .data(breakdown.map { "\($0), top \($0.top)" })) }

    init(identify: Bool) { self.init("Identified users", .words(identify ? nil : "not joined to their anonymous ids")) }
}

extension FunnelBreakdown { var json: JSONObject { ["breakdown": description, "top": top] } }

extension FunnelKey {
    var isProperty: Bool { if case .property = self { true } else if case .context = self { true } else { false } }

    /// What a key is called where only Looptrail's own words may stand: a property's path is data.
    var words: String { isProperty ? "the property" : description }
}
