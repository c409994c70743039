package enum InspectError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A folder without a file of a recording.
    case noRecording(in: String)
    /// None of the lines is the head of a recording.
    case noHead(path: String, lines: Int)
    /// The session or the system, as `noun` says, is not in the recording.
    case noSuch(_ noun: String, wanted: String, found: [String])
    /// No step lies in the range, whose end is `Int.max` if none was given.
    case noSteps(from: Int, to: Int, found: ClosedRange<Int>)
    /// The lines have more bytes than a page can hold.
    case tooLarge(limit: Int)

    package var description: String {
        switch self {
        case .noRecording(let folder): "\(folder): no recording is here; a folder's are recording-*.log.gz and recording-*.log.gz.open"
        case .noHead(let path, let lines):
            "\(path): none of its \(lines == 1 ? "1 line" : "\(lines) lines") is the head of a recording of version 1 or 2"
        case .noSuch(let noun, let wanted, let found):
            "no \(noun) `\(wanted)`; there are \(Self.list(Set(found).sorted())); `--list` says more"
        case .noSteps(let first, let last, let found):
            "no step from \(first) \(last == .max ? "on" : "to \(last)"); the session has steps \(found.lowerBound) to \(found.upperBound)"
        case .tooLarge(let limit): "the session has more than the \(limit >> 20) MiB a page holds; show a part of it with --from and --to"
        }
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(10).map { "`\($0)`" }.joined(separator: ", ") + (names.count > 10 ? " and \(names.count - 10) more" : "")
    }
}
