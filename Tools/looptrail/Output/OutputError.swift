import Basics

/// A result that could not be written.
enum OutputError: Error, Sendable {
    /// The reader of the output has closed it, as `head` does. The command stops writing and reports nothing.
    case readerGone
    case standardOutput(SystemError)
    /// `doing` names the step that failed: `write`, `make a file beside`.
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
