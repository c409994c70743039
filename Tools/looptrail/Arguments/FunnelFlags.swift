import Funnels

/// The flags that say what a funnel counts. Every command that counts one takes them. Of those with a value, only `--exclude` may repeat.
enum FunnelFlags {
    static let steps = Flag(
        "steps", .steps, "What people do, in order: 'a > b[price>=10, plan=pro] > (c | \"d\")? > *'; ? marks a step they may skip",
        repetition: .refused)
    static let funnels = Flag(
        "funnels", .file,
        "Take the funnel from a JSON file: {\"name\": \"Cart\", \"steps\": \"a > b\", \"window\": \"1h\"}, or several in [ ] with commas between; flags beside it change it",
        example: "funnels.json", repetition: .refused)
    static let window = Flag(
        "window", in: .time, .duration("window"),
        "The longest time from step 1 to any later step: 90s, 1h30m, 7d (units: ms s m h d w; default: \(sevenDays))",
        repetition: .refused)
    static let stepWindow = Flag(
        "step-window", in: .time, .duration("step-window"), "The longest time from each step to the next", example: "10m",
        repetition: .refused)
    static let by = Flag(
        "by", in: .people, .funnelKey,
        "Count by user, session, system or a property; plan and session.platform are properties (default: user)", repetition: .refused)
    static let order = Flag(
        "order", .word(FunnelDefinition.Order.allCases.map(\.rawValue), example: "strict"),
        "How steps follow each other; " + FunnelDefinition.Order.allCases.map { "\($0.rawValue): \($0.summary)" }.joined(separator: "; ")
            + " (default: ordered)",
        repetition: .refused)
    static let count = Flag(
        "count", in: .people, .word(FunnelDefinition.Counting.allCases.map(\.rawValue), example: "attempts"),
        "What counts; users: each once, with the deepest attempt; visits: all starts of a session as one, and one payment may convert "
            + "several; attempts: every one (default: users; visits in trend and why, with --compare, and in funnel, report and cluster "
            + "prepare with a --breakdown by :first; users all the same with --fail-under, with gauges, and where visits cannot be counted)",
        repetition: .refused)
    static let sessionTimeout = Flag(
        "session-timeout", in: .time, .duration("session-timeout"),
        "How long a session must be silent to be over; starts without a session are two visits if they lie so far apart (default: 30m)",
        example: "1h", repetition: .refused)
    static let exclude = Flag(
        collecting: "exclude", .exclusion,
        "An event that ends an attempt; with ! it takes its user out: '!x[p=1]@1-3'; may be repeated")
    static let hold = Flag(
        "hold", .propertyPath("hold"), "A property that has the same value on all steps of a chain", repetition: .refused)
    static let breakdown = Flag(
        "breakdown", in: .groups, .breakdown,
        "Count each value of a property apart: the user's first one, or with :last, :step=2 (the value on that step) or :all "
            + "(once for each value; the event of each step must have it); "
            + "plan,city counts each pair that an event has",
        repetition: .refused)
    static let top = Flag(
        "top", in: .groups, .count(FunnelBreakdown.tops, example: "5"),
        "Groups to show; the rest is (other) (default: \(FunnelBreakdown.defaultTop))", repetition: .refused)
    static let noIdentify = Flag("no-identify", in: .people, "Count an anonymous id and the user it became separately")
    static let compat = Flag(
        "compat", .compat, "Count as ClickHouse's windowFunnel does: clickhouse, or with modes clickhouse:strict_order",
        repetition: .refused)
    static let since = Flag(
        "since", in: .time, .moment,
        "Count starts at or after this: a date, a time (2026-01-15T08:30) or now-7d; in --tz unless it has an offset", repetition: .refused)
    static let until = Flag(
        "until", in: .time, .moment, "Count starts before this; written like --since; later steps may lie after it, within the window",
        example: "now-1d", repetition: .refused)

    static let mature = Flag(
        "mature", in: .time, "Count only starts whose window has ended; trend and --compare do that by themselves")
    static let includeOpen = Flag(
        "include-open", in: .time, "Count starts whose window is still open, too; --compare and trend leave them out")
    static let dataEnd = Flag(
        "data-end", in: .time, .moment,
        "When the data ends; written like --since (default: the last event, leaving out fewer than 0.1% that lie far after all others, or "
            + "fewer than 2% that lie very far after them)",
        example: "2026-01-22", repetition: .refused)
    /// The flags that most calls need.
    static let essentials = [
        steps.declaration, funnels.declaration, window.declaration, by.declaration, exclude.declaration, breakdown.declaration,
        since.declaration, until.declaration,
    ]

    /// The flags of a funnel without groups.
    static let withoutGroups = all.filter { ![breakdown.declaration.name, top.declaration.name].contains($0.name) }

    static let all =
        [
            steps.declaration, funnels.declaration, window.declaration, stepWindow.declaration, by.declaration, order.declaration,
            count.declaration, exclude.declaration, hold.declaration, breakdown.declaration, top.declaration, noIdentify.declaration,
            compat.declaration, since.declaration, until.declaration, sessionTimeout.declaration, mature.declaration,
            includeOpen.declaration, dataEnd.declaration,
        ] + CohortFlags.all

    private static let sevenDays = DurationText.exact(FunnelDefinition.defaultWindowMilliseconds)
}
