import EventFiles
import Reports

extension Command {
    static let forget = Command(
        name: "forget",
        summary: "remove everything about users from finished files, and leave all others' events",
        discussion: [
            "Each finished file with a line of one of the ids, or of an anonymous id that became one, is replaced by one without under a new "
                + "name. The old name becomes an empty sealed file of 28 bytes, so that a device that sends the old file again finds its "
                + "name taken. Files under way (.open), damaged ones and those whose upload was not answered are left and named. What lies "
                + "in .sent/ and .pending/ is treated alike; sidecars and .quarantine/ of these folders go.",
            "The words before the first that is a file, a folder or a pattern are ids; write ./NAME for a path that looks like one. Killed at any "
                + "point, run it again. Run it as the user who owns the files. Exits with 0 when nothing of the users is left, and with 1 "
                + "when something could not be done. Prints what to run in databases that have loaded the files.",
        ],
        operands: .textAndInputs(placeholder: "ID...", example: "u17", summary: "The users' ids, as they stand in the files"),
        flags: [
            CommonFlags.format.declaration, CommonFlags.threads.declaration, CommonFlags.quiet.declaration, CommonFlags.noColor.declaration,
            CommonFlags.progress.declaration,
        ],
        examples: [
            Example("one user", ["forget", "u17", "events/"]),
            Example("two users, for a program", ["forget", "u17", "u18", "events/", "--format", "json"]),
        ]
    ) { invocation in
        let output = try ReportOutput(invocation, path: nil)
        let (ids, paths) = try idsAndPaths(invocation.arguments.operands)
        let threads = invocation.arguments[CommonFlags.threads] ?? EventFileReader.activeProcessors
        let line = ProgressLine(invocation, files: try EventFileReader(paths: paths).files)
        let report = try EventForgetting(ids, in: paths).run(threads: threads, progress: line.map { line in { line.show($0) } })
        line?.end()
        try output.write(ReportDocument(report))
        invocation.note(of: report.ids)
        if report.isComplete { return .fine }
        invocation.console.error("not all could be done: see the files that were left as they are")
        return .failure
    }

    /// The first word is an id whatever it looks like.
    private static func idsAndPaths(_ words: [String]) throws(UsageError) -> (ids: [String], paths: [String]) {
        let first = words.dropFirst().firstIndex { word in
            word == "-" || word.contains("/") || word.contains("*") || (try? EventFileReader(paths: [word])) != nil
        }
        guard let first else { throw UsageError("no PATH: say which files or folders to change") }
        let paths = Array(words[first...])
        if paths.contains("-") { throw UsageError("`-`: files are changed; give files or folders") }
        return (Array(words[..<first]), paths)
    }
}
