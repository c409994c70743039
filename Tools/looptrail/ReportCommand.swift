import Funnels
import Reports

/// Flags of `report` beside those of a funnel.
enum ReportFlags {
    static let title = Flag("title", .title, "The report's title (default: the name of --funnels' file)")
    static let every = Flag(
        "every", .word(CalendarUnit.allCases.map(\.rawValue), example: "day"),
        "Show each funnel by the time of entry too, in periods of this length", repetition: .refused)

    static let all = [title.declaration, every.declaration]

    static func title(_ invocation: Invocation) -> String {
        if let title = invocation.arguments[title] { return title }
        guard let path = invocation.arguments[FunnelFlags.funnels] else { return "Funnels" }
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.hasSuffix(".json") && file.count > 5 ? String(file.dropLast(5)) : file
    }
}

extension ValueKind<String> {
    static let title = text("title", placeholder: "TITLE", example: "Week 3")
}

extension Command {
    static let report = Command(
        name: "report",
        summary: "put several funnels and an overview of the events on one page",
        discussion: [
            "All funnels are counted in one pass over the files. The format is that of -o's ending: .html is one file that needs no "
                + "script and no network, .md goes into a pull request, .json has each funnel's result just as `looptrail funnel` "
                + "writes it."
        ],
        operands: .inputs,
        flags: ReportFlags.all + FunnelFlags.all + CommonFlags.reportWithGauges + CommonFlags.input,
        examples: [
            Example("a page of saved funnels", ["report", "events/", "--funnels", "funnels.json", "-o", "report.html"]),
            Example(
                "the same with a line by week, in Berlin",
                ["report", "events/", "--funnels", "funnels.json", "--every", "week", "--tz", "Europe/Berlin", "-o", "report.html"]),
        ]
    ) { invocation in
        let definitions = try FunnelFlags.definitions(invocation)
        let unit = invocation.arguments[ReportFlags.every].flatMap(CalendarUnit.init)
        let zone = try invocation.zone()
        let trendStarts: FunnelDefinition.Starts = invocation.arguments[FunnelFlags.includeOpen] ? .all : .mature
        let output = try ReportOutput(invocation)
        let source = try InputPaths(invocation)
        let overview = try source.read { reader, progress in
            try FunnelRun(definitions)
                .overview(
                    reading: reader, threads: source.threads, progress: progress,
                    trendStarts: trendStarts, period: unit.map { unit in { unit.period(of: $0, in: zone) } })
        }
        var results: [any Reportable] = []
        for (place, result) in overview.results.enumerated() {
            results.append(result)
            if let unit { results.append(FunnelTrendReport(overview.trends[place], every: unit, in: zone)) }
        }
        results.append(overview.catalogue)
        let document = ReportDocument(title: ReportFlags.title(invocation), results: results)
        try output.write(document)
        invocation.warn(of: overview.results.flatMap(\.unseenNames))
        try invocation.warnOfProperties(in: definitions, from: source)
        invocation.warn(ofPaths: overview.results.flatMap(\.unseenPaths))
        invocation.warn(ofOpenWindowsIn: overview.results)
        return invocation.verdict(on: overview.catalogue.input, overview.reading, from: source)
    }
}
