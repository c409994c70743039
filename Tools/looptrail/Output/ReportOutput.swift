import Reports
import TrackingEvents

/// The places to which a command writes its report, each with its format.
struct ReportOutput: Sendable {
    /// One file of `-o`, or standard output.
    struct Target: Sendable {
        /// `nil` for standard output.
        let path: String?
        let formatName: String
        let style: TextStyle
    }

    /// At least one.
    let targets: [Target]
    private let surroundings: Surroundings
    private let start: Double

    /// The files, joined for a message; `nil` if only standard output is written.
    var path: String? {
        let paths = targets.compactMap(\.path)
        return paths.isEmpty ? nil : paths.joined(separator: "`, `")
    }

    /// Checks everything before the work begins, so that a misspelt name does not cost minutes of work.
    ///
    /// - Throws: ``UsageError`` for an unknown format or a refused file, ``OutputError`` for a file that cannot be made.
    init(_ invocation: Invocation) throws {
        try invocation.refuseOutput()
        try self.init(invocation, paths: invocation.outputs.map { $0 == "-" ? nil : $0 })
    }

    /// The output of a command whose `-o` does not name the report.
    ///
    /// - Parameter paths: the report's files. An entry of `nil`, or no entry at all, means standard output.
    init(_ invocation: Invocation, paths: [String?]) throws {
        let arguments = invocation.arguments
        let surroundings = invocation.surroundings
        self.surroundings = surroundings
        let flag = invocation.command.flags.first(where: { $0.name == CommonFlags.format.declaration.name })
        // A command without `--format` writes whatever format the file's ending means.
        let allowed = flag?.value?.allowed ?? ReportFormats.all().map(\.name)
        let format = arguments[CommonFlags.format]
        let zone = try invocation.zone()
        var targets: [Target] = []
        for path in paths.isEmpty ? [nil] : paths {
            if let path { try EventFileName.refuse(path) }
            // Several files each have the format of their own ending.
            let own = paths.count > 1 ? path.flatMap { Self.formatName(ofEnding: $0, among: allowed) } : nil
            let formatName =
                try own ?? format ?? path.map { path throws(UsageError) in try Self.formatName(path, among: allowed) } ?? "table"
            if let path { try OutputFile.check(path) }
            var style = TextStyle(isASCII: !surroundings.isUTF8, zone: zone)
            if path == nil {
                style.width = surroundings.columns(of: surroundings.standardOutput)
                style.isColoured = !arguments[CommonFlags.noColor] && surroundings.allowsColour(on: surroundings.standardOutput)
            }
            targets.append(Target(path: path, formatName: formatName, style: style))
        }
        self.targets = targets
        start = surroundings.monotonicSeconds()
    }

    /// The format that a file's ending means; `nil` if it means none.
    ///
    /// - Parameter allowed: the formats that the command has.
    private static func formatName(ofEnding path: String, among allowed: [String]) -> String? {
        let ending = ending(of: path)
        return ReportFormats.all().first { allowed.contains($0.name) && ending.map($0.fileExtensions.contains) ?? false }?.name
    }

    /// The format that a file's ending means, or a table without an ending. Throws if the ending means no format.
    private static func formatName(_ path: String, among allowed: [String]) throws(UsageError) -> String {
        guard let ending = ending(of: path) else { return "table" }
        if let name = formatName(ofEnding: path, among: allowed) { return name }
        if ReportFormats.all().contains(where: { $0.fileExtensions.contains(ending) }) {
            throw UsageError(
                "-o `\(path)`: .\(ending) holds gauges, which only `looptrail funnel`, `looptrail trend` and `looptrail report` have")
        }
        let formats = ReportFormats.all().filter { allowed.contains($0.name) }
        let endings = formats.flatMap(\.fileExtensions).map { ".\($0)" }.joined(separator: ", ")
        let names = formats.map(\.name)
        let choice = names.dropLast().joined(separator: ", ") + (names.last.map { " or \($0)" } ?? "")
        throw UsageError("-o `\(path)`: the ending .\(ending) belongs to no format (known are \(endings)); add --format \(choice)")
    }

    /// The part of the file's name after its last dot, in lower case.
    private static func ending(of path: String) -> String? {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? path
        return name.dropFirst().lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
    }

    /// Writes the report to each place in its format.
    ///
    /// - Returns: `false` if a reader had closed its output.
    @discardableResult
    func write(_ document: ReportDocument) throws -> Bool {
        var isRead = true
        for target in targets {
            var style = target.style
            // Only a terminal shows the elapsed time, so that equal input gives equal bytes in files and pipes.
            if target.path == nil && surroundings.isTerminal(surroundings.standardOutput) {
                style.elapsedSeconds = surroundings.monotonicSeconds() - start
            }
            guard let format = ReportFormats.all(style).first(where: { $0.name == target.formatName }) else {
                throw UsageError("there is no format `\(target.formatName)`")
            }
            if try !PlainOutput.write(format.bytes(of: document), to: target.path, in: surroundings) { isRead = false }
        }
        return isRead
    }
}
