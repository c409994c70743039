import Basics
import Funnels
import Reports

/// Flags of `timings`.
enum TimingsFlags {
    static let system = Flag(
        "system", .systemName, "Show only the loop of this name; several may write into the same files", repetition: .refused)
    static let top = Flag("top", in: .output, .count(1...10_000, example: "5"), "Show only the N slowest events; by their time in total")

    /// The lists that say whose lines count. They must list systems, because a timing line names its system and no user.
    static func cohort(_ invocation: Invocation) throws(UsageError) -> CohortFilter {
        let filter = try CohortFlags.filter(invocation, countedBy: [])
        for (flag, cohort) in [(CohortFlags.only, filter.only), (CohortFlags.except, filter.except)] {
            guard let cohort, cohort.key != .system else { continue }
            throw UsageError(
                "\(flag.declaration.dashed): `\(cohort.name)` lists keys by \(cohort.key), and timing lines have a system only: give a list "
                    + "that `looptrail users --by system -o FILE.json` wrote")
        }
        return filter
    }
}

extension ValueKind<String> {
    /// The name of a system.
    static let systemName = text("name", placeholder: "NAME", example: "shop")
}

extension Command {
    static let timings = Command(
        name: "timings",
        summary: "show how long the loop took by event and phase: p50, p90, p99, max",
        discussion: [
            "Adds up the timing lines that a program writes beside its events: a histogram each, so that those of many files and "
                + "machines together give the percentiles of everything, within 1.6 %. Times are from `send` to the reducer "
                + "(queue_wait), in it (reduce), of asynchronous work (effect), of views (bindings), of whoever watches (middleware), and "
                + "of all of it (total). Beside the total stand the effects that an event starts in the reducer or in feedbacks (feedback).",
            "--since and --until go by when a line was written; a line covers the time since the line before it.",
            "In JSON, `timings` has for each system, event and phase its count and, in nanoseconds, p50_ns, p90_ns, p99_ns, min_ns, max_ns, "
                + "mean_ns and total_ns; beside it stand left_out (events that --top left out), lines, unreadable_lines, first_ms and "
                + "last_ms (of the lines), and input as in all reports. CSV has the same columns.",
        ],
        operands: .inputs,
        flags: [TimingsFlags.system.declaration, TimingsFlags.top.declaration] + TimeFlags.all + CohortFlags.all + CommonFlags.report
            + CommonFlags.input,
        essentials: [TimingsFlags.system.declaration, TimingsFlags.top.declaration] + TimeFlags.all + CommonFlags.essentials,
        examples: [
            Example("what is slow in a folder of event files", ["timings", "events/"]),
            Example("the five events that take most time, of the last day", ["timings", "events/", "--top", "5", "--since", "now-1d"]),
            Example("the same for a program", ["timings", "events/", "--format", "json"]),
        ], seeAlso: ["events"]
    ) { invocation in
        let range = try TimeFlags.range(invocation)
        let run = TimingRun(
            range: range, system: invocation.arguments[TimingsFlags.system], top: invocation.arguments[TimingsFlags.top],
            cohort: try TimingsFlags.cohort(invocation))
        let output = try ReportOutput(invocation)
        let source = try InputPaths(invocation)
        let (timings, reading) = try source.answer(run)
        try output.write(ReportDocument(timings))
        let verdict = invocation.verdict(on: timings.input, reading, from: source)
        if timings.unreadableLines > 0 {
            // `check` calls these lines sound, because it does not look at the numbers of timing lines.
            let message =
                "\(GroupedNumber.counted(timings.unreadableLines, "timing line")) could not be understood, left out of the result: keys are "
                + "missing, or the numbers contradict each other"
            if invocation.arguments[CommonFlags.strict] {
                invocation.console.error(message)
                return .damaged
            }
            invocation.console.warning(message)
        } else if timings.lines == 0 {
            invocation.console.warning(
                run.range == .all && run.system == nil && run.cohort.isEveryone
                    ? "there are no timing lines; a program writes them with `TimingLines`"
                    : "no timing line is of the time or loop that is asked for; leave out --since, --until, --system and lists to see all"
            )
        }
        return verdict
    }
}
