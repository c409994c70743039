/// Where the lines of a log go.
///
/// An output is a value, and a new one is a static member in a file of its own, like ``standardError``. It is called on the
/// isolation of the system, one line at a time.
public struct LogOutput {
    private let writeLine: (String) -> Void

    /// - Parameter write: takes one line without a line feed at its end.
    public init(write: @escaping (String) -> Void) { writeLine = write }

    /// Writes one line.
    ///
    /// - Parameter line: without a line feed at its end.
    public func write(_ line: String) { writeLine(line) }
}
