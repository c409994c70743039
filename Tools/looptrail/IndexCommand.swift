import Basics
import EventFiles
import Reports

/// The flags of `index`.
enum IndexFlags {
    static let propsColumn = Flag(
        "props-column", in: .output, "Add a column `props`: the JSON of all properties, also of those with columns of their own")
    /// The old spelling of ``propsColumn``.
    static let props = Flag("props", in: .output, .word(["text"], example: "text"), "The same as --props-column")
}

extension Command {
    static let index = Command(
        name: "index",
        summary: "put a summary in columns beside each finished event file, for quick answers",
        discussion: [
            "A summary, NAME.parquet, holds the events of one file in columns. Commands with the flag --no-index answer from it in a "
                + "fraction of the time, with the same result. So does every engine that reads Parquet. No event file is changed.",
            "A summary that fits its file is kept. It is replaced if it is stale or, with --props-column, lacks that column. No summary is "
                + "made of damaged files, files still written, links, files with bytes that are not UTF-8, and all but blocked gzip.",
        ],
        operands: .inputs,
        flags: CommonFlags.report + [
            IndexFlags.propsColumn.declaration, IndexFlags.props.declaration.unlisted, CommonFlags.progress.declaration,
            CommonFlags.strict.declaration,
        ],
        examples: [
            Example("every file of a folder", ["index", "events/"]),
            Example("with the properties as text, too", ["index", "events/", "--props-column"]),
        ], needsPath: true, seeAlso: ["sql", "funnel"]
    ) { invocation in
        if invocation.inputs.isEmpty { throw UsageError("no PATH: say which files to index") }
        let output = try ReportOutput(invocation)
        let source = try InputPaths(invocation)
        let keepsProperties = invocation.arguments[IndexFlags.propsColumn] || invocation.arguments[IndexFlags.props] != nil
        let result = try source.read { reader, progress in
            try reader.requireFiles()
            invocation.warn(ofUnnameable: reader)
            return EventFileIndexer(reader, keepsProperties: keepsProperties).run(threads: source.threads, progress: progress)
        }
        try output.write(ReportDocument(result))
        let (damaged, unread) = (result.files.filter { $0.outcome == .refused(.damaged) }, result.files.filter { $0.badLines > 0 })
        var faults = damaged.isEmpty ? [] : [GroupedNumber.counted(damaged.count, "damaged file")]
        let lines = unread.reduce(0) { $0 + $1.badLines }
        if lines > 0 { faults.append(GroupedNumber.counted(lines, "line that cannot be read", "lines that cannot be read")) }
        let status = invocation.verdict(on: faults, first: (damaged.first ?? unread.first)?.path)
        return result.files.contains { if case .refused(.failed) = $0.outcome { true } else { false } } ? .failure : status
    }
}
