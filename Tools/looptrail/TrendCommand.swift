import Basics
import Funnels
import Reports
import TrackingEvents

/// Flags of `trend` beside those of a funnel.
enum TrendFlags {
    static let every = Flag(
        "every", in: .time, .word(CalendarUnit.allCases.map(\.rawValue), example: "week"),
        "How long a period is; days begin at midnight by --tz, weeks on Monday", standard: "day", repetition: .refused)

    static let mark = Flag(
        collecting: "mark", in: .time, .mark, "What happened on a day; drawn as a line, and the time before it is compared with that after")
    static let failDrop = Flag(
        "fail-drop", in: .output, .percent,
        "Exit with 4 while a fall of this size holds; at the last whole day", example: "20%", repetition: .refused)
    /// The fall that gauges look for, unless `--fail-drop` gives another.
    static let standardDrop = 0.2

    static func marks(_ invocation: Invocation) throws(UsageError) -> [FunnelTrendResult.Mark] {
        let (now, zone) = (invocation.surroundings.clock.milliseconds, try invocation.zone())
        return (invocation.arguments[mark] ?? []).map { mark in
            let day = CalendarUnit.day.period(of: mark.moment.milliseconds(now: now, zone: zone), in: zone)
            return FunnelTrendResult.Mark(at: day.lowerBound, mark.label)
        }
    }

    static let all = [every.declaration, mark.declaration, failDrop.declaration]

    static func unit(_ invocation: Invocation) throws(UsageError) -> CalendarUnit {
        guard let unit = CalendarUnit(rawValue: try invocation.arguments.value(of: every)) else {
            throw UsageError("--every takes hour, day, week or month")
        }
        return unit
    }
}

/// A day and what happened on it: `2026-01-08=2.1.0`.
struct TrendMark: Sendable {
    let moment: Moment
    let label: String
}

extension ValueKind<TrendMark> {
    static let mark = ValueKind(placeholder: "DAY=NAME", example: "2026-01-08=2.1.0") { text throws(ValueProblem) in
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[1].isEmpty, let moment = Moment(parts[0]) else {
            throw ValueProblem("`\(text)` is not a day and a name, such as `2026-01-08=2.1.0`")
        }
        return TrendMark(moment: moment, label: parts[1])
    }
}

extension Command {
    static let trend = Command(
        name: "trend",
        summary: "show how a funnel's conversion changes with the time of entry",
        discussion: [
            "The row of a period is the funnel of the visits in it, as `looptrail funnel --count visits --mature` counts it with --since and "
                + "--until. The last line is the funnel of the whole time.",
            "By days, if the data cover at least 14, it says whether the conversion fell or rose, from which day on and by how much, "
                + "weekdays held equal; for each --mark, whether it changed on that day. With --fail-drop it says whether a fall holds at "
                + "the last whole day, by the evidence of a week against what the weeks before lead to expect, or whether the visits ceased; no "
                + "call keeps anything.",
            "Only starts whose window has ended with the data count, unless --include-open is given. A period that is not complete "
                + "is marked: it does not lie wholly between --since and --until, or some of its windows are still open.",
        ],
        operands: .inputs,
        flags: TrendFlags.all + FunnelFlags.all + CommonFlags.reportWithGauges + CommonFlags.input + CommonFlags.summaries,
        essentials: TrendFlags.all
            + FunnelFlags.essentials.filter { !["exclude", "until", "since"].contains($0.name) }
            + CommonFlags.essentials.suffix(2),
        examples: [
            Example("day by day in Berlin", ["trend", "events/", "--steps", "cart_added > payment_succeeded", "--tz", "Europe/Berlin"]),
            Example(
                "week by week, as a page",
                ["trend", "events/", "--steps", "cart_added > payment_succeeded", "--every", "week", "-o", "trend.html"]),
            Example(
                "after a release; fails while a fifth is lost",
                ["trend", "events/", "--steps", "cart_added > payment_succeeded", "--mark", "2026-01-08=2.1.0", "--fail-drop", "20%"]),
        ], seeAlso: ["funnel", "report"]
    ) { invocation in
        let definition = try FunnelFlags.single(invocation)
        let (unit, zone) = (try TrendFlags.unit(invocation), try invocation.zone())
        let output = try ReportOutput(invocation)
        let marks = try TrendFlags.marks(invocation)
        let hasGauges = output.targets.contains { $0.formatName == CommonFlags.gauges }
        let drop = invocation.arguments[TrendFlags.failDrop].map(\.fraction) ?? (hasGauges ? TrendFlags.standardDrop : nil)
        if unit != .day, !marks.isEmpty || drop != nil {
            let ofDrop = invocation.arguments[TrendFlags.failDrop] == nil ? "format \(CommonFlags.gauges)" : "--fail-drop"
            throw UsageError("\(marks.isEmpty ? ofDrop : "--mark") needs days: leave out --every")
        }
        if let drop, !(0..<1).contains(drop) || drop == 0 { throw UsageError("--fail-drop takes a part of what is expected, 1% to 99%") }
        if invocation.arguments[TrendFlags.failDrop] != nil && definition.counting != .visits {
            let flags = "--count, --hold, --compat, --order any, and --by other than user and session"
            throw UsageError("--fail-drop needs visits, which are not counted here: leave out \(flags)")
        }
        let source = try InputPaths(invocation)
        let outcome = try source.read { reader, progress in
            try FunnelRun([definition], day: invocation.day())
                .trends(reading: reader, threads: source.threads, progress: progress) { unit.period(of: $0, in: zone) }
        }
        guard let trend = outcome.trends.first else { return .failure }
        let result = FunnelTrendResult(trend, every: unit, in: zone, marks: marks, drop: drop)
        try output.write(ReportDocument(result))
        invocation.warn(of: trend.unseenNames)
        try invocation.warnOfProperties(in: [definition], from: source)
        invocation.warn(ofPaths: trend.unseenPaths)
        invocation.warn(ofNothingLeftIn: [trend.whole])
        invocation.warn(ofOpenWindowsIn: [trend.whole])
        invocation.warn(ofEmptyPeriodsIn: trend)
        if hasGauges && result.gauges.isEmpty {
            invocation.console.warning("there are no gauges: they take visits, and 14 whole days that end a week before the last")
        }
        let silence = unit == .day ? silence(of: trend, in: zone) : nil
        let status = invocation.verdict(on: trend.input, outcome.reading, from: source)
        guard status == .fine, invocation.arguments[TrendFlags.failDrop] != nil, let alarm = result.alarm ?? silence else {
            if let silence, !trend.points.isEmpty { invocation.console.warning(silence) }
            return status
        }
        invocation.console.alarm(alarm)
        return .gateMissed
    }
}

/// What to say if nothing began, or, of 14 whole days or more, nothing since some of the last ones: on more than twice as many in a row as
/// ever before, and where the days before lead to expect 7 starts or more.
private func silence(of trend: FunnelTrend, in zone: TimeZoneRules) -> String? {
    let days = Set(trend.points.map(\.startMilliseconds))
    var (silent, longest, last) = (0, 0, nil as Int64?)
    let whole = trend.whole.coverage?.wholeDays ?? []
    for day in whole {
        if days.contains(day) { (silent, longest, last) = (0, max(longest, silent), day) } else { silent += 1 }
    }
    let first = trend.definition.steps[0].pattern.title
    if days.isEmpty { return "nothing began with `\(first)`" }
    let expected = trend.points.reduce(0) { $0 + $1.entered + $1.leftOut } * silent
    guard whole.count >= 14, silent > 2 * longest, let last, trend.points.last?.startMilliseconds == last,
        expected >= 7 * (whole.count - silent)
    else { return nil }
    let (count, day) = (GroupedNumber.counted(silent, "whole day"), DateFormat.day(last, in: zone))
    return "nothing began with `\(first)` on \(count) after \(day), though the data have other events: has its name changed?"
}
