package enum EventFileEndings {
    package static let all = [".ndjson.gz", ".ndjson.gz.open", ".ndjson", ".jsonl", ".jsonl.gz"]
    /// All but `.open`, the ending of a segment that is being written.
    package static let closed = all.filter { !$0.hasSuffix(".open") }
}
