import Funnels
import Reports

extension Command {
    static let events = Command(
        name: "events",
        summary: "list the events there are: counts, users, first and last seen",
        discussion: [
            "Shows what a funnel can ask about. Events with the same id count once. A user is the id that an event has. Anonymous ids are "
                + "users of their own, also on the lists of --only-users and --not-users; `looptrail funnel` joins them to their users."
        ],
        operands: .inputs,
        flags: TimeFlags.all + CohortFlags.all + CommonFlags.report + CommonFlags.input + CommonFlags.summaries,
        essentials: TimeFlags.all + CohortFlags.all + CommonFlags.essentials,
        examples: [
            Example("what is in a folder", ["events", "events/"]),
            Example("of the last week", ["events", "events/", "--since", "now-7d"]),
            Example("the same for a program", ["events", "events/", "--format", "json"]),
        ], seeAlso: ["props", "funnel"]
    ) { invocation in
        let range = try TimeFlags.range(invocation)
        let cohort = try CohortFlags.filter(invocation)
        let output = try ReportOutput(invocation)
        let source = try InputPaths(invocation)
        let (catalogue, reading) = try source.answer(CatalogueRun(range: range, cohort: cohort))
        try output.write(ReportDocument(catalogue))
        invocation.warn(ofNothingLeftOf: "events", in: range, of: cohort, catalogue.input)
        return invocation.verdict(on: catalogue.input, reading, from: source)
    }
}
