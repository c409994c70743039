import Basics
import Funnels

/// Flags of `split`.
enum SplitFlags {
    static let parts = Flag(
        "parts", in: .groups, .count(1...FunnelSplit.maxParts, example: "8"), "How many parts", isRequired: true, repetition: .refused)
    static let output = Flag(
        "output", short: "o", in: .output, .text("name", placeholder: "DIR", isFile: true, example: "parts"),
        "A new or empty folder: one file per part, part-0000.ndjson and so on, and quality.partial. `-` prints rows of part, index and line "
            + "as TSV, for an engine to sort by part and index", isRequired: true, repetition: .refused)
    static let quality = Flag(
        "quality", in: .output, .file,
        "The file that says what was read; `cluster merge` needs it beside the parts (default: quality.partial in DIR)",
        example: "quality.partial", repetition: .refused)

    static let all = [parts.declaration, PartialFlags.context.declaration, output.declaration, quality.declaration]
}

extension Command {
    static let split = Command(
        name: "cluster split",
        summary: "divide events by key into parts that can each be counted alone",
        discussion: [
            "All events of one user, or whatever the context counts by, go to one part, in the order of the data. An event without a key goes "
                + "by its id. What was read, and how sound it was, is a partial of its own: give it to `cluster merge` with the others.",
            "Several splits, each of some of the files, belong together if they have the same context and number of parts: put the lines of "
                + "each part together in the order of the files. Lines that share an id must have one key.",
            "Each file begins with a line that says which part it is. Rows say it by their first column, which counts from 0: their part is "
                + "counted with `looptrail funnel - --partial --part K/N`, where K counts from 1.",
        ],
        operands: .inputs,
        flags: SplitFlags.all + [
            CommonFlags.threads.declaration, CommonFlags.quiet.declaration, CommonFlags.progress.declaration,
            CommonFlags.strict.declaration,
        ],
        examples: [
            Example("into eight files", ["cluster", "split", "events/", "--parts", "8", "--context", "cart.context", "-o", "parts"]),
            Example(
                "one file as rows, for an engine that sorts",
                ["cluster", "split", "one.ndjson.gz", "--parts", "64", "--context", "cart.context", "-o", "-", "--quality", "one.partial"]),
        ], seeAlso: ["cluster", "cluster merge"]
    ) { invocation in
        let context = try PartialFlags.readContext(invocation)
        let parts = try invocation.arguments.value(of: SplitFlags.parts)
        let folder = try invocation.arguments.value(of: SplitFlags.output)
        let quality = invocation.arguments[SplitFlags.quality]
        if folder == "-" && quality == nil { throw UsageError("-o - prints the rows alone: what was read goes to --quality FILE") }
        if quality == "-" { throw UsageError("--quality `-`: name a file; standard output is for rows") }
        try invocation.refuseOutput()
        if let quality {
            try EventFileName.refuse(quality, of: SplitFlags.quality.declaration.dashed)
            // A file in the folder cannot be checked yet, because the folder is made below.
            if !quality.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/") { try OutputFile.check(quality) }
        }
        let source = try InputPaths(invocation)
        let outcome = try source.read { reader, progress in
            // Made after the reader has listed its files: it would list parts in its own folder, and read them while they grow.
            var output = try SplitOutput(folder == "-" ? nil : folder, parts: parts, invocation.surroundings)
            let divided = try FunnelSplit(context, parts: parts).lines(reading: reader, threads: source.threads, progress: progress) {
                try output.take(part: $0, index: $1, line: $2)
            }
            try output.finish()
            return divided
        }
        try OutputFile.write(outcome.quality.bytes, to: quality ?? "\(folder)/quality.partial")
        return invocation.verdict(on: outcome.quality.input ?? InputQuality(), outcome.reading, from: source)
    }
}
