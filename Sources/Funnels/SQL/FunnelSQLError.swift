/// Why a funnel cannot be written as SQL.
public enum FunnelSQLError: Error, Sendable, Hashable {
    /// A part of the definition that the statement could not count exactly, in the words of the flags.
    case refused(String)
    /// A source that is neither a table nor files of events.
    case source(String)
    /// Summaries, whose properties are columns: views of the lines have them as JSON.
    case schema(String)
}

extension FunnelSQLError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .refused(let part):
            "SQL cannot count \(part) exactly: count it with `looptrail funnel`, on a cluster with `looptrail prepare`, `split` and `merge`"
        case .source(let text):
            "`\(text)` is neither a table's name nor a path that ends in .ndjson.gz, .ndjson, .jsonl.gz, .jsonl or .parquet"
        case .schema(let text):
            "`\(text)`: --as schema reads lines, which end in .ndjson.gz, .ndjson, .jsonl.gz or .jsonl; engines read Parquet without views"
        }
    }
}
