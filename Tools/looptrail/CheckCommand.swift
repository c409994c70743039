import EventFiles
import Reports

extension Command {
    private static let complete = Flag(
        "complete", in: .input, "Say that these are all files: a session that begins above 1 with no `dropped` line for it is a fault")

    static let check = Command(
        name: "check",
        summary: "prove that event files are sound and complete, or say where not",
        discussion: [
            "Reads every byte and validates every line. Exits with 3 for a member whose CRC or sizes are wrong, bytes outside "
                + "members, a file not named .open without its end member, a line that cannot be read, an id seen twice, and a "
                + "gap in a session's sequence that no `dropped` line explains.",
            "Clocks that step back, framings other than blocked gzip, and .open files that are still written are reported and do "
                + "not fail the check. Nor do sessions that begin above 1, unless --complete says that these are all files there ever "
                + "were. Every number below a session's highest is proved, and nothing after it: the last file of each writer is "
                + "listed.",
            "A `dropped` line that names a file which was removed counts only where that file is not among these. No file is changed.",
        ],
        operands: .inputs,
        flags: CommonFlags.report + [complete.declaration, CommonFlags.progress.declaration, CommonFlags.strict.declaration.unlisted],
        examples: [
            Example("every file of a folder", ["check", "events/"]),
            Example("that nothing is missing from the beginning on", ["check", "events/", "--complete"]),
            Example("one file, for a program", ["check", "events/app-1a2b3c4d5e6f7081-0000000001.ndjson.gz", "--format", "json"]),
        ], seeAlso: ["repair"]
    ) { invocation in
        let output = try ReportOutput(invocation)
        let source = try InputPaths(invocation)
        let result = try source.read { reader, progress in
            try reader.requireFiles()
            return try EventFileCheck(reader, complete: invocation.arguments[complete]).run(threads: source.threads, progress: progress)
        }
        if source.isNothing(result.bytes) { return .failure }
        try output.write(ReportDocument(result))
        if result.isSound { return .fine }
        // If the report goes to a file, the exit status alone would leave people guessing.
        if let path = output.path { invocation.console.error("the input is not sound; see `\(path)`") }
        return .damaged
    }
}
