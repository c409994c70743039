import TrackingEvents

/// Where a command's text or bytes go that are no report: the files of `-o`, or standard output.
struct PlainOutput: Sendable {
    /// `nil` is standard output.
    private let paths: [String?]
    private let surroundings: Surroundings

    /// - Parameter isOfEvents: whether what is written are lines of events, which may have the name of an event file.
    /// - Throws: ``OutputError`` for a file that could not be made, and ``UsageError`` for one that is read, before the work begins.
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

    /// Writes a result whole. Whoever stops reading it, as `head` does, has what they wanted: what the command found beside it still counts.
    ///
    /// - Parameter path: `nil` for standard output.
    /// - Returns: whether somebody was there to read it.
    @discardableResult
    static func write(_ bytes: [UInt8], to path: String?, in surroundings: Surroundings) throws(OutputError) -> Bool {
        do throws(OutputError) {
            if let path {
                try OutputFile.write(bytes, to: path, random: SeededRandom())
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
