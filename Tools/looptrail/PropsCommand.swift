import EventFiles
import Funnels
import Reports

/// Flags of `props`.
enum PropsFlags {
    static let session = Flag("session", "List the properties of sessions, not of an event; there is no NAME then")
    static let top = Flag(
        "top", in: .output, .count(0...1000, example: "20"), "How many values of a property are shown; the most frequent", standard: "5")

    /// How many event names the message about a missing NAME lists.
    private static let mostNames = 20

    /// Refuses a call such as `props events/`, which has a path in place of NAME, and says which names there are.
    static func refuseMissingName(_ invocation: Invocation) throws {
        guard !invocation.arguments[session], let only = invocation.arguments.operands.first, invocation.arguments.operands.count == 1,
            only != "-", InputPaths.isPath(only),
            let reader = try? EventFileReader(paths: [only]), let outcome = try? CatalogueRun().answer(reading: reader)
        else { return }
        let names = outcome.answer.entries.map(\.name)
        // A file may have an event's name by chance, so this operand is taken for the name.
        if !only.contains("/"), names.isEmpty || names.contains(only) { return }
        let list = names.prefix(mostNames).map { "`\($0)`" }.joined(separator: ", ")
        let more = names.count > mostNames ? " and \(names.count - mostNames) more (`looptrail events` lists them)" : ""
        throw UsageError(
            "NAME is needed before the path `\(only)`" + (names.isEmpty ? ", which has no events" : ", where there are \(list)\(more)"))
    }
}

extension Command {
    static let props = Command(
        name: "props",
        summary: "list the properties of one event: types, how many have them, values",
        discussion: [
            "Shows what tests in [ ], --by and --breakdown can ask about. A dot leads into an object. Events with the same id count "
                + "once. Where a property has more different values than are kept, their number is estimated and marked with ~, and "
                + "only values that are certainly frequent are shown."
        ],
        operands: .textAndInputs(placeholder: "NAME", example: "cart_added", summary: "The event's name, as it stands in the files"),
        flags: [PropsFlags.session.declaration, PropsFlags.top.declaration] + TimeFlags.all + CohortFlags.all + CommonFlags.report
            + CommonFlags.input + CommonFlags.summaries,
        essentials: [PropsFlags.session.declaration, PropsFlags.top.declaration] + TimeFlags.all + CohortFlags.all
            + CommonFlags.essentials,
        examples: [
            Example("what comes with an event", ["props", "product_viewed", "events/"]),
            Example("what is known of sessions: platforms, versions", ["props", "--session", "events/"]),
            Example(
                "the twenty most frequent values, for a program", ["props", "error_shown", "events/", "--top", "20", "--format", "json"]),
        ], seeAlso: ["events", "funnel"], switchForText: PropsFlags.session
    ) { invocation in
        let (range, top) = (try TimeFlags.range(invocation), try invocation.arguments.value(of: PropsFlags.top))
        let cohort = try CohortFlags.filter(invocation)
        var run = invocation.arguments[PropsFlags.session] ? .sessions : PropertyRun(name: invocation.arguments.operands[0])
        (run.top, run.range, run.cohort) = (top, range, cohort)
        try PropsFlags.refuseMissingName(invocation)
        let output = try ReportOutput(invocation)
        let source = try InputPaths(invocation)
        let (catalogue, reading) = try source.answer(run)
        try output.write(ReportDocument(catalogue))
        if let unseen = catalogue.unseenName { invocation.warn(of: [unseen]) }
        invocation.warn(ofNothingLeftOf: "events", in: range, of: cohort, catalogue.input)
        return invocation.verdict(on: catalogue.input, reading, from: source)
    }
}
