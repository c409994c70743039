import Funnels
import Reports

/// Flags of `trend` beside those of a funnel.
enum TrendFlags {
    static let every = Flag(
        "every", in: .time, .word(CalendarUnit.allCases.map(\.rawValue), example: "week"),
        "How long a period is; days begin at midnight by --tz, weeks on Monday", standard: "day", repetition: .refused)

    static func unit(_ invocation: Invocation) throws(UsageError) -> CalendarUnit {
        guard let unit = CalendarUnit(rawValue: try invocation.arguments.value(of: every)) else {
            throw UsageError("--every takes hour, day, week or month")
        }
        return unit
    }
}

extension Command {
    static let trend = Command(
        name: "trend",
        summary: "show how a funnel's conversion changes with the time of entry",
        discussion: [
            "The row of a period is the funnel of the starts in it, as `looptrail funnel --mature` counts it with --since and --until; who "
                + "starts in several periods counts in each. The last line is the funnel of the whole time.",
            "Only starts whose window has ended with the data count, unless --include-open is given. A period is marked that is not "
                + "complete: it does not lie wholly between --since and --until, or some of its windows are still open.",
        ],
        operands: .inputs,
        flags: [TrendFlags.every.declaration] + FunnelFlags.all + CommonFlags.report + CommonFlags.input + CommonFlags.summaries,
        essentials: [TrendFlags.every.declaration] + FunnelFlags.essentials.filter { $0.name != FunnelFlags.exclude.declaration.name }
            + CommonFlags.essentials.suffix(2),
        examples: [
            Example("day by day in Berlin", ["trend", "events/", "--steps", "cart_added > payment_succeeded", "--tz", "Europe/Berlin"]),
            Example(
                "week by week, as a page",
                ["trend", "events/", "--steps", "cart_added > payment_succeeded", "--every", "week", "-o", "trend.html"]),
        ], seeAlso: ["funnel", "report"]
    ) { invocation in
        let definition = try FunnelFlags.single(invocation)
        let (unit, zone) = (try TrendFlags.unit(invocation), try invocation.zone())
        let output = try ReportOutput(invocation)
        let source = try InputPaths(invocation)
        let outcome = try source.read { reader, progress in
            try FunnelRun([definition])
                .trends(reading: reader, threads: source.threads, progress: progress) { unit.period(of: $0, in: zone) }
        }
        guard let trend = outcome.trends.first else { return .failure }
        try output.write(ReportDocument(FunnelTrendResult(trend, every: unit, in: zone)))
        invocation.warn(of: trend.unseenNames)
        try invocation.warnOfProperties(in: [definition], from: source)
        invocation.warn(ofPaths: trend.unseenPaths)
        invocation.warn(ofNothingLeftIn: [trend.whole])
        invocation.warn(ofOpenWindowsIn: [trend.whole])
        invocation.warn(ofEmptyPeriodsIn: trend)
        return invocation.verdict(on: trend.input, outcome.reading, from: source)
    }
}
