/// The output of a command that writes text or bytes, but no report: the files of `-o`, or standard output.
struct PlainOutput: Sendable {
    /// `nil` is standard output.
    private let paths: [String?]
    private let surroundings: Surroundings

    /// - Parameter isOfEvents: whether the command writes lines of events, so that a file may be named like an event file.
    /// - Throws: before the work begins, ``OutputError`` for a file that cannot be made, and ``UsageError`` for one that is refused.
    init(_ invocation: Invocation, isOfEvents: Bool = false) throws {
        try invocation.refuseOutput()
        surroundings = invocation.surroundings
        paths = invocation.outputs.isEmpty ? [nil] : invocation.outputs.map { $0 == "-" ? nil : $0 }
        for path in paths.compactMap(\.self) {
            if !isOfEvents { try EventFileName.refuse(path) }
            try OutputFile.check(path)
        }
    }

    func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) throws(OutputError) {
        for path in paths { try Self.write(bytes, to: path, in: surroundings) }
    }

    /// Writes a result whole. If its reader stops early, as `head` does, that is no error: the exit status depends on what was found.
    ///
    /// - Parameter path: `nil` for standard output.
    /// - Returns: `false` if the reader had closed the output.
    @discardableResult
    static func write(_ bytes: [UInt8], to path: String?, in surroundings: Surroundings) throws(OutputError) -> Bool {
        do throws(OutputError) {
            if let path {
                try OutputFile.write(bytes, to: path)
            } else {
                try Looptrail.print(bytes, in: surroundings)
            }
            return true
        } catch {
            if case .readerGone = error { return false }
            throw error
        }
    }
}
