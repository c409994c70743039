import Basics

/// A result that could not be written.
enum OutputError: Error, Sendable {
    /// Whoever read the output has gone, as `head` does: nothing more need be written, and nothing is said of it.
    case readerGone
    case standardOutput(SystemError)
    /// `doing` is what failed: `write`, `make a file beside`.
    case file(path: String, doing: String, SystemError)
}

extension OutputError: CustomStringConvertible {
    var description: String {
        switch self {
        case .readerGone: "standard output was closed"
        case .standardOutput(let error): "cannot write to standard output: \(error)"
        case .file(let path, let doing, let error): "cannot \(doing) `\(path)`: \(error)"
        }
    }
}
