import Reports

/// Flags that several commands share.
enum CommonFlags {
    static let format = format(of: ReportFormats.all().map(\.name).filter { $0 != gauges })
    /// For results that have numbers to watch.
    static let formatWithGauges = format(of: ReportFormats.all().map(\.name))
    static let output = Flag("output", short: "o", .file, "Write the result to FILE, whole or not at all, instead of standard output")
    static let threads = Flag("threads", .count(1...256, example: "2"), "Threads that read (default: one for each processor)")
    static let strict = Flag("strict", "Exit with 3 if any input was damaged or had lines that cannot be read")
    static let zone = Flag(
        "tz", .zone, "The time zone of dates: those you write without an offset, and those shown", standard: "UTC")
    static let progress = Flag(
        "progress", .word(ProgressLine.When.allCases.map(\.rawValue), example: "never"),
        "Show on standard error how far the reading is; auto: at a terminal, after a second", standard: "auto")
    static let noIndex = Flag("no-index", "Read the lines, also where summaries (`looptrail index`) could answer; the result is the same")
    static let verbose = Flag("verbose", "Say on standard error which summaries were there and could not be used")
    static let quiet = Flag("quiet", "Print no notes and warnings on standard error; errors and the result stay")
    static let noColor = Flag("no-color", "Print without colours, as with NO_COLOR=1, with TERM=dumb and to no terminal")

    /// The format that only results with gauges have.
    static let gauges = PrometheusReport().name

    private static func format(of names: [String]) -> Flag<String> {
        Flag("format", .word(names, example: "json"), "How the result is written (default: by the ending of -o's file, else table)")
    }

    static let plan = Flag(
        "plan", .file, "A tracking plan: warn of events and properties that are asked for and in neither plan nor data",
        example: "tracking-plan.json", repetition: .refused)

    /// What every command that prints a report has.
    static let report = [format.declaration] + besidesFormat
    /// The same of a command whose results have numbers to watch.
    static let reportWithGauges = [formatWithGauges.declaration] + besidesFormat

    private static let besidesFormat = [
        output.declaration, threads.declaration, quiet.declaration, noColor.declaration,
    ]

    /// What a command has that reads events and writes no report.
    static let partial = [output.declaration, threads.declaration, quiet.declaration]

    /// What every command that reads events into a report has besides.
    static let input = [plan.declaration, zone.declaration, progress.declaration, strict.declaration]

    /// What every command has besides that answers from summaries.
    static let summaries = [noIndex.declaration, verbose.declaration]
}
