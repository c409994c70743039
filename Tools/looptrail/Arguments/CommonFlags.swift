import Reports

/// Flags that several commands share.
enum CommonFlags {
    static let format = format(of: ReportFormats.all().map(\.name).filter { $0 != gauges })
    /// For results that have numbers to watch.
    static let formatWithGauges = format(of: ReportFormats.all().map(\.name))
    static let output = output(besides: "; may be repeated, each in the format of its ending")
    /// Of a command that has one format, whatever the ending.
    static let plainOutput = output(besides: "; may be repeated")
    static let threads = Flag("threads", in: .input, .count(1...256, example: "2"), "Threads that read (default: one for each processor)")
    static let strict = Flag("strict", in: .input, "Exit with 3 if any input was damaged; lines that cannot be read are damage, too")
    static let zone = Flag(
        "tz", in: .time, .zone, "The time zone of dates: those you write without an offset, and those shown", standard: "UTC")
    static let progress = Flag(
        "progress", in: .output, .word(ProgressLine.When.allCases.map(\.rawValue), example: "never"),
        "Show how far the reading is; auto: at a terminal, after a second", standard: "auto")
    static let noIndex = Flag("no-index", in: .input, "Read the lines, not the summaries of `looptrail index`; the result is the same")
    /// Names the summaries that were there and could not be used; `check` lists them, too.
    static let verbose = Flag("verbose", in: .output, "Name summaries that could not be used")
    static let quiet = Flag("quiet", in: .output, "Print no notes and warnings; errors and the result stay")
    static let noColor = Flag("no-color", in: .output, "Print without colours; as with NO_COLOR=1, with TERM=dumb and to no terminal")

    /// The format that only results with gauges have.
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

    /// What every command that prints a report has.
    static let report = [format.declaration] + besidesFormat
    /// The same of a command whose results have numbers to watch.
    static let reportWithGauges = [formatWithGauges.declaration] + besidesFormat

    /// What most calls need of these.
    static let essentials = [zone.declaration, strict.declaration, format.declaration, output.declaration]

    /// Of a command that reads no events.
    static let reportWithoutThreads = [format.declaration, output.declaration, quiet.declaration, noColor.declaration]

    private static let besidesFormat = [output.declaration, threads.declaration, quiet.declaration, noColor.declaration]

    /// What a command has that reads events and writes no report.
    static let partial = [plainOutput.declaration, threads.declaration, quiet.declaration]

    /// What every command that reads events into a report has besides.
    static let input = [plan.declaration, zone.declaration, progress.declaration, strict.declaration]

    /// What every command has besides that answers from summaries.
    static let summaries = [noIndex.declaration, verbose.declaration.unlisted]
}
