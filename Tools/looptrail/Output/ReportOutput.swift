import Reports
import TrackingEvents

/// Where a command's result goes, and how it is written there.
struct ReportOutput: Sendable {
    let format: any ReportFormat
    /// `nil` for standard output.
    let path: String?
    private let surroundings: Surroundings

    /// Settles everything before the work begins, so that hours of it are not lost to a misspelt name.
    ///
    /// - Parameter startMilliseconds: when the work began, for the last line on a terminal.
    init(_ invocation: Invocation) throws(UsageError) {
        let arguments = invocation.arguments
        surroundings = invocation.surroundings
        let output = arguments[CommonFlags.output]
        path = output == "-" ? nil : output
        let name = try Self.formatName(arguments[CommonFlags.format], path: path)
        var style = TextStyle(isASCII: !surroundings.isUTF8)
        if path == nil {
            style.width = surroundings.columns(of: surroundings.standardOutput)
            style.isColoured = !arguments[CommonFlags.noColor] && surroundings.allowsColour(on: surroundings.standardOutput)
        }
        guard let format = ReportFormats.all(style).first(where: { $0.name == name }) else {
            throw UsageError("there is no format `\(name)`")
        }
        self.format = format
    }

    /// The format by `--format`, else by the file's ending, else a table.
    private static func formatName(_ name: String?, path: String?) throws(UsageError) -> String {
        guard let path else { return name ?? "table" }
        let file = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? path
        if eventFileEndings.contains(where: file.hasSuffix) {
            throw UsageError("-o `\(path)` is named like an event file: a report there would be read as events; choose another name")
        }
        if let name { return name }
        guard let dot = file.dropFirst().lastIndex(of: ".") else { return "table" }
        let ending = file[file.index(after: dot)...].lowercased()
        let formats = ReportFormats.all()
        if let format = formats.first(where: { $0.fileExtensions.contains(ending) }) { return format.name }
        let endings = formats.flatMap(\.fileExtensions).map { ".\($0)" }.joined(separator: ", ")
        let names = formats.map { "--format \($0.name)" }.joined(separator: " or ")
        throw UsageError("-o `\(path)`: the ending .\(ending) means no format (there are \(endings)); add \(names)")
    }

    /// What the reader takes from a folder.
    private static let eventFileEndings = [".ndjson", ".ndjson.gz", ".jsonl", ".jsonl.gz", ".ndjson.gz.open"]

    /// Writes the result.
    func write(_ text: String) throws(OutputError) {
        if let path { return try WholeFile.write(text, to: path, random: SeededRandom()) }
        do {
            try DescriptorWriter.write(text, to: surroundings.standardOutput)
        } catch {
            throw error.isClosedPipe ? .readerGone : .standardOutput(error)
        }
    }
}
