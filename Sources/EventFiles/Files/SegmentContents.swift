/// What the lines of a segment are, as its name says.
package enum SegmentContents: String, Sendable, Hashable, CaseIterable {
    /// Events, one JSON object a line: `.ndjson.gz`.
    case events = ".ndjson.gz"
    /// Lines of a log, in whatever form: `.log.gz`. What the writer itself has to say stands among them as in event files.
    case log = ".log.gz"

    var suffix: String { rawValue }
}
