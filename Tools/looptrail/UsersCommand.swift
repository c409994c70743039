import Basics
import Funnels
import Reports

/// Flags of `users` beside those of a funnel.
enum UsersFlags {
    static let step = Flag(
        "step", .count(1...32, example: "3"), "The step whose users are listed, 1 for the first (default: the last required one)",
        repetition: .refused)
    static let dropped = Flag("dropped", "List those who reached the step before but not this one")

    static let all = [step.declaration, dropped.declaration]

    /// The keys that the call asks for.
    static func selection(_ invocation: Invocation, of definition: FunnelDefinition) throws(UsageError) -> FunnelPeople.Selection {
        let step = invocation.arguments[step] ?? definition.lastRequiredStep + 1
        guard step <= definition.steps.count else {
            throw UsageError("--step \(step): the funnel has \(definition.steps.count) step\(definition.steps.count == 1 ? "" : "s")")
        }
        if invocation.arguments[dropped] && step == 1 {
            throw UsageError("--dropped: nobody can be lost before step 1; give --step 2 or more, of a funnel with as many steps")
        }
        return invocation.arguments[dropped] ? .dropped(step: step) : .reached(step: step)
    }
}

extension Command {
    static let users = Command(
        name: "users",
        summary: "list the keys behind a bar of a funnel: who got there, or who was lost",
        discussion: [
            "Counts the funnel as `looptrail funnel --count users` does, or as --count says, and lists the users of one step, or whatever --by "
                + "counts: when each entered, when it took its last step, and which step that was. Sorted by the time of entry, then by key."
        ],
        operands: .inputs,
        flags: UsersFlags.all + FunnelFlags.all + CommonFlags.report + CommonFlags.input + CommonFlags.summaries,
        essentials: UsersFlags.all + FunnelFlags.essentials.filter { $0.name != FunnelFlags.breakdown.declaration.name }
            + [CommonFlags.output.declaration],
        examples: [
            Example("who paid", ["users", "events/", "--steps", "cart_added > payment_succeeded", "--step", "2"]),
            Example(
                "who was lost on the way to payment, for a spreadsheet",
                ["users", "events/", "--steps", "cart_added > payment_succeeded", "--step", "2", "--dropped", "-o", "lost.csv"]),
        ], seeAlso: ["funnel", "why"]
    ) { invocation in
        let definition = try FunnelFlags.single(invocation)
        let selection = try UsersFlags.selection(invocation, of: definition)
        let output = try ReportOutput(invocation)
        let source = try InputPaths(invocation)
        let outcome = try source.read { reader, progress in
            try FunnelRun([definition]).members(selection, reading: reader, threads: source.threads, progress: progress)
        }
        try output.write(ReportDocument(outcome.members))
        // A list of users that is read from such a CSV would hold other keys, which nobody has.
        let spelled = outcome.members.members.count { TerminalText.visible($0.key) != $0.key }
        if spelled > 0, output.targets.contains(where: { $0.formatName == "csv" }) {
            invocation.console.warning(
                "\(GroupedNumber.counted(spelled, "key has", "keys have")) characters that do not show and CSV spells out: --only-users and "
                    + "--not-users find them by the JSON of -o FILE.json")
        }
        invocation.warn(of: outcome.members.unseenNames)
        try invocation.warnOfProperties(in: [definition], from: source)
        invocation.warn(ofPaths: outcome.members.unseenPaths)
        invocation.warn(ofNothingLeftOf: "starts", in: definition, outcome.members.input)
        if definition.starts == .mature { invocation.warn(ofClocksBefore: outcome.members.input.dataEnd) }
        return invocation.verdict(on: outcome.members.input, outcome.reading, from: source)
    }
}
