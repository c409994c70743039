import Basics
import EventFiles
import Reports

/// The flags of `repair`.
enum RepairFlags {
    static let output = Flag(
        "output", short: "o", in: .output, .file, "The sound file; for several files the folder to write them into", placeholder: "OUT",
        repetition: .refused)
    static let inPlace = Flag(
        "in-place", in: .output, "Replace each damaged file; where anything was left out, it is kept as NAME.damaged; a PATH is needed")
}

extension Command {
    static let repair = Command(
        name: "repair",
        summary: "make sound files of damaged ones, with every line that can be saved",
        discussion: [
            "Saves the lines of every member whose CRC is right, the whole lines of a member that the file's end cuts, and the whole "
                + "lines of other framings. Leaves out lines that are not events, and the later of two lines with one id. What was lost "
                + "is counted on standard error. A `dropped` line explains the numbers that the damage took from a session: those of its "
                + "beginning only where all earlier files of its writer are given, those of its end, and whole sessions, never, as no "
                + "number shows them.",
            "Exits with 0 when every file made is sound, whatever was lost; with 3 when nothing could be saved of a file, or numbers are "
                + "missing that no damage explains; with 1 when --in-place left a file as it was. With -o no file that exists is changed "
                + "or replaced.",
        ],
        operands: .inputs,
        flags: [
            RepairFlags.output.declaration, RepairFlags.inPlace.declaration, CommonFlags.format.declaration,
            CommonFlags.threads.declaration, CommonFlags.quiet.declaration, CommonFlags.noColor.declaration,
            CommonFlags.progress.declaration,
        ],
        examples: [
            Example("one file", ["repair", "events/app-1a2b3c4d5e6f7081-0000000001.ndjson.gz", "-o", "sound.ndjson.gz"]),
            Example("every file of a folder into another", ["repair", "events/", "-o", "sound/"]),
            Example("the files themselves, for a program", ["repair", "events/", "--in-place", "--format", "json"]),
        ], pathNote: filesOnly, seeAlso: ["check"]
    ) { invocation in
        let output = try ReportOutput(invocation, paths: [])
        let target = try target(of: invocation)
        let threads = invocation.arguments[CommonFlags.threads] ?? EventFileReader.activeProcessors
        // A repair in place changes files, so it takes no folder by default.
        let paths = invocation.inputs.isEmpty && target != .inPlace ? InputPaths.standard(invocation) : invocation.inputs
        if paths.isEmpty { throw UsageError("no PATH: say which files to repair") }
        let reader = try EventFileReader(paths: paths)
        try reader.requireFiles()
        invocation.warn(ofUnnameable: reader)
        invocation.warn(ofLinkedFolders: reader)
        let jobs = try jobs(for: reader, of: paths, into: target)
        let result = try ProgressLine.during(invocation, files: reader.files) {
            try EventFileRepair(jobs).run(threads: threads, progress: $0)
        }
        try output.write(ReportDocument(result))
        for path in reader.leftOut { invocation.console.note("\(path) was left out: its content is in its finished file") }
        for path in result.gone { invocation.console.note("\(path) was removed before it could be read: it was not repaired") }
        printLosses(of: result, invocation.console)
        if result.files.contains(where: { $0.outcome == .refused }) || result.files.isEmpty && !result.gone.isEmpty { return .failure }
        return result.isSound || result.files.isEmpty ? .fine : .damaged
    }

    private static func target(of invocation: Invocation) throws(UsageError) -> RepairJob.Target {
        let output = invocation.arguments[RepairFlags.output]
        switch (output, invocation.arguments[RepairFlags.inPlace]) {
        case (let output?, false):
            if output == "-" { throw UsageError("-o `-`: a repaired file is checked after it is written; name a file") }
            return .path(output)
        case (nil, true): return .inPlace
        case (_?, true): throw UsageError("-o and --in-place exclude each other: give one of them")
        case (nil, false): throw UsageError("no output: give -o OUT or --in-place")
        }
    }

    /// Pairs each input with its output. Makes the output folder if the output is one.
    private static func jobs(for reader: EventFileReader, of paths: [String], into target: RepairJob.Target) throws -> [RepairJob] {
        guard case .path(let output) = target else { return try RepairJob.jobs(for: reader.files, into: target) }
        let isOne = reader.files.count == 1 && paths.count == 1 && reader.files[0].path == paths[0]
        if isOne && !output.hasSuffix("/") && !OutputFolder.isThere(output) {
            return try RepairJob.jobs(for: reader.files, into: .path(output))
        }
        let jobs = try RepairJob.jobs(for: reader.files, into: .folder(output))
        try OutputFolder.make(output)
        return jobs
    }

    private static func printLosses(of result: RepairResult, _ console: Console) {
        for file in result.files where file.outcome == .nothingSaved {
            // Otherwise it would read like a loss.
            let isDouble = file.read.lines > 0 && file.duplicates == file.read.lines
            let what = isDouble ? "every line stands in another file" : "nothing could be saved"
            console.error("\(file.read.path): \(what), and no file was made; move it away if it is of no use")
        }
        for case let refusal? in result.files.map(\.refusal) { console.error("\(refusal)") }
        for file in result.files where file.outcome == .empty {
            let message = "\(file.read.path) is empty, and no file was made"
            // Beside other files an empty one is no loss. Alone it means that the output was not made.
            if result.check == nil { console.error(message) } else { console.note(message) }
        }
        var losses: [String] = []
        func add(_ count: Int64, _ one: String, _ several: String) {
            if count > 0 { losses.append(GroupedNumber.counted(Int(clamping: count), one, several)) }
        }
        add(Int64(result.damagedPlaces), "damaged place", "damaged places")
        add(result.unusableBytes, "byte that could not be used", "bytes that could not be used")
        add(Int64(result.badLines), "line that is not an event", "lines that are not events")
        add(result.missingSequences, "event missing by sequence", "events missing by sequence")
        add(result.uncertainSequences, "earlier event, here or in files not given", "earlier events, here or in files not given")
        add(Int64(result.duplicates), "duplicate", "duplicates")
        if losses.isEmpty { return console.note("nothing was lost") }
        var text = "left out: \(losses.joined(separator: ", "))"
        if result.salvagedLines > 0 { text += "; salvaged from cut members: \(GroupedNumber.counted(result.salvagedLines, "line"))" }
        console.warning(text)
    }
}
