/// The kind of lines in a segment. Its name tells the kind.
package enum SegmentContents: String, Sendable, Hashable, CaseIterable {
    /// Events, one JSON object a line: `.ndjson.gz`.
    case events = ".ndjson.gz"
    /// Lines of a log, in whatever form: `.log.gz`. The writer's own notes, such as `dropped`, stand among them as JSON lines.
    case log = ".log.gz"

    var suffix: String { rawValue }
}
