import Funnels
import Reports

extension Command {
    static let explain = Command(
        name: "explain",
        summary: "say why a user did not convert, and what would have counted",
        discussion: [
            "Looks for one change with which the user would have converted. It tries, in this order: starts at any time (range), an id of "
                + "the same session that was never identified (alias), another value of a property (filter), one event less (excluded, "
                + "interrupted), an event at another time, as near as possible (late, order), one event more (missing). If no single "
                + "change is enough, it looks for several. The funnel itself counts each answer before it is printed. If a session has "
                + "more than 16 other ids that were never identified, none is tried. To try changes, the funnel follows at most 20,000,000 "
                + "events of a user, and again for several. If these are too few, the result says that the search did not reach its end.",
            "Without USER it adds up what kept those who entered the funnel from converting. If these are more than 10,000, a hash chooses "
                + "10,000. The first operand is the USER, or what --by counts, unless it names a file or folder, or a pattern of them.",
        ],
        operands: .textAndInputs(placeholder: "USER", example: "u17", summary: "The user's id, as it stands in the files"),
        flags: flags,
        essentials: FunnelFlags.essentials.filter { $0.name != FunnelFlags.breakdown.declaration.name }
            + [CommonFlags.output.declaration],
        examples: [
            Example(
                "why one user did not pay",
                ["explain", "u17", "events/", "--steps", "cart_added > payment_succeeded", "--window", "1h"]),
            Example("what keeps most of them from paying", ["explain", "events/", "--steps", "cart_added > payment_succeeded"]),
        ], pathNote: filesOnly, seeAlso: ["users", "user", "why"], textIsOptional: true
    ) { invocation in
        let definition = try FunnelFlags.single(invocation)
        let run: ExplainRun
        do throws(ExplainError) { run = try ExplainRun(definition) } catch { throw UsageError("\(error)") }
        let output = try ReportOutput(invocation)
        if !invocation.command.takesText(invocation.arguments), let stray = invocation.inputs.first(where: { !InputPaths.isPath($0) }) {
            invocation.console.note("`\(stray)` is no file or folder; a USER comes before the paths")
        }
        let source = try InputPaths(invocation, operands: try invocation.namedPaths)
        guard invocation.command.takesText(invocation.arguments), let key = invocation.arguments.operands.first else {
            let outcome = try source.read { reader, progress in
                try run.reasons(reading: reader, threads: source.threads, progress: progress)
            }
            try output.write(ReportDocument(outcome.reasons))
            invocation.warn(of: outcome.reasons.unseenNames)
            try invocation.warnOfProperties(in: [definition], from: source)
            invocation.warn(ofNothingLeftOf: "starts", in: definition, outcome.reasons.input)
            invocation.warn(ofClocksBefore: outcome.reasons.input.dataEnd)
            return invocation.verdict(on: outcome.reasons.input, outcome.reading, from: source)
        }
        let outcome = try source.read { reader, progress in
            try run.explanation(of: key, reading: reader, threads: source.threads, progress: progress)
        }
        let explanation = outcome.explanation
        try output.write(ReportDocument(explanation))
        if explanation.key != key { invocation.console.note("`\(key)` became `\(explanation.key)`, whose events count together") }
        invocation.warn(of: explanation.unseenNames)
        try invocation.warnOfProperties(in: [definition], from: source)
        if !explanation.hasEvents { invocation.console.warning("no event of these steps is by `\(key)`") }
        invocation.warn(ofClocksBefore: explanation.input.dataEnd)
        return invocation.verdict(on: explanation.input, outcome.reading, from: source)
    }

    private static var flags: [FlagDeclaration] {
        let without = [FunnelFlags.compat.declaration.name, FunnelFlags.count.declaration.name]
        return FunnelFlags.withoutGroups.filter { !without.contains($0.name) } + CommonFlags.report + CommonFlags.input
            + CommonFlags.summaries
    }
}
