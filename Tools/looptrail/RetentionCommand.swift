import Funnels
import Reports

/// Flags of `retention`. To repeat one that has a value is a usage error.
enum RetentionFlags {
    static let start = Flag(
        "start", .step, "What begins somebody's life: an event as in --steps, with tests or one of several", example: "catalog_viewed",
        repetition: .refused)
    static let returning = Flag("return", .step, "What counts as coming back, written like --start", repetition: .refused)
    static let every = Flag(
        "every", in: .time, .word(units.map(\.rawValue), example: "week"),
        "How long a period is; days begin at midnight by --tz, weeks on Monday", standard: "day", repetition: .refused)
    static let periods = Flag(
        "periods", in: .time, .count(0...RetentionDefinition.mostPeriods, example: "12"),
        "How many periods after its own a cohort is followed", standard: "7", repetition: .refused)
    static let by = Flag(
        "by", in: .people, .funnelKey, "Count by user, session, system or a property", standard: "user", repetition: .refused)
    static let breakdown = Flag(
        "breakdown", in: .groups, .breakdown,
        "Averages for each value of a property: the first among the events that match, or with :last, or :step=1 (the start's)",
        example: "props.plan", repetition: .refused)

    static let all =
        [
            start.declaration, returning.declaration, every.declaration, periods.declaration, by.declaration, breakdown.declaration,
            FunnelFlags.top.declaration, FunnelFlags.noIdentify.declaration,
        ] + TimeFlags.all + CohortFlags.all

    private static let units: [CalendarUnit] = [.day, .week, .month]

    static func definition(_ invocation: Invocation) throws(UsageError) -> RetentionDefinition {
        let arguments = invocation.arguments
        guard let start = arguments[start], let returning = arguments[returning] else {
            throw UsageError("--start and --return are needed, for example `--start catalog_viewed --return payment_succeeded`")
        }
        var breakdown = arguments[breakdown]
        if let top = arguments[FunnelFlags.top] {
            guard breakdown != nil else { throw UsageError("--top says how many groups to show: it needs --breakdown") }
            breakdown?.top = top
        }
        let (periods, key) = (try arguments.value(of: periods), try arguments.value(of: by))
        let range = try TimeFlags.range(invocation)
        var definition: RetentionDefinition
        do throws(RetentionDefinitionError) {
            definition = try RetentionDefinition(
                start: start, returning: returning, periods: periods, key: key, breakdown: breakdown, range: range,
                identify: !arguments[FunnelFlags.noIdentify])
        } catch {
            throw UsageError("\(error)")
        }
        definition.cohort = try CohortFlags.filter(invocation, countedBy: [key])
        return definition
    }

    static func unit(_ invocation: Invocation) throws(UsageError) -> CalendarUnit {
        guard let unit = CalendarUnit(rawValue: try invocation.arguments.value(of: every)) else {
            throw UsageError("--every takes day, week or month")
        }
        return unit
    }
}

extension Command {
    static let retention = Command(
        name: "retention",
        summary: "show who comes back, day by day, week by week or month by month",
        discussion: [
            "A cohort is the users whose first --start in all data read lies in one period; --since and --until choose cohorts. Column k "
                + "is the share that returned k periods later: with a --return after that first start. Column 0 is those who came back "
                + "within the cohort's own period, where other products show 100%.",
            "A period that has not ended with the data has no number. The averages are of the cells that have one, weighted by size.",
        ],
        operands: .inputs,
        flags: RetentionFlags.all + CommonFlags.report + CommonFlags.input + CommonFlags.summaries,
        essentials: [
            RetentionFlags.start.declaration, RetentionFlags.returning.declaration, RetentionFlags.every.declaration,
            RetentionFlags.periods.declaration, RetentionFlags.by.declaration, RetentionFlags.breakdown.declaration,
        ] + TimeFlags.all + CommonFlags.essentials.suffix(2),
        examples: [
            Example("who looks at the shop again", ["retention", "events/", "--start", "catalog_viewed", "--return", "catalog_viewed"]),
            Example(
                "who buys again, week by week, as a page",
                [
                    "retention", "events/", "--start", "payment_succeeded", "--return", "payment_succeeded", "--every", "week",
                    "--periods", "4", "-o", "retention.html",
                ]),
        ], seeAlso: ["report", "funnel"]
    ) { invocation in
        let definition = try RetentionFlags.definition(invocation)
        let (unit, zone) = (try RetentionFlags.unit(invocation), try invocation.zone())
        let output = try ReportOutput(invocation)
        let source = try InputPaths(invocation)
        let (retention, reading) = try source.answer(RetentionRun(definition, every: unit.periods(in: zone)))
        try output.write(ReportDocument(RetentionResult(retention, every: unit, in: zone)))
        invocation.warn(of: retention.unseenNames)
        try invocation.warnOfProperties(in: [definition.scanned()], from: source)
        invocation.warn(ofPaths: retention.unseenPaths)
        invocation.warn(ofNothingLeftOf: "first starts", in: definition.range, of: definition.cohort, retention.input)
        invocation.warn(ofClocksBefore: retention.input.dataEnd)
        return invocation.verdict(on: retention.input, reading, from: source)
    }
}
