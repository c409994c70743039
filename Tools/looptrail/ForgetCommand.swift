import Basics
import EventFiles
import Reports

/// The flags of `forget`.
enum ForgetFlags {
    static let user = Flag(
        collecting: "user", in: .people, .text("id", placeholder: "ID", example: "u17"),
        "A user's id, as it stands in the files; may be repeated", isRequired: true)
    static let dryRun = Flag("dry-run", in: .output, "Print what would go, and change nothing")
    static let yes = Flag("yes", in: .input, "Remove without asking; a script has to say so")
}

extension Command {
    static let forget = Command(
        name: "forget",
        summary: "remove everything about users from finished files, and leave all others' events",
        discussion: [
            "Each finished file with a line of one of the ids, or of an anonymous id that became one, is replaced by one without under a "
                + "new name. The old name becomes an empty sealed file of 28 bytes, so that a device that sends the old file again finds "
                + "its name taken. Left as they are, and listed: files under way (.open), damaged files, links and files with a hard "
                + "link, files whose upload was not answered, and files without a writer's name. What lies in .sent/ and .pending/ is "
                + "treated alike; summaries and .quarantine/ of these folders go. Other hidden folders are not looked at.",
            "Give the folder: with files or a pattern, only these and what was made of them are looked at. --dry-run prints what would go. "
                + "Without it a terminal is asked; a script says --yes. Ids are given with --user only. Killed at any point, run it "
                + "again. Run it as the user who owns the files.",
            "Exits with 0 when no line of the users is left, and with 1 when something could not be done, such as beside a living writer, "
                + "whose ring may hold bytes of them. Prints what to run in databases that have loaded the files.",
        ],
        operands: .inputs,
        flags: [
            ForgetFlags.user.declaration, ForgetFlags.dryRun.declaration, ForgetFlags.yes.declaration, CommonFlags.format.declaration,
            CommonFlags.threads.declaration, CommonFlags.quiet.declaration, CommonFlags.noColor.declaration,
            CommonFlags.progress.declaration,
        ],
        examples: [
            Example("what would go", ["forget", "--user", "u17", "events/", "--dry-run"]),
            Example("two users, for a program", ["forget", "--user", "u17", "--user", "u18", "events/", "--yes", "--format", "json"]),
        ], needsPath: true, seeAlso: ["user"]
    ) { invocation in
        let arguments = invocation.arguments
        let paths = try forgottenPaths(invocation)
        let isDry = arguments[ForgetFlags.dryRun]
        let isAsked = !isDry && !arguments[ForgetFlags.yes]
        if isAsked && !invocation.surroundings.canAsk {
            throw UsageError("--yes is needed where nobody can be asked; --dry-run prints what would go")
        }
        let output = try ReportOutput(invocation, paths: [])
        let forgetting = EventForgetting(try arguments.value(of: ForgetFlags.user), in: paths)
        let threads = arguments[CommonFlags.threads] ?? EventFileReader.activeProcessors
        func progressing(_ pass: (((ReadProgress) -> Void)?) throws -> ForgetResult) throws -> ForgetResult {
            try ProgressLine.during(invocation, files: try EventFileReader(paths: paths).files, pass)
        }
        if isDry || isAsked {
            let preview = try progressing { try forgetting.preview(threads: threads, progress: $0) }
            if isDry { try output.write(ReportDocument(preview)) }
            invocation.note(of: preview.ids)
            let changed = preview.files.count { if case .refused = $0.outcome { false } else { true } }
            let (lines, files) = (GroupedNumber.counted(preview.removedLines, "line"), GroupedNumber.counted(changed, "file"))
            if isDry {
                invocation.console.note("nothing was changed: this is what would go, \(lines) in \(files)")
                return preview.isComplete ? .fine : .failure
            }
            if !invocation.surroundings.isConfirmed("looptrail forget: remove \(lines) in \(files) for good? [y/N] ") {
                invocation.console.error("nothing was changed")
                return .failure
            }
        }
        let result = try progressing { try forgetting.run(threads: threads, progress: $0) }
        try output.write(ReportDocument(result))
        invocation.note(of: result.ids)
        if result.isComplete { return .fine }
        invocation.console.error("not all could be done: see the files that were left as they are")
        return .failure
    }

    /// The paths to change. They must be given and exist: `forget` takes no folder by default, and no operand for an id.
    private static func forgottenPaths(_ invocation: Invocation) throws(UsageError) -> [String] {
        let paths = invocation.inputs
        if paths.isEmpty { throw UsageError("no PATH: say which files or folders to change") }
        if paths.contains("-") { throw UsageError("`-`: files are changed; give files or folders") }
        for path in paths {
            var status = stat()
            if lstat(path, &status) != 0, errno == ENOENT, !path.contains(where: { "*?[{".contains($0) }) {
                throw UsageError("there is no file or folder `\(path)`; an id is given with --user")
            }
        }
        return paths
    }
}

extension Surroundings {
    /// Whether a terminal can show a question and take the answer.
    fileprivate var canAsk: Bool { isTerminal(standardInput) && isTerminal(standardError) }

    /// Asks at the terminal. Any answer but `y` and `yes` means no.
    fileprivate func isConfirmed(_ question: String) -> Bool {
        try? DescriptorWriting.writeAll(question, to: standardError)
        var answer: [UInt8] = []
        var byte: UInt8 = 0
        while answer.count < 16, read(standardInput, &byte, 1) == 1, byte != UInt8(ascii: "\n") { answer.append(byte) }
        return ["y", "yes"].contains(String(decoding: answer, as: UTF8.self).lowercased())
    }
}
