import Funnels
import Reports

/// Flags of `paths`. To repeat one whose value says what is counted is a usage error.
enum PathsFlags {
    static let from = Flag("from", .eventName, "Show what comes after this event; its name as in the files", repetition: .refused)
    static let to = Flag("to", .eventName, "Show what came before this event", example: "payment_succeeded", repetition: .refused)
    static let window = Flag(
        "window", in: .time, .duration("window"), "The longest time from the start to any event: 30m, 1d (ms s m h d w)",
        standard: DurationText.exact(PathsDefinition.defaultWindowMilliseconds), repetition: .refused)
    static let depth = Flag(
        "depth", .count(1...20, example: "5"), "How many events of a path are shown", standard: "3", repetition: .refused)
    static let by = Flag(
        "by", in: .people, .funnelKey, "Count by user, session, system or a property", standard: "user",
        repetition: .refused)
    static let count = Flag(
        "count", in: .people, .word(PathsDefinition.Count.allCases.map(\.rawValue), example: "attempts"),
        "How often a key starts; users: each once, from its first; attempts: each event of the name starts a path", standard: "users",
        repetition: .refused)
    static let mergeRepeats = Flag("merge-repeats", "Pass over repeated events; of one name in a row the first counts")
    static let top = Flag(
        "top", in: .output, .count(1...1000, example: "10"), "How many events are shown after each; the rest are (other)", standard: "5")
    static let leastShare = Flag(
        "min-share", in: .output, .percent, "The smallest share of all starts that is shown by name; less is (other)", standard: "1%")

    static let all = [
        from.declaration, to.declaration, window.declaration, depth.declaration, by.declaration, count.declaration,
        mergeRepeats.declaration, FunnelFlags.noIdentify.declaration, top.declaration, leastShare.declaration,
    ]

    static func definition(_ invocation: Invocation) throws(UsageError) -> PathsDefinition {
        let arguments = invocation.arguments
        guard let counted = PathsDefinition.Count(rawValue: try arguments.value(of: count)) else {
            throw UsageError("\(count.declaration.dashed) takes users or attempts")
        }
        let (name, direction) = try start(arguments)
        var definition = PathsDefinition(from: name)
        definition.direction = direction
        definition.windowMilliseconds = try arguments.value(of: window)
        definition.depth = try arguments.value(of: depth)
        definition.key = try arguments.value(of: by)
        if case .context = definition.key {
            throw UsageError("--by: paths do not go by the context of a session: take user, session, system or a property")
        }
        definition.count = counted
        definition.mergesRepeats = arguments[mergeRepeats]
        definition.range = try TimeFlags.range(invocation)
        definition.identify = !arguments[FunnelFlags.noIdentify]
        definition.top = try arguments.value(of: top)
        definition.leastShare = try arguments.value(of: leastShare).fraction
        definition.cohort = try CohortFlags.filter(invocation)
        return definition
    }

    private static func start(_ arguments: Arguments) throws(UsageError) -> (String, PathsDefinition.Direction) {
        switch (arguments[from], arguments[to]) {
        case (let name?, nil): return (name, .after)
        case (nil, let name?): return (name, .before)
        case (_?, _?): throw UsageError("--from and --to both say where paths start: give one of them")
        case (nil, nil):
            throw UsageError("--from or --to is needed, for example `\(from.declaration.example)` or `\(to.declaration.example)`")
        }
    }
}

extension Command {
    static let paths = Command(
        name: "paths",
        summary: "show what people do next after an event, or what they did before it",
        discussion: [
            "Each user starts once, from the first event of the name within --since and --until. What follows within the window is "
                + "shown as a tree, the most frequent first: (end) means that nothing followed, (other) stands for what is "
                + "too rare. Among events of one millisecond, those of that name come first (with --to last), then the others by name.",
            "--to shows the same backwards: what came just before the event, and before that. (start) means that nothing came before "
                + "within the window.",
        ],
        operands: .inputs,
        flags: PathsFlags.all + TimeFlags.all + CohortFlags.all + CommonFlags.report + CommonFlags.input + CommonFlags.summaries,
        essentials: [
            PathsFlags.from.declaration, PathsFlags.to.declaration, PathsFlags.window.declaration, PathsFlags.depth.declaration,
            PathsFlags.by.declaration, PathsFlags.mergeRepeats.declaration,
        ] + TimeFlags.all + CommonFlags.essentials.suffix(2),
        examples: [
            Example("where people go from the cart", ["paths", "events/", "--from", "cart_added"]),
            Example("what people did before they paid", ["paths", "events/", "--to", "payment_succeeded"]),
            Example(
                "two steps within a session, pages seen again left out",
                ["paths", "events/", "--from", "product_viewed", "--by", "session", "--depth", "2", "--merge-repeats"]),
        ], seeAlso: ["funnel"]
    ) { invocation in
        let definition = try PathsFlags.definition(invocation)
        let output = try ReportOutput(invocation)
        let source = try InputPaths(invocation)
        let (paths, reading) = try source.answer(definition)
        try output.write(ReportDocument(paths))
        if let unseen = paths.unseenName { invocation.warn(of: [unseen]) }
        invocation.warn(ofNothingLeftOf: "starts", in: definition.range, of: definition.cohort, paths.input)
        invocation.warn(ofClocksBefore: paths.input.dataEnd)
        return invocation.verdict(on: paths.input, reading, from: source)
    }
}
