/// What the lines of a segment are, as its name says.
package enum SegmentContents: Sendable, Hashable, CaseIterable {
    /// Events, one JSON object a line: `.ndjson.gz`.
    case events
    /// Lines of a log, in whatever form: `.log.gz`. What the writer itself has to say stands among them as in event files.
    case log

    var suffix: String {
        switch self {
        case .events: ".ndjson.gz"
        case .log: ".log.gz"
        }
    }

    /// Whether each line is a JSON object, which is how lines without a CRC are known to be whole.
    var holdsObjects: Bool { self == .events }
}
