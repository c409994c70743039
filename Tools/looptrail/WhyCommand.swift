import Funnels
import Reports

/// Flags of `why` beside those of a funnel.
enum WhyFlags {
    static let step = Flag(
        "step", .count(1...32, example: "3"), "The step that some go on to and others do not (default: the last required one)",
        repetition: .refused)
    static let lookBack = Flag(
        "look-back", in: .time, .duration("look-back"),
        "How far before the fork to look for events: 30m, 1d (ms s m h d w; default: the window, 1d at most)", repetition: .refused)
    static let minCount = Flag(
        "min-count", in: .people, .count(1...1_000_000_000, example: "100"),
        "Fewest visits that must have a thing, and must lack it",
        standard: String(WhyDefinition.defaultMinCount), repetition: .refused)
    static let top = Flag(
        "top", in: .output, .count(1...10_000, example: "20"), "How many of the things compared are listed, the surest first",
        standard: String(WhyDefinition.defaultTop), repetition: .refused)

    static let depth = Flag(
        "depth", .count(1...2, example: "1"), "How many values are looked at together; 1: each alone, 2: also two of different properties",
        standard: "2", repetition: .refused)

    /// Its own flags, and those of a funnel without three. Open starts cannot be included: who stayed behind is known of mature ones only.
    static let all: [FlagDeclaration] = {
        let refused = [FunnelFlags.hold.declaration.name, FunnelFlags.compat.declaration.name, FunnelFlags.includeOpen.declaration.name]
        return [step.declaration, lookBack.declaration, minCount.declaration, top.declaration, depth.declaration]
            + FunnelFlags.withoutGroups.filter { !refused.contains($0.name) }
    }()

    static func definition(_ invocation: Invocation, of funnel: FunnelDefinition) throws(UsageError) -> WhyDefinition {
        let arguments = invocation.arguments
        let (minCount, top, depth) = (try arguments.value(of: minCount), try arguments.value(of: top), try arguments.value(of: depth))
        do throws(WhyDefinitionError) {
            return try WhyDefinition(
                funnel, step: arguments[step], lookBackMilliseconds: arguments[lookBack], minCount: minCount, top: top, depth: depth)
        } catch {
            throw UsageError("\(error)")
        }
    }
}

extension Command {
    static let why = Command(
        name: "why",
        summary: "ask what those that went on to a step had in common",
        discussion: [
            "A visit's fork is its first attempt that reaches the required step before --step. The outcome is whether that attempt goes "
                + "on. A funnel counts the deepest attempt instead, so its counts differ: that choice would depend on the outcome.",
            "It compares the names of events before the fork, the properties of the fork's event, the context of its session, and pairs of "
                + "values. Each sentence compares visits of the same day with as many events before the fork. For what comes and goes with "
                + "time, such as a release, it compares visits of the same user and day. Earlier findings are held equal, too. At most 5% "
                + "of these claims are expected to be false. The table shows plain shares, with nothing held equal.",
            "Left out, and counted, are visits that were still open when the data ended, that an exclusion takes out, or whose fork is too "
                + "near to the first event read for the look back. What goes with an outcome need not be its cause.",
        ],
        operands: .inputs,
        flags: WhyFlags.all + CommonFlags.report + CommonFlags.input + CommonFlags.summaries,
        essentials: [
            WhyFlags.step.declaration, WhyFlags.lookBack.declaration, WhyFlags.minCount.declaration, WhyFlags.depth.declaration,
            FunnelFlags.steps.declaration, FunnelFlags.window.declaration, FunnelFlags.by.declaration, FunnelFlags.since.declaration,
            FunnelFlags.until.declaration, CommonFlags.output.declaration,
        ],
        examples: [
            Example(
                "what visits that pay have in common, of all that reach the checkout",
                ["why", "events/", "--steps", "cart_added > checkout_started > payment_succeeded", "--window", "1h"]),
            Example(
                "the twenty surest, for a program",
                ["why", "events/", "--steps", "cart_added > payment_succeeded", "--top", "20", "--format", "json"]),
        ], seeAlso: ["funnel", "users"]
    ) { invocation in
        var definition = try WhyFlags.definition(invocation, of: FunnelFlags.single(invocation))
        definition.calendar.day = try invocation.day()
        let output = try ReportOutput(invocation)
        let source = try InputPaths(invocation)
        let (why, reading) = try source.read { reader, progress in
            try definition.answer(reading: reader, threads: source.threads, progress: progress)
        }
        try output.write(ReportDocument(why))
        invocation.warn(of: why.unseenNames)
        try invocation.warnOfProperties(in: [definition.funnel], from: source)
        invocation.warn(ofPaths: why.unseenPaths)
        invocation.warn(ofNothingLeftOf: "starts", in: definition.funnel, why.input)
        invocation.warn(ofClocksBefore: why.input.dataEnd)
        return invocation.verdict(on: why.input, reading, from: source)
    }
}
