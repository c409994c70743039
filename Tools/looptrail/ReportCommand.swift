import Basics
import Funnels
import Reports
import TrackingEvents

/// Flags of `report` beside those of a funnel.
enum ReportFlags {
    static let title = Flag("title", in: .output, .title, "The report's title (default: the name of --funnels' file)")
    static let every = Flag(
        "every", in: .time, .word(CalendarUnit.allCases.map(\.rawValue), example: "day"),
        "Show each funnel by time of entry; in periods of this length", repetition: .refused)

    /// A report asks this by itself, so the flag is unlisted there. With the flag, a funnel that cannot be asked is an error.
    static let why = Flag("why", in: .output, "Ask what goes with the last required step, too; as `looptrail why` does")
    static let noWhy = Flag("no-why", "Do not search what goes with the last required step")
    static let start = Flag(
        "start", .step, "Show who comes back, too; with --return, as `looptrail retention` does", example: "catalog_viewed",
        repetition: .refused)
    static let returning = Flag("return", .step, "What counts as coming back, with --start", repetition: .refused)
    static let periods = Flag(
        "periods", in: .time, .count(0...RetentionDefinition.mostPeriods, example: "12"),
        "How many periods of --every a cohort is followed (default: 7)", repetition: .refused)

    static let watch = Flag(
        "watch", in: .input, .duration("watch"),
        "Look again at this interval; only what is new is read, and -o's file is replaced in one step; ends with ^C",
        example: "5s", repetition: .refused)

    static let all = [
        watch.declaration, title.declaration, every.declaration, ResultFlags.compare.declaration, why.declaration.unlisted,
        noWhy.declaration, start.declaration, returning.declaration, periods.declaration,
    ]

    /// Flags without effect on a watch, which follows lines on one thread, warns of nothing, and never ends by itself.
    static let withoutWatch = [
        CommonFlags.strict.declaration, CommonFlags.plan.declaration, CommonFlags.threads.declaration, CommonFlags.noIndex.declaration,
    ]

    /// Flags that ask for what gauges cannot show.
    static let withoutGauges = [ResultFlags.compare.declaration, every.declaration, why.declaration, start.declaration]

    /// The question who comes back, if the call asks it.
    static func retention(_ invocation: Invocation) throws(UsageError) -> RetentionDefinition? {
        let arguments = invocation.arguments
        switch (arguments[start], arguments[returning]) {
        case (nil, nil):
            if arguments[periods] != nil { throw UsageError("--periods needs --start and --return") }
            return nil
        case (_?, nil), (nil, _?): throw UsageError("--start and --return ask who comes back: give both of them")
        case (let start?, let returning?):
            let (key, range) = (arguments[FunnelFlags.by] ?? FunnelKey.user, try TimeFlags.range(invocation))
            let cohort = try CohortFlags.filter(invocation, countedBy: [key])
            do throws(RetentionDefinitionError) {
                var definition = try RetentionDefinition(
                    start: start, returning: returning, periods: arguments[periods] ?? 7, key: key, range: range,
                    identify: !arguments[FunnelFlags.noIdentify])
                definition.cohort = cohort
                return definition
            } catch {
                throw UsageError("\(error)")
            }
        }
    }

    /// The questions about the last required step of each funnel. With `--why`, a funnel that cannot be asked is an error. Else such
    /// funnels are passed over, and there are no questions at all with `--no-why` or if the input can be read only once.
    static func whys(_ invocation: Invocation, of definitions: [FunnelDefinition], canReadAgain: Bool) throws(UsageError) -> [WhyDefinition]
    {
        if invocation.arguments[why] { return try whys(of: definitions) }
        if invocation.arguments[noWhy] || !canReadAgain { return [] }
        return definitions.compactMap { try? WhyDefinition($0, besideFunnel: true) }
    }

    /// The answers to these questions. Each takes one more reading of the input.
    static func answers(_ invocation: Invocation, to whys: [WhyDefinition], from source: InputPaths) throws -> [any Reportable] {
        try whys.map { why -> any Reportable in
            var why = why
            why.calendar.day = try invocation.day()
            return try source.read { reader, progress in
                try why.answer(reading: reader, threads: source.threads, progress: progress).answer
            }
        }
    }

    /// - Parameter flags: those that were given, in words.
    static func requireSecondReading(of source: InputPaths, for flags: String) throws {
        if try source.canBeReadAgain() { return }
        throw UsageError("\(flags): the input is read more than once, and standard input and pipes can be read once: give a PATH")
    }

    /// The question about each funnel's last required step. Throws for a funnel that cannot be asked.
    static func whys(of definitions: [FunnelDefinition]) throws(UsageError) -> [WhyDefinition] {
        var whys: [WhyDefinition] = []
        for definition in definitions {
            do throws(WhyDefinitionError) { whys.append(try WhyDefinition(definition, besideFunnel: true)) } catch {
                throw UsageError("--why: \(definition.name.map { "funnel `\($0)`: " } ?? "")\(error)")
            }
        }
        return whys
    }

    /// The page: each funnel with its comparison, followed by its trend, then the answers to other questions, then the events.
    ///
    /// - Parameter count: how many of the results are the funnels themselves. The results after them are those of the compared time.
    static func document(
        _ invocation: Invocation, _ overview: FunnelRun.Overview, comparedFrom count: Int, every unit: CalendarUnit?,
        in zone: TimeZoneRules, more: [any Reportable] = []
    ) -> ReportDocument {
        var results: [any Reportable] = []
        for (index, result) in overview.results.prefix(count).enumerated() {
            let isCompared = overview.results.count > count
            results.append(isCompared ? FunnelComparison(result: result, other: overview.results[count + index]) : result)
            if let unit {
                let other = isCompared ? overview.trends[count + index] : nil
                results.append(FunnelTrendResult(overview.trends[index], every: unit, in: zone, comparedWith: other))
            }
        }
        return ReportDocument(title: title(invocation), results: results + more + [overview.catalogue])
    }

    static func title(_ invocation: Invocation) -> String {
        if let title = invocation.arguments[title] { return title }
        guard let path = invocation.arguments[FunnelFlags.funnels] else { return "Funnels" }
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.hasSuffix(".json") && file.count > 5 ? String(file.dropLast(5)) : file
    }
}

extension ValueKind<String> { static let title = text("title", placeholder: "TITLE", example: "Week 3") }

extension Command {
    static let report = Command(
        name: "report",
        summary: "put several funnels and an overview of the events on one page",
        discussion: [
            "All funnels are counted in one pass over the files. The format is that of -o's ending: .html is one file that needs no "
                + "script and no network, .md goes into a pull request, .json has each funnel's result just as `looptrail funnel` "
                + "writes it.",
            "What matters stands first: at most three sentences that hold, of all that was searched. What goes with the last required step "
                + "is searched, too, unless --no-why is given.",
            "--compare puts another time range beside each funnel. The funnels, their trends and the events take one pass together. The "
                + "search for what goes with a step reads the files once more for each funnel, and --start with --return once more.",
            "--watch reads only what is new: it does not search what goes with a step, so What matters names only what holds of "
                + "the funnels, their groups and their trends.",
        ],
        operands: .inputs,
        flags: ReportFlags.all + FunnelFlags.all + CommonFlags.reportWithGauges + CommonFlags.input + CommonFlags.summaries,
        essentials: [
            FunnelFlags.funnels.declaration, FunnelFlags.steps.declaration, ReportFlags.every.declaration, ReportFlags.noWhy.declaration,
            ReportFlags.start.declaration, ReportFlags.returning.declaration, ResultFlags.compare.declaration,
            ReportFlags.watch.declaration, CommonFlags.zone.declaration, CommonFlags.output.declaration,
        ],
        examples: [
            Example("a page of saved funnels", ["report", "events/", "--funnels", "funnels.json", "-o", "report.html"]),
            Example(
                "the same with a line by week, in Berlin",
                ["report", "events/", "--funnels", "funnels.json", "--every", "week", "--tz", "Europe/Berlin", "-o", "report.html"]),
            Example(
                "this week against the last, what goes with it, and who comes back",
                [
                    "report", "events/", "--funnels", "funnels.json", "--since", "now-7d", "--compare", "now-14d..now-7d",
                    "--start", "catalog_viewed", "--return", "catalog_viewed", "-o", "report.html",
                ]),
        ], seeAlso: ["funnel", "trend", "why", "retention"]
    ) { invocation in
        // Only a moment relative to `now` asks the clock.
        let isRelative = Lock(false)
        var noting = invocation
        noting.surroundings.clock = WallClock {
            isRelative.withLock { $0 = true }
            return invocation.surroundings.clock.milliseconds
        }
        let definitions = try FunnelFlags.definitions(noting)
        let compared = try ResultFlags.compared(noting, with: definitions)
        let retention = try ReportFlags.retention(invocation)
        let unit = invocation.arguments[ReportFlags.every].flatMap(CalendarUnit.init)
        let zone = try invocation.zone()
        let trendStarts: FunnelDefinition.Starts = invocation.arguments[FunnelFlags.includeOpen] ? .all : .mature
        let output = try ReportOutput(invocation)
        try ResultFlags.refuseGauges(output, beside: ReportFlags.withoutGauges, invocation)
        invocation.noteUsers(in: definitions, besideGaugesIn: output)
        let source = try InputPaths(invocation)
        // A report does not ask why by itself if it watches, if the input can be read only once, or if it writes nothing but gauges.
        let canReadAgain =
            try invocation.arguments[ReportFlags.watch] == nil && output.targets.contains { $0.formatName != CommonFlags.gauges }
            && source.canBeReadAgain()
        let whys = try ReportFlags.whys(invocation, of: definitions, canReadAgain: canReadAgain)
        let isWhyGiven = invocation.arguments[ReportFlags.why]
        let again = [isWhyGiven ? "--why" : nil, retention == nil ? nil : "--start"].compactMap(\.self).joined(separator: " and ")
        if let interval = invocation.arguments[ReportFlags.watch] {
            guard let path = output.path else { throw UsageError("--watch replaces a file again and again: give it with -o FILE") }
            if source.paths.contains("-") { throw UsageError("--watch: standard input cannot be watched, give a PATH") }
            if interval < 100 { throw UsageError("--watch: give 100ms or more") }
            if !again.isEmpty { throw UsageError("--watch reads only what is new: leave out \(again), which reads everything") }
            if isRelative.withLock({ $0 }) {
                throw UsageError("--watch: `now` would stay the time of the call; give dates, or run the report again from a timer")
            }
            invocation.warn(ofUnnameable: try source.reader())
            let watch = try FunnelWatch(FunnelRun(definitions, comparedWith: compared, day: invocation.day()), paths: source.paths)
            for flag in ReportFlags.withoutWatch where invocation.arguments.has(flag) {
                invocation.console.note("\(flag.dashed) has no effect beside --watch")
            }
            invocation.console.note("writing `\(path)` whenever there is something new; ^C ends")
            var unwritten: ReportDocument?
            // Returns whether the output still has a reader. A captured variable will not do: debug builds take it for a constant.
            func look() throws -> Bool {
                let period: ((Int64) -> Range<Int64>)? = unit.map { unit in { unit.period(of: $0, in: zone) } }
                if let overview = try watch.poll(trendStarts: trendStarts, period: period) {
                    unwritten = ReportFlags.document(invocation, overview, comparedFrom: definitions.count, every: unit, in: zone)
                }
                guard let document = unwritten else { return true }
                let isRead = try output.write(document)
                unwritten = nil
                return isRead
            }
            var trouble = PassingTrouble(invocation.console)
            var isRead = try look()
            while isRead {
                try await Task.sleep(for: .milliseconds(interval))
                if path == "/dev/stdout", !invocation.surroundings.hasReader { break }
                isRead = try trouble.look(look) ?? true
            }
            return .fine
        }
        if !again.isEmpty { try ReportFlags.requireSecondReading(of: source, for: again) }
        let overview = try source.read { reader, progress in
            try FunnelRun(definitions, comparedWith: compared, day: invocation.day())
                .overview(
                    reading: reader, threads: source.threads, progress: progress,
                    trendStarts: trendStarts, period: unit.map { unit in { unit.period(of: $0, in: zone) } })
        }
        var (asked, names, paths) = (definitions, overview.results.flatMap(\.unseenNames), overview.results.flatMap(\.unseenPaths))
        var more = try ReportFlags.answers(invocation, to: whys, from: source)
        if let retention {
            let unit = unit ?? .day
            let found = try source.answer(RetentionRun(retention, every: unit.periods(in: zone))).answer
            more.append(RetentionResult(found, every: unit, in: zone))
            (names, paths) = (names + found.unseenNames, paths + found.unseenPaths)
            asked.append(try retention.scanned())
        }
        let document = ReportFlags.document(
            invocation, overview, comparedFrom: definitions.count, every: unit, in: zone, more: more)
        try output.write(document)
        invocation.warn(of: names)
        try invocation.warnOfProperties(in: asked, from: source)
        invocation.warn(ofPaths: paths)
        invocation.warn(ofStepsWithoutValueIn: Array(overview.results.prefix(definitions.count)))
        invocation.warn(ofNothingLeftIn: overview.results)
        invocation.warn(ofOpenWindowsIn: overview.results)
        return invocation.verdict(on: overview.catalogue.input, overview.reading, from: source)
    }
}
