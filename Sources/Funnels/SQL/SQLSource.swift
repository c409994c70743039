import EventFiles

/// Where a statement reads its lines.
enum SQLSource: Sendable, Hashable {
    /// A table with the columns of the line, `props` as JSON text.
    case table(String)
    /// A path, glob or address of event files.
    case files(String)
    /// A path, glob or address of summaries, which `looptrail index` makes.
    case parquet(String)

    init(_ text: String, for dialect: some SQLDialect) throws(FunnelSQLError) {
        if !dialect.readsPathsWithLineEnds, text.unicodeScalars.contains("\n") { throw .lineEnd(text) }
        if EventFileEndings.closed.contains(where: text.lowercased().hasSuffix) {
            self = .files(text)
        } else if text.lowercased().hasSuffix(".parquet") {
            self = .parquet(text)
        } else if text.hasSuffix("/") {
            self = .files(text + "*.ndjson.gz")
        } else if Self.isTable(text), !text.lowercased().hasSuffix(".gz") {
            self = .table(text)
        } else {
            throw .source(text)
        }
    }

    /// Whether a text is names with dots between them: nothing else may reach the statement unquoted.
    private static func isTable(_ text: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).map(\.unicodeScalars).allSatisfy { part in
            part.first.map { !("0"..."9").contains($0) } ?? false
                && part.allSatisfy { $0 == "_" || $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) }
        }
    }
}
