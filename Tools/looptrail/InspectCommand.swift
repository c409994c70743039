import Basics
import EventFiles
import Inspect
import LoopRecording
import Reports

/// Flags of `inspect`.
enum InspectFlags {
    static let list = Flag("list", in: .output, "List the sessions instead")
    static let session = Flag(
        "session", in: .input, .text("the id", placeholder: "ID", example: "4b1f"),
        "The session to show, by the beginning of its id (default: the last)")
    static let system = Flag(
        "system", in: .input, .text("the name", placeholder: "NAME", example: "shop"), "The system to show, where there are several")
    static let first = Flag("from", in: .input, .count(0...Int.max, example: "700"), "The first step to show")
    static let last = Flag("to", in: .input, .count(0...Int.max, example: "900"), "The last step to show")

    static let all = [
        CommonFlags.plainOutput.declaration, list.declaration, session.declaration, system.declaration, first.declaration, last.declaration,
        CommonFlags.quiet.declaration, CommonFlags.noColor.declaration,
    ]
}

extension Command {
    static let inspect = Command(
        name: "inspect",
        summary: "make a page of a recorded session: each event, what led to it, what it changed",
        discussion: [
            "RECORDING is a folder or a file that a Recorder wrote, also of a program that runs or has crashed. The page is one file and asks nobody "
                + "for anything. It searches, compares, goes to any step, and copies a session as a Swift test or for Redux DevTools.",
            "Damage and missing steps are named on the page, and what can be read is shown; the exit status is 3 then.",
        ],
        operands: .files(placeholder: "RECORDING", usage: "RECORDING...", summary: "Folders and files of recordings"),
        flags: InspectFlags.all,
        examples: [
            Example("the last session", ["inspect", "recordings/", "-o", "session.html"]),
            Example("what there is", ["inspect", "recordings/", "--list"]),
        ], seeAlso: ["tail", "timings"]
    ) { invocation in
        let arguments = invocation.arguments
        let isListing = arguments[InspectFlags.list]
        if invocation.outputs.isEmpty && !isListing { throw UsageError("`-o FILE` says where the page goes; `--list` prints the sessions") }
        for path in invocation.outputs where path.hasSuffix(".log.gz") || path.hasSuffix(".log.gz.open") {
            throw UsageError("-o `\(path)` is named like a recording; choose another name")
        }
        try invocation.refuseOutput(standardInput: arguments.operands.contains("-") ? invocation.surroundings.standardInput : nil)
        let output = try PlainOutput(invocation)
        let recording = try InspectedRecording(paths: arguments.operands, standardInput: invocation.surroundings.standardInput)
        for problem in recording.problems { invocation.console.warning(problem) }
        let (id, system) = (arguments[InspectFlags.session], arguments[InspectFlags.system])
        let session = try recording.session(id: id, system: system)
        if isListing {
            let fitting = recording.sessions.filter { $0.id.hasPrefix(id ?? "") && (system == nil || $0.system ?? "System" == system) }
            try output.write(fitting.map { $0.summary + "\n" }.joined())
        } else {
            let lines = try session.pageLines(
                from: arguments[InspectFlags.first], to: arguments[InspectFlags.last], problems: recording.problems)
            try output.write(InspectPage.html(lines, title: "\(session.system ?? "System") · \(session.id.prefix(8))"))
        }
        return recording.problems.isEmpty && !(isListing ? recording.sessions : [session]).contains(where: \.hasGaps) ? .fine : .damaged
    }
}

extension RecordedSteps {
    /// `4b1f…  2026-01-01T00:00:00.000Z  shop  812 steps, 3 failed  closed`, and the first problem.
    fileprivate var summary: String {
        let failed = steps.count { $0.outcome == "failed" }
        let counts = GroupedNumber.counted(steps.count, "step") + (failed > 0 ? ", \(GroupedNumber.text(failed)) failed" : "")
        let bytes = ByteBuffer(capacity: 32)
        UTCTime.append(milliseconds: Int64(time), to: bytes)
        let last = steps.last.map { $0.outcome == "unfinished" ? ", last event taken: \($0.number), whether it ended is not known" : "" }
        let words = [id, bytes.text, system ?? "System", counts, ended ?? "did not end by itself\(last ?? "")"]
        return (words + problems.prefix(1)).map(TerminalText.visible).joined(separator: "  ")
    }
}
