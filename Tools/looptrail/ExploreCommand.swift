import Basics
import EventFiles
import Funnels
import Reports

/// Flags of `explore`.
enum ExploreFlags {
    static let output = CommonFlags.output(besides: "")
    static let open = Flag("open", in: .output, "Show the page when it is written")
    static let minimumUsers = Flag(
        "min-users", in: .people, .count(1...1_000_000, example: "20"),
        "A value that fewer users have is not in the page: texts become (other), numbers ranges; 1 keeps all", standard: "5",
        repetition: .refused)
    static let events = Flag(
        "events", in: .input, .eventLimit, "Above this a page holds a sample of whole users; all: every user", standard: "2000000",
        repetition: .refused)
    static let only = Flag(
        "props", in: .groups, .properties, "The properties that the page holds, with commas between: total,session.platform (default: all)",
        repetition: .refused)
    static let without = Flag(
        "without-props", in: .groups, .properties, "Properties that the page does not hold", example: "search", repetition: .refused)
    static let exact = Flag(
        "exact", in: .groups, .properties, "Properties of which the page holds each value; also those that few users have",
        example: "props.total", repetition: .refused)
    static let withIDs = Flag("with-ids", in: .people, "Put the users' ids into the page; without it users are numbers")

    static let all =
        [
            FunnelFlags.steps.declaration, FunnelFlags.funnels.declaration, minimumUsers.declaration, events.declaration, only.declaration,
            without.declaration, exact.declaration, withIDs.declaration, FunnelFlags.noIdentify.declaration, TrendFlags.mark.declaration,
        ] + CohortFlags.all

    static func definition(_ invocation: Invocation) throws(UsageError) -> ExploreDefinition {
        let arguments = invocation.arguments
        var definition = ExploreDefinition()
        definition.minimumUsers = try arguments.value(of: minimumUsers)
        definition.mostEvents = try arguments.value(of: events).most
        definition.only = arguments[only].map { Set($0) }
        definition.without = Set(arguments[without] ?? [])
        definition.exact = Set(arguments[exact] ?? [])
        definition.identify = !arguments[FunnelFlags.noIdentify]
        definition.keepsIDs = arguments[withIDs]
        definition.cohort = try CohortFlags.filter(invocation)
        return definition
    }
}

/// How many events a page holds at most; `nil` for all.
struct EventLimit: Sendable { let most: Int? }

extension ValueKind<EventLimit> {
    static let eventLimit = ValueKind(placeholder: "N|all", example: "500000") { text throws(ValueProblem) in
        if text == "all" { return EventLimit(most: nil) }
        return EventLimit(most: try ValueKind<Int>.count(1...1_000_000_000_000, example: "500000").parse(text))
    }
}

extension ValueKind<[ExploreDefinition.Property]> {
    static let properties = ValueKind(placeholder: "PROPS", example: "total,session.platform") { text throws(ValueProblem) in
        do throws(GrammarError) { return try ExploreDefinition.Property.list(text) } catch {
            throw ValueProblem("`\(text)` is no list of properties", detail: error.pointing())
        }
    }
}

extension Command {
    static let explore = Command(
        name: "explore",
        summary: "write a page that answers funnels offline while you change them",
        discussion: [
            "One HTML file with the events of the paths and an engine that counts as `looptrail funnel`, `trend`, `retention` and `paths` do. "
                + "It needs no network and can be mailed. What it cannot count exactly it refuses, with the command that can.",
            "Users and sessions are numbers in it, and a value that fewer than --min-users users have is not in it. Event names and exact "
                + "times are, and who knows when a person did something can find that person's line.",
            "With more than --events events it holds whole users, chosen by the hash of their ids, and says so beside each number.",
        ],
        operands: .inputs,
        flags: ExploreFlags.all + [
            ExploreFlags.open.declaration, ExploreFlags.output.declaration, CommonFlags.threads.declaration, CommonFlags.quiet.declaration,
        ] + CommonFlags.input.filter { $0.name != CommonFlags.plan.declaration.name } + CommonFlags.summaries,
        essentials: [
            FunnelFlags.steps.declaration, FunnelFlags.funnels.declaration, ExploreFlags.minimumUsers.declaration,
            ExploreFlags.events.declaration, ExploreFlags.only.declaration, ExploreFlags.exact.declaration,
            ExploreFlags.withIDs.declaration, CommonFlags.zone.declaration, ExploreFlags.output.declaration, ExploreFlags.open.declaration,
        ],
        examples: [
            Example("a page of a folder, shown when it is written", ["explore", "events/", "-o", "explore.html", "--open"]),
            Example(
                "with a funnel to begin with, and each total in it",
                ["explore", "events/", "--steps", "cart_added > payment_succeeded", "--exact", "props.total", "-o", "explore.html"]),
        ], seeAlso: ["funnel", "report"]
    ) { invocation in
        var definition = try ExploreFlags.definition(invocation)
        let zone = try invocation.zone()
        let steps = invocation.arguments[FunnelFlags.steps]
        let funnels = try invocation.arguments[FunnelFlags.funnels].map { try FunnelFlags.savedFunnels($0).map(\.funnel) } ?? []
        guard let path = invocation.outputs.first, invocation.outputs.count == 1 else {
            throw UsageError("-o says where the page goes, one file: `-o explore.html`")
        }
        if path == "-" && invocation.arguments[ExploreFlags.open] { throw UsageError("--open shows a file: give -o its name") }
        let output = try PlainOutput(invocation)
        let source = try InputPaths(invocation)
        definition.days = CalendarUnit.day.periods(in: zone)
        let (payload, reading) = try source.answer(definition)
        invocation.warn(ofPaths: payload.unseenPaths, events: "event")
        invocation.warn(ofNobodyIn: definition.cohort, payload.input)
        invocation.warn(ofClocksBefore: payload.input.dataEnd)
        let marks = try TrendFlags.marks(invocation)
        let page = ExplorePage(payload, in: zone, from: source.paths, steps: steps, funnels: funnels, marks: marks)
        try output.write(page.bytes)
        if let sample = payload.sample {
            invocation.console.note(
                "the page holds a sample: \(NumberFormat.percent(sample.share)) of the users, \(GroupedNumber.counted(payload.events, "event")); "
                    + "--events all holds all")
        }
        if invocation.arguments[ExploreFlags.open], let problem = show(path) {
            invocation.console.warning("--open: \(problem); the page is written")
        }
        return invocation.verdict(on: payload.input, reading, from: source)
    }

    /// Opens a file as a double click does. Returns what went wrong.
    private static func show(_ path: String) -> String? {
        #if canImport(Darwin)
        let opener = "open"
        #else
        let opener = "xdg-open"
        #endif
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(opener), strdup(path.hasPrefix("-") ? "./" + path : path), nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let failure = posix_spawnp(&process, opener, nil, nil, &arguments, environ)
        guard failure == 0 else { return "`\(opener)` cannot be started: \(SystemError(number: failure))" }
        var status: Int32 = 0
        _ = uninterrupted { waitpid(process, &status, 0) }
        return status == 0 ? nil : "`\(opener)` did not show it"
    }
}
