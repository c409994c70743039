import EventFiles
import Funnels
import Reports

/// The flags of `user`.
enum UserFlags {
    /// The format of the lines as they stand in the files. It is no format of reports.
    static let lines = "ndjson"
    static let format = Flag(
        "format", in: .output, .word(ReportFormats.all().map(\.name).filter { $0 != CommonFlags.gauges } + [lines], example: lines),
        "How the result is written; ndjson: the lines as they stand in the files; jsonl must be named here, no file's ending chooses it "
            + "(default: by the ending of -o's file, else table)")
}

extension Command {
    static let user = Command(
        name: "user",
        summary: "show everything that is written about one user, in order of time",
        discussion: [
            "Shows meta lines, too, and lines of anonymous ids that became the user. Of several lines with the same event id, it shows the "
                + "first. With --format ndjson it prints lines as they stand in the files, for a person who asks what is stored about them."
        ],
        operands: .textAndInputs(placeholder: "ID", example: "u17", summary: "The user's id, as it stands in the files"),
        flags: [
            UserFlags.format.declaration, CommonFlags.output.declaration, CommonFlags.threads.declaration, CommonFlags.quiet.declaration,
            CommonFlags.noColor.declaration, CommonFlags.zone.declaration, CommonFlags.progress.declaration,
        ],
        examples: [
            Example("everything about one user", ["user", "u17", "events/"]),
            Example("the lines themselves, to hand over", ["user", "u17", "events/", "-o", "u17.ndjson"]),
        ], pathNote: filesOnly, seeAlso: ["forget"]
    ) { invocation in
        let outputs = invocation.outputs
        let endsAsLines = !outputs.isEmpty && outputs.allSatisfy { $0.hasSuffix(".\(UserFlags.lines)") }
        let areLines = invocation.arguments[UserFlags.format].map { $0 == UserFlags.lines } ?? endsAsLines
        let id = invocation.arguments.operands[0]
        let source = try InputPaths(invocation, operands: try invocation.namedPaths)
        let output = areLines ? nil : try ReportOutput(invocation)
        let lines = areLines ? try PlainOutput(invocation, isOfEvents: true) : nil
        let reader = try source.reader()
        let person = try ProgressLine.during(invocation, files: reader.files) {
            try PersonEvents(of: id, in: reader, threads: source.threads, progress: $0)
        }
        try output?.write(ReportDocument(person))
        try lines?.write(person.ndjson)
        invocation.note(of: person.ids)
        var input = InputQuality()
        input.damagedMembers = person.reading.damagedMembers + person.reading.longLines  // A line that is too long is damage, too.
        return invocation.verdict(on: input, person.reading, from: source)
    }
}

extension Invocation {
    /// The paths of a command that reads its files more than once. Standard input and pipes cannot be among them.
    var namedPaths: [String] {
        get throws {
            let paths = inputs.isEmpty ? InputPaths.standard(self) : inputs
            if paths.isEmpty { throw UsageError("no PATH: say which files or folders to read") }
            let isOnce = { (file: InputFile) in file.bytes == nil }
            if let once = try paths.first(where: { $0 == "-" }) ?? EventFileReader(paths: paths).files.first(where: isOnce)?.path {
                throw UsageError("`\(once)` can be read only once, and this command reads more than once: give files or folders")
            }
            return paths
        }
    }

    /// Prints which user each anonymous id became.
    func note(of person: PersonIDs) {
        for (anonymous, user) in person.became.sorted(by: { $0.key < $1.key }) {
            console.note("`\(anonymous)` became `\(user)`: give `\(user)` as the id to have both")
        }
    }
}
