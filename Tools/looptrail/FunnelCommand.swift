import Funnels
import Reports

extension Command {
    static let funnel = Command(
        name: "funnel",
        summary: "count how far people get through a sequence of events",
        discussion: [
            "Each event that matches step 1 starts an attempt; it takes the first event that matches its next step, within the "
                + "window from its start. A user counts with the deepest attempt. Events with the same id count once; events of "
                + "one millisecond may stand in any order.",
            "A step is a name, * for any event, or (a | b) for one of several, with tests of properties in [ ]: "
                + "\(FilterOperator.help). A name with one of > ( ) | [ ] ? \" @ ! in it goes in double quotes. A ? behind a step makes "
                + "it optional: people may go on without it.",
            "An exclusion is written like a step. --exclude 'x@2-4' ends an attempt that meets x between steps 2 and 4, and counts it "
                + "up to where it was; with ! in front, '!x@2-4', a user whose deepest attempt meets it is not counted at all. "
                + "Without @ it holds between the first step and the last.",
            "A test compares numbers where both sides are numbers, else texts: version>=2.10 compares 2.9.1 as a text, "
                + "and price>=10 compares 7.36 EUR as a text, too. Where the property is missing or null, or an object or an array, only != "
                + "holds: price=null asks for the text null. price~\"\" asks for any value. No test finds events "
                + "without a value; a breakdown counts them, and those with an empty text, as (none). "
                + "--step-window changes which events are taken, so that times may differ, too.",
            "A start is mature if its window has ended when the data ends, or ends exactly then. By session a start is mature, too, if the "
                + "session has been silent for --session-timeout. --compare counts mature starts only, for both times, unless "
                + "--include-open is given.",
            "With --breakdown and --compare visits are counted, the starts of one session: users who are watched longer convert more "
                + "often, and their visits do not. A visit belongs to the time of its first start. A difference is claimed only where "
                + "chance and the way days differ make one as large in at most one of twenty cases. Groups are compared within the same "
                + "days, two times by the same weekdays, over days that the data cover.",
        ],
        operands: .inputs,
        flags: FunnelFlags.all + [ReportFlags.why.declaration] + ResultFlags.all + PartialFlags.ofFunnel + CommonFlags.reportWithGauges
            + CommonFlags.input + CommonFlags.summaries,
        essentials: FunnelFlags.essentials + [ResultFlags.compare.declaration, CommonFlags.output.declaration],
        examples: [
            Example(
                "the way to an order within an hour",
                ["funnel", "events/", "--steps", "product_viewed > cart_added > payment_succeeded", "--window", "1h"]),
            Example(
                "who fills the cart and clears it again is out; by plan",
                ["funnel", "events/", "--steps", "cart_added > paid", "--exclude", "!cart_cleared", "--breakdown", "props.plan"]),
            Example(
                "expensive products only, by session, as JSON",
                ["funnel", "events/", "--steps", "product_viewed[price>=100] > cart_added", "--by", "session", "-o", "funnel.json"]),
            Example(
                "this week beside the last, for a build that fails under 30% at step 2",
                [
                    "funnel", "events/", "--steps", "cart_added > paid", "--since", "now-7d", "--compare", "now-14d..now-7d",
                    "--fail-under", "2:30%",
                ]),
            Example(
                "gauges for Prometheus, by a timer, where node_exporter's text-file collector reads them",
                ["funnel", "events/", "--funnels", "funnels.json", "-o", "/var/lib/prometheus/node-exporter/funnels.prom"]),
        ], seeAlso: ["users", "trend", "why", "report", "sql"]
    ) { invocation in
        if let status = try PartialFlags.count(invocation) { return status }
        let definitions = try FunnelFlags.definitions(invocation)
        let compared = try ResultFlags.compared(invocation, with: definitions)
        let gates = try ResultFlags.gates(invocation, for: definitions)
        let isConfident = invocation.arguments[ResultFlags.confident]
        let output = try ReportOutput(invocation)
        try ResultFlags.refuseGauges(output, beside: [ResultFlags.compare.declaration, ReportFlags.why.declaration], invocation)
        invocation.noteUsers(in: definitions, besideGaugesIn: output)
        let whys = invocation.arguments[ReportFlags.why] ? try ReportFlags.whys(of: definitions) : []
        let source = try InputPaths(invocation)
        if !whys.isEmpty { try ReportFlags.requireSecondReading(of: source, for: ReportFlags.why.declaration.dashed) }
        let outcome = try source.read { reader, progress in
            try FunnelRun(definitions, comparedWith: compared, day: invocation.day())
                .results(reading: reader, threads: source.threads, progress: progress)
        }
        let results = Array(outcome.results.prefix(definitions.count))
        let others = outcome.results.dropFirst(definitions.count)
        let comparisons = zip(results, others).map { FunnelComparison(result: $0, other: $1) }
        let answers = try ReportFlags.answers(invocation, to: whys, from: source)
        let shown = (others.isEmpty ? results as [any Reportable] : comparisons) + answers
        try output.write(shown.count == 1 ? ReportDocument(shown[0]) : ReportDocument(title: "Funnels", results: shown))
        invocation.warn(of: results.flatMap(\.unseenNames))
        try invocation.warnOfProperties(in: definitions, from: source)
        invocation.warn(ofPaths: results.flatMap(\.unseenPaths))
        invocation.warn(ofStepsWithoutValueIn: results)
        invocation.warn(ofNothingLeftIn: results + others)
        invocation.warn(ofOpenWindowsIn: results + others)
        for comparison in comparisons { invocation.warn(ofRangesIn: comparison) }
        let missed = results.flatMap { result in gates.compactMap { $0.failure(of: result, isConfident: isConfident) } }
        for message in missed { invocation.console.alarm(message) }
        let status = invocation.verdict(on: results[0].input, outcome.reading, from: source)
        // Counts of damaged input say nothing about a gate.
        return status == .fine && !missed.isEmpty ? .gateMissed : status
    }
}
