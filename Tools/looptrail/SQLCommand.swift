import Funnels
import Reports

/// Flags of `sql` beside those of a funnel.
enum SQLFlags {
    static let dialect = Flag(
        "dialect", .word(FunnelSQL.Dialect.allCases.map(\.rawValue), example: "duckdb"), "The engine that the statement is for",
        isRequired: true, repetition: .refused)
    static let from = Flag(
        "from",
        .text("source", placeholder: "SOURCE", example: "s3://bucket/events/*.ndjson.gz"),
        "What the engine reads: a table with the columns of the line, or a path, glob or address that ends in .ndjson.gz, .ndjson, "
            + ".jsonl.gz or .jsonl; behind a / stands *.ndjson.gz", standard: "events/*.ndjson.gz", repetition: .refused)
    static let form = Flag(
        "as", .word(["funnel", "schema"], example: "schema"), "funnel: the bars; schema: tables or views of the lines, without steps",
        standard: "funnel", repetition: .refused)

    static let all = [dialect.declaration, from.declaration, form.declaration]
}

extension Command {
    static let sql = Command(
        name: "sql",
        summary: "print a funnel as SQL that another engine runs with the same result",
        discussion: [
            "One statement, which runs as it is and has a row a step: index, name, count, of_first, of_previous, and p50_ms and p90_ms, "
                + "the times from step 1. With --breakdown it has a row a group and step, and value stands in front.",
            "The counts and times are those of `looptrail funnel` over the same files, which must pass `looptrail check`; of lines that "
                + "share an id the one with the smallest t_ms counts. --order strict and any, optional steps, --exclude, --count attempts, "
                + ":all, --compat, --step-window, --mature, session.* and files of users are refused: `looptrail funnel` counts them, "
                + "on a cluster `looptrail prepare`, `split` and `merge`. An event that fits two different steps stops the statement while it runs; so "
                + "does a number with a fraction that is a key, a group or compared as text.",
        ],
        operands: .none,
        flags: SQLFlags.all + FunnelFlags.all + [
            CommonFlags.output.declaration, CommonFlags.zone.declaration, CommonFlags.quiet.declaration,
        ],
        examples: [
            Example(
                "in DuckDB, over files as they lie",
                ["sql", "--dialect", "duckdb", "--from", "events/*.ndjson.gz", "--steps", "cart_added > paid", "-o", "funnel.sql"]),
            Example(
                "in ClickHouse, over object storage",
                ["sql", "--dialect", "clickhouse", "--from", "s3://bucket/events/*.ndjson.gz", "--steps", "viewed[price>=50] > paid"]),
        ]
    ) { invocation in
        guard let dialect = FunnelSQL.Dialect(rawValue: try invocation.arguments.value(of: SQLFlags.dialect)) else {
            throw UsageError("--dialect is needed")
        }
        let source = try invocation.arguments.value(of: SQLFlags.from)
        let output = try PlainOutput(invocation)
        do {
            if invocation.arguments[SQLFlags.form] == "schema" {
                try output.write(try FunnelSQL.schema(dialect, source: source))
            } else {
                try output.write(try FunnelSQL(try FunnelFlags.single(invocation), dialect: dialect, source: source).text)
            }
        } catch let error as FunnelSQLError {
            throw UsageError("\(error)")
        }
        return .fine
    }
}
