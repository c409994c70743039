/// Where the lines of a log go.
///
/// An output is a value. To add one, write a static member in a file of its own, like ``standardError``. It is called on the
/// isolation of the system, one line at a time; given to a ``LogThread``, on that thread.
public struct LogOutput {
    private let writeLine: (String, LogLevel, _ system: String?) -> Void
    private let isWanted: ((LogLevel) -> Bool)?

    /// An output that gets each line with its level.
    ///
    /// - Parameters:
    ///   - isWanted: whether lines of a level are shown; lines of other levels are not formatted. `nil` shows all.
    ///   - write: takes one line without a line feed at its end, and its level.
    public init(isWanted: ((LogLevel) -> Bool)? = nil, writing write: @escaping (String, LogLevel) -> Void) {
        self.init(isWanted: isWanted, writingNamed: { line, level, _ in write(line, level) })
    }

    /// An output that gets the name of the line's system as well; `nil` for none.
    init(isWanted: ((LogLevel) -> Bool)?, writingNamed write: @escaping (String, LogLevel, _ system: String?) -> Void) {
        (self.isWanted, writeLine) = (isWanted, write)
    }

    /// Writes one line, given without a line feed at its end.
    package func write(_ line: String, level: LogLevel = .info, system: String? = nil) { writeLine(line, level, system) }

    func wants(_ level: LogLevel) -> Bool { isWanted?(level) ?? true }
}
