import Reports
import TrackingEvents

/// Where a command's result goes, and how it is written there.
struct ReportOutput: Sendable {
    /// `nil` for standard output.
    let path: String?
    let formatName: String
    let style: TextStyle
    private let surroundings: Surroundings
    private let start: Double

    /// Settles everything before the work begins, so that minutes of it are not lost to a misspelt name.
    ///
    /// - Throws: ``UsageError`` for a format that there is not, ``OutputError`` for a file that could not be made.
    init(_ invocation: Invocation) throws {
        try invocation.refuseOutput()
        let output = invocation.arguments[CommonFlags.output]
        try self.init(invocation, path: output == "-" ? nil : output)
    }

    /// For a command whose `-o` is not the report's place.
    init(_ invocation: Invocation, path: String?) throws {
        let arguments = invocation.arguments
        surroundings = invocation.surroundings
        self.path = path
        let flag = invocation.command.flags.first(where: { $0.name == CommonFlags.format.declaration.name })
        // A command without the flag writes whatever its file's ending means.
        let allowed = flag?.value?.allowed ?? ReportFormats.all().map(\.name)
        formatName = try Self.formatName(arguments[CommonFlags.format], path: path, among: allowed)
        if let path { try OutputFile.check(path) }
        var style = TextStyle(isASCII: !surroundings.isUTF8, zone: try invocation.zone())
        if path == nil {
            style.width = surroundings.columns(of: surroundings.standardOutput)
            style.isColoured = !arguments[CommonFlags.noColor] && surroundings.allowsColour(on: surroundings.standardOutput)
        }
        self.style = style
        start = surroundings.monotonicSeconds()
    }

    /// The format by `--format`, else by the file's ending, else a table.
    ///
    /// - Parameter allowed: the formats that the command has.
    private static func formatName(_ name: String?, path: String?, among allowed: [String]) throws(UsageError) -> String {
        guard let path else { return name ?? "table" }
        let file = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? path
        if eventFileEndings.contains(where: file.hasSuffix) {
            throw UsageError("-o `\(path)` is named like an event file: a report there would be read as events; choose another name")
        }
        if let name { return name }
        guard let dot = file.dropFirst().lastIndex(of: ".") else { return "table" }
        let ending = file[file.index(after: dot)...].lowercased()
        let formats = ReportFormats.all().filter { allowed.contains($0.name) }
        if let format = formats.first(where: { $0.fileExtensions.contains(ending) }) { return format.name }
        if ReportFormats.all().contains(where: { $0.fileExtensions.contains(ending) }) {
            throw UsageError("-o `\(path)`: .\(ending) holds gauges, which only `looptrail funnel` and `looptrail report` have")
        }
        let endings = formats.flatMap(\.fileExtensions).map { ".\($0)" }.joined(separator: ", ")
        let names = formats.map(\.name)
        let choice = names.dropLast().joined(separator: ", ") + (names.last.map { " or \($0)" } ?? "")
        throw UsageError("-o `\(path)`: the ending .\(ending) belongs to no format (known are \(endings)); add --format \(choice)")
    }

    /// What the reader takes from a folder.
    private static let eventFileEndings = [".ndjson", ".ndjson.gz", ".jsonl", ".jsonl.gz", ".ndjson.gz.open"]

    /// Writes the result in the format that was asked for.
    ///
    /// - Returns: whether somebody was there to read it.
    @discardableResult
    func write(_ document: ReportDocument) throws -> Bool {
        var style = style
        // Only for who waited: in a file or a pipe, equal input gives equal bytes.
        if path == nil && surroundings.isTerminal(surroundings.standardOutput) {
            style.elapsedSeconds = surroundings.monotonicSeconds() - start
        }
        guard let format = ReportFormats.all(style).first(where: { $0.name == formatName }) else {
            throw UsageError("there is no format `\(formatName)`")
        }
        return try PlainOutput.write(format.bytes(of: document), to: path, in: surroundings)
    }
}
