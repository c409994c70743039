import Reports

/// Flags that several commands share.
enum CommonFlags {
    static let format = format(of: ReportFormats.all().map(\.name).filter { $0 != gauges })
    /// ``format`` for commands whose results also have gauges.
    static let formatWithGauges = format(of: ReportFormats.all().map(\.name))
    static let output = output(besides: "; may be repeated, each in the format of its ending")
    /// ``output`` for a command that has one format, whatever the file's ending.
    static let plainOutput = output(besides: "; may be repeated")
    static let threads = Flag("threads", in: .input, .count(1...256, example: "2"), "Threads that read (default: one for each processor)")
    static let strict = Flag("strict", in: .input, "Exit with 3 if any input was damaged; lines that cannot be read are damage, too")
    static let zone = Flag(
        "tz", in: .time, .zone, "The time zone of dates: those you write without an offset, and those shown", standard: "UTC")
    static let progress = Flag(
        "progress", in: .output, .word(ProgressLine.When.allCases.map(\.rawValue), example: "never"),
        "Show how far the reading is; auto: at a terminal, after a second", standard: "auto")
    static let noIndex = Flag("no-index", in: .input, "Read the lines, not the summaries of `looptrail index`; the result is the same")
    /// Names the summaries that could not be used. `check` lists them, too.
    static let verbose = Flag("verbose", in: .output, "Name summaries that could not be used")
    static let quiet = Flag("quiet", in: .output, "Print no notes and warnings; errors and the result stay")
    static let noColor = Flag("no-color", in: .output, "Print without colours; NO_COLOR=1 and TERM=dumb do the same")

    /// The name of the format that only results with gauges have.
    static let gauges = PrometheusReport().name

    private static func format(of names: [String]) -> Flag<String> {
        Flag(
            "format", in: .output, .word(names, example: "json"),
            "How the result is written; jsonl by this flag alone (default: by the ending of -o's file, else table)")
    }

    static func output(besides more: String) -> Flag<[String]> {
        Flag(collecting: "output", short: "o", in: .output, .file, "Write to FILE, not to standard output; whole or not at all" + more)
    }

    static let plan = Flag(
        "plan", in: .input, .file, "A tracking plan: warn of names that are asked for and in neither plan nor data",
        example: "tracking-plan.json", repetition: .refused)

    /// The flags of most commands that print a report.
    static let report = [format.declaration] + besidesFormat
    /// ``report`` for a command whose results also have gauges.
    static let reportWithGauges = [formatWithGauges.declaration] + besidesFormat

    /// The shared flags that most calls need.
    static let essentials = [zone.declaration, strict.declaration, format.declaration, output.declaration]

    /// The flags of a command that prints a report but reads no events.
    static let reportWithoutThreads = [format.declaration, output.declaration, quiet.declaration, noColor.declaration]

    private static let besidesFormat = [output.declaration, threads.declaration, quiet.declaration, noColor.declaration]

    /// The flags of a command that reads events and writes no report.
    static let partial = [plainOutput.declaration, threads.declaration, quiet.declaration]

    /// Further flags of a command that makes a report of events.
    static let input = [plan.declaration, zone.declaration, progress.declaration, strict.declaration]

    /// Further flags of a command that answers from summaries.
    static let summaries = [noIndex.declaration, verbose.declaration.unlisted]
}
