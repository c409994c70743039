/// Why a funnel cannot be written as SQL.
public enum FunnelSQLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A part of the definition that the statement could not count exactly.
    case refused(FunnelDefinition.Part)
    /// A source that is neither a table nor files of events.
    case source(String)
    /// A part of the definition that neither SQL nor a cluster could count.
    case refusedInParts(String)
    /// A path with a line end, which the engine's grammar has no way to write.
    case lineEnd(String)
    /// Summaries, whose properties are columns: views of the lines have them as JSON.
    case schema(String)

    public var description: String {
        switch self {
        case .refused(let part): Self.refusal(of: "\(part)")
        case .refusedInParts(let part): "SQL cannot count \(part) exactly, nor can parts on a cluster: count it with `looptrail funnel`"
        case .lineEnd(let text): "`\(text)` has a line end, which no path in a statement for Spark can have"
        case .source(let text):
            "`\(text)` is neither a table's name nor a path that ends in .ndjson.gz, .ndjson, .jsonl.gz, .jsonl or .parquet"
        case .schema(let text):
            "`\(text)`: --as schema reads lines, which end in .ndjson.gz, .ndjson, .jsonl.gz or .jsonl; engines read Parquet without views"
        }
    }

    /// The sentence about a part that cannot be counted exactly.
    package static func refusal(of part: String) -> String {
        "SQL cannot count \(part) exactly: count it with `looptrail funnel`, or on several machines with `looptrail cluster`"
    }
}
