import Funnels
import Reports
import TrackingEvents

/// The flags that say what a funnel counts. Two of one kind would be two questions.
enum FunnelFlags {
    static let steps = Flag(
        "steps", .steps, "What people do, in order: 'a > b[price>=10, plan=pro] > (c | \"d\") > *'",
        isRequired: true, repetition: .refused)
    static let window = Flag(
        "window", .duration("window"), "The longest time from step 1 to any later step: 90s, 1h, 7d (ms s m h d w)",
        standard: DurationText.exact(FunnelDefinition.defaultWindowMilliseconds), repetition: .refused)
    static let by = Flag(
        "by", .funnelKey, "What is counted: user, session, system, or props.PATH for a property's value", standard: "user",
        repetition: .refused)
    static let order = Flag(
        "order", .word([FunnelDefinition.Order.ordered.rawValue], example: "ordered"),
        "How the steps follow each other; ordered: other events may come between", standard: "ordered", repetition: .refused)
    static let since = Flag(
        "since", .moment,
        "Count starts at or after this: a date, a time (2026-01-15T08:30), or now-7d; by --tz where no offset is written",
        repetition: .refused)
    static let until = Flag(
        "until", .moment, "Count starts before this, written alike; later steps may lie after it, within the window", example: "now-1d",
        repetition: .refused)

    static let all = [
        steps.declaration, window.declaration, by.declaration, order.declaration, since.declaration, until.declaration,
    ]

    /// The funnel that the flags describe.
    static func definition(_ invocation: Invocation) throws(UsageError) -> FunnelDefinition {
        let arguments = invocation.arguments
        let now = invocation.surroundings.clock.milliseconds
        let zone = try invocation.zone()
        guard let order = FunnelDefinition.Order(rawValue: try arguments.value(of: order)) else {
            throw UsageError("\(order.declaration.dashed) is not one that there is")
        }
        let steps = try arguments.value(of: steps)
        let window = try arguments.value(of: window)
        let key = try arguments.value(of: by)
        do throws(FunnelDefinitionError) {
            return try FunnelDefinition(
                steps: steps, windowMilliseconds: window, key: key, order: order,
                since: arguments[since]?.milliseconds(now: now, zone: zone),
                until: arguments[until]?.milliseconds(now: now, zone: zone))
        } catch {
            if case .emptyTimeRange = error { throw UsageError("--since is not before --until: no start lies between the two") }
            throw UsageError("\(error)")
        }
    }
}

extension Command {
    static let funnel = Command(
        name: "funnel",
        summary: "count how far people get through a sequence of events",
        discussion: [
            "Each event that matches step 1 starts an attempt; it takes the first event that matches its next step, within the "
                + "window from its start. A user counts with the deepest attempt. Events with the same id count once; events of "
                + "one millisecond may stand in any order.",
            "A step is a name, * for any event, or (a | b) for one of several, with tests of properties in [ ]: = != < <= > >= "
                + "and ~ for contains. A name with one of > ( ) | [ ] ? \" @ ! in it goes in double quotes.",
        ],
        operands: .inputs,
        flags: FunnelFlags.all + CommonFlags.report + CommonFlags.input,
        examples: [
            Example(
                "the way to an order within an hour",
                ["funnel", "events/", "--steps", "product_viewed > cart_added > payment_succeeded", "--window", "1h"]),
            Example(
                "expensive products only, by session, as JSON",
                ["funnel", "events/", "--steps", "product_viewed[price>=100] > cart_added", "--by", "session", "-o", "funnel.json"]),
        ]
    ) { invocation in
        let definition = try FunnelFlags.definition(invocation)
        let output = try ReportOutput(invocation)
        let source = try InputPaths(invocation)
        let outcome = try source.read { reader, progress in
            try FunnelRun([definition]).results(reading: reader, threads: source.threads, progress: progress)
        }
        guard let result = outcome.results.first else { return .failure }
        try output.write { $0.text(of: result) }
        invocation.warn(of: result.unseenNames)
        return invocation.verdict(on: result.input, outcome.reading, from: source)
    }
}
