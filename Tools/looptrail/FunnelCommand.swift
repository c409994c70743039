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
            "A step is a name, * for any event, or (a | b) for one of several, with tests of properties in [ ]: = != < <= > >= "
                + "and ~ for contains. A name with one of > ( ) | [ ] ? \" @ ! in it goes in double quotes. A ? behind a step makes "
                + "it optional: people may go on without it.",
            "An exclusion is written like a step. --exclude 'x@2-4' ends an attempt that meets x between steps 2 and 4, and counts it "
                + "up to where it was; with ! in front, '!x@2-4', a user whose deepest attempt meets it is not counted at all. "
                + "Without @ it holds between the first step and the last.",
        ],
        operands: .inputs,
        flags: FunnelFlags.all + CommonFlags.report + CommonFlags.input,
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
        ]
    ) { invocation in
        let definitions = try FunnelFlags.definitions(invocation)
        let output = try ReportOutput(invocation)
        let source = try InputPaths(invocation)
        let outcome = try source.read { reader, progress in
            try FunnelRun(definitions).results(reading: reader, threads: source.threads, progress: progress)
        }
        guard let result = outcome.results.first else { return .failure }
        let results = outcome.results
        try output.write {
            results.count == 1 ? $0.text(of: result) : $0.text(of: ReportDocument(title: "Funnels", results: results))
        }
        var told: Set<UnseenName> = []
        invocation.warn(of: results.flatMap(\.unseenNames).filter { told.insert($0).inserted })
        return invocation.verdict(on: result.input, outcome.reading, from: source)
    }
}
