import Funnels
import Reports

/// Flags of `props`.
enum PropsFlags {
    static let top = Flag("top", .count(0...1000, example: "20"), "How many of a property's most frequent values are shown", standard: "5")
}

extension Command {
    static let props = Command(
        name: "props",
        summary: "list the properties of one event: types, how many have them, values",
        discussion: [
            "Shows what tests in [ ] and --by props.PATH can ask about. A dot leads into an object. Events with the same id count "
                + "once. Where a property has more different values than are kept, their number is estimated and marked with ~, and "
                + "only values that are certainly frequent are shown."
        ],
        operands: .textAndInputs(placeholder: "NAME", example: "cart_added", summary: "The event's name, as it stands in the files"),
        flags: [PropsFlags.top.declaration] + TimeFlags.all + CohortFlags.all + CommonFlags.report + CommonFlags.input,
        examples: [
            Example("what comes with an event", ["props", "product_viewed", "events/"]),
            Example(
                "the twenty most frequent values, for a program", ["props", "error_shown", "events/", "--top", "20", "--format", "json"]),
        ]
    ) { invocation in
        let range = try TimeFlags.range(invocation)
        let run = PropertyRun(
            name: invocation.arguments.operands[0], top: try invocation.arguments.value(of: PropsFlags.top), range: range,
            cohort: try CohortFlags.filter(invocation))
        let output = try ReportOutput(invocation)
        let source = try InputPaths(invocation)
        let outcome = try source.read { reader, progress in
            try run.catalogue(reading: reader, threads: source.threads, progress: progress)
        }
        try output.write(ReportDocument(outcome.catalogue))
        if let unseen = outcome.catalogue.unseenName { invocation.warn(of: [unseen]) }
        return invocation.verdict(on: outcome.catalogue.input, outcome.reading, from: source)
    }
}
