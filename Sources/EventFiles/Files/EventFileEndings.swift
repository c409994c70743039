package enum EventFileEndings {
    package static let all = [".ndjson.gz", ".ndjson.gz.open", ".ndjson", ".jsonl", ".jsonl.gz"]
    /// The endings of files that nobody is writing any more.
    package static let closed = all.filter { !$0.hasSuffix(".open") }
}
