package enum InspectError: Error, Sendable, Hashable, CustomStringConvertible {
    /// None of the lines is the head of a recording.
    case noHead(path: String, lines: Int)
    /// The session or the system is not in the recording.
    case noSuchSession(wanted: String, found: [String])
    /// No step lies in the range.
    case noSteps(from: Int, to: Int)
    /// The lines are more than a page can hold.
    case tooLarge(bytes: Int)

    package var description: String {
        switch self {
        case .noHead(let path, let lines): "\(path): none of its \(lines == 1 ? "1 line" : "\(lines) lines") is the head of a recording"
        case .noSuchSession(let wanted, let found):
            "no session `\(wanted)`; there are \(found.map { "`\($0)`" }.joined(separator: ", ")); `--list` says more"
        case .noSteps(let first, let last): "no step from \(first) to \(last)"
        case .tooLarge(let bytes): "the session has \(bytes >> 20) MiB of lines, a page holds 256; show a part of it with --from and --to"
        }
    }
}
