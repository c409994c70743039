/// A funnel as one SQL statement for another engine. Its counts of users, or of other keys, and its times are those of ``FunnelRun``.
///
/// The result has a row for each step: `index`, `name`, `count`, `of_first`, `of_previous`, and `p50_ms` and `p90_ms`, the times from step
/// 1. With a breakdown it has a row for each group and step, and `value` stands in front.
///
/// With periods it counts as a trend does, a row for each period and step: `start_ms` is in front, `complete` and `left_out` at the end.
///
/// It reads files that pass `looptrail check`. Of lines that share an id the one with the smallest `t_ms` counts. What SQL cannot count
/// exactly is refused by ``init(_:dialect:source:by:)``, or stops the statement while it runs: an event that fits two different
/// steps, and a key, a group or a text comparison that meets a number with a fraction.
///
/// ```swift
/// let definition = try FunnelDefinition(steps: FunnelStep.parse("cart_added > paid"))
/// print(try FunnelSQL(definition, dialect: .duckdb, source: "events/*.ndjson.gz").text)
/// ```
public struct FunnelSQL: Sendable {
    /// The engines that a statement can be written for.
    public enum Dialect: String, Sendable, CaseIterable {
        case clickhouse, duckdb, spark

        var grammar: any SQLDialect {
            switch self {
            case .clickhouse: ClickHouseDialect()
            case .duckdb: DuckDBDialect()
            case .spark: SparkDialect()
            }
        }

        package var escapesGlobs: Bool { grammar.escapesGlobs }
    }

    static let wayOut = "count it with looptrail funnel, or on several machines with looptrail cluster"
    static let fractionMessage = "a number with a fraction is a key, a group or compared as text, which SQL cannot do exactly: \(wayOut)"

    let definition: FunnelDefinition
    let dialect: any SQLDialect
    let source: SQLSource
    /// The periods of a trend; `nil` for one funnel.
    let calendarPeriods: SQLPeriods?
    let patterns: SQLPatterns
    /// The first millisecond in which no attempt may start, as far as the definition alone says it.
    let until: Int64?
    /// The columns of the properties that are the key, the held one and the group, from 1.
    let keyColumn: Int?
    let holdColumn: Int?
    let groupColumn: Int?

    /// - Parameters:
    ///   - source: what the engine reads: a table, or a path, glob or address that ends in `.ndjson.gz`, `.ndjson`, `.jsonl.gz` or
    ///     `.jsonl`, or in `.parquet` for the summaries of `looptrail index`. A table has the columns of the line, `props` as JSON text.
    ///   - periods: what a trend is divided into; `nil` for one funnel.
    /// - Throws: ``FunnelSQLError``.
    public init(_ definition: FunnelDefinition, dialect: Dialect, source: String, by periods: SQLPeriods? = nil) throws(FunnelSQLError) {
        let refused = definition.firstPart(of: [
            .compat, .order(definition.order), .optionalSteps, .exclusions, .attempts, .visits, .stepWindow, .matureSessions, .allGroups,
            .pairs, .hugeNumber,
        ])
        if let refused { throw .refused(refused) }
        // A trend says which periods are complete and how many starts are not mature, even if it counts all of them.
        if periods != nil, definition.key == .session, definition.steps.count > 1 { throw .refused(.matureSessions) }
        if let refused = FunnelContext.refusal(of: definition) { throw .refusedInParts(refused) }
        self.dialect = dialect.grammar
        self.source = try SQLSource(source, for: self.dialect)
        self.definition = definition
        calendarPeriods = periods
        var until = definition.until
        if periods == nil, definition.starts == .mature, let end = definition.dataEnd.flatMap({ definition.matureUntil(dataEnd: $0) }) {
            until = min(until ?? .max, end)
        }
        self.until = until
        var patterns = SQLPatterns(definition.steps, self.dialect)
        if case .property(let path) = definition.key { keyColumn = patterns.column(of: path) } else { keyColumn = nil }
        holdColumn = definition.hold.map { patterns.column(of: $0) }
        groupColumn = definition.breakdown.map { patterns.column(of: $0.properties[0].path) }
        self.patterns = patterns
    }

    /// Statements that make views or tables of the lines, for queries of your own.
    ///
    /// - Throws: ``FunnelSQLError/source(_:)``, ``FunnelSQLError/lineEnd(_:)``, or ``FunnelSQLError/schema(_:)`` for summaries.
    public static func schema(_ dialect: Dialect, source: String) throws(FunnelSQLError) -> String {
        let source = try SQLSource(source, for: dialect.grammar)
        if case .parquet(let path) = source { throw .schema(path) }
        return dialect.grammar.schema(source)
    }
}
