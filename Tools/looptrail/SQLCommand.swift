import Funnels
import Reports

/// Flags of `sql` beside those of a funnel.
enum SQLFlags {
    static let dialect = Flag(
        "dialect", in: .output, .word(FunnelSQL.Dialect.allCases.map(\.rawValue), example: "duckdb"),
        "The engine that the statement is for", isRequired: true, repetition: .refused)
    static let from = Flag(
        "from", in: .input, .text("source", placeholder: "SOURCE", example: "s3://bucket/events/*.ndjson.gz"),
        "What the engine reads: a table with the columns of the line, or a path, glob or address that ends in .ndjson.gz, .ndjson, "
            + ".jsonl.gz or .jsonl, or in .parquet for the summaries of `looptrail index`; a / at the end means all *.ndjson.gz",
        standard: "events/*.ndjson.gz", repetition: .refused)
    static let form = Flag(
        "as", in: .output, .word(["funnel", "trend", "schema"], example: "trend"),
        "What the statement counts; funnel: the bars; trend: the bars by the time of entry; schema: tables or views of the lines, without steps",
        standard: "funnel", repetition: .refused)

    static let every = Flag(
        "every", in: .time, .word(CalendarUnit.allCases.map(\.rawValue), example: "week"),
        "With --as trend, how long a period is; days begin at midnight by --tz, weeks on Monday (default: day)", repetition: .refused)

    static let all = [dialect.declaration, from.declaration, form.declaration, every.declaration]
}

extension Command {
    static let sql = Command(
        name: "sql",
        summary: "print a funnel as SQL that another engine runs with the same result",
        discussion: [
            "One statement, which runs as it is and has a row a step: index, name, count, of_first, of_previous, and p50_ms and p90_ms, "
                + "the times from step 1. With --breakdown it has a row a group and step, and value stands in front.",
            "With --as trend it has a row a period and step, as `looptrail trend --count users` counts with the same flags: start_ms, when the period "
                + "begins (milliseconds since 1970 UTC), stands in front; at the end stand complete (1 or 0) and left_out, how many keys had no mature "
                + "start in the period. Periods in which nothing starts have rows of 0 while there are at most 10,000 in all; with --breakdown "
                + "they have none. The periods of 1970 until 2070 stand in the statement: --since and --until make it shorter, and a start "
                + "outside stops it.",
            "Of Parquet it reads the columns that `looptrail index` writes, whichever of them a file has. Load other Parquet into a table "
                + "first. A local folder is taken only where every segment has its summary. In Spark, SET spark.sql.parquet.mergeSchema = true "
                + "comes first: files have different columns, and a statement that reads properties stops without it.",
            "The counts and times are those of `looptrail funnel --count users` over the same files, which must pass `looptrail check`; of lines that "
                + "share an id the one with the smallest t_ms counts. An --order other than ordered, optional steps, --exclude, --count attempts and "
                + "visits, :all, a --breakdown of two properties, --compat, --step-window, --by session with --mature or a trend, session.* and files of users "
                + "are refused: `looptrail funnel` counts them, and, but for the last two, `looptrail cluster` on several machines. An event that fits two "
                + "different steps stops the statement while it runs; so does a number with a fraction that is a key, a group or compared as text.",
        ],
        operands: .none,
        flags: SQLFlags.all + FunnelFlags.all + [
            CommonFlags.plainOutput.declaration, CommonFlags.zone.declaration, CommonFlags.quiet.declaration,
        ],
        essentials: SQLFlags.all + [
            FunnelFlags.steps.declaration, FunnelFlags.window.declaration, FunnelFlags.by.declaration, FunnelFlags.breakdown.declaration,
            CommonFlags.plainOutput.declaration,
        ],
        examples: [
            Example(
                "in DuckDB, over files as they lie",
                ["sql", "--dialect", "duckdb", "--from", "events/*.ndjson.gz", "--steps", "cart_added > paid", "-o", "funnel.sql"]),
            Example(
                "in ClickHouse, over object storage",
                ["sql", "--dialect", "clickhouse", "--from", "s3://bucket/events/*.ndjson.gz", "--steps", "viewed[price>=50] > paid"]),
            Example(
                "day by day in UTC, over the summaries of `looptrail index`",
                [
                    "sql", "--dialect", "duckdb", "--from", "events/*.parquet", "--as", "trend", "--steps", "cart_added > paid", "--tz",
                    "UTC",
                ]),
        ], seeAlso: ["funnel", "trend", "index", "cluster"]
    ) { invocation in
        guard let dialect = FunnelSQL.Dialect(rawValue: try invocation.arguments.value(of: SQLFlags.dialect)) else {
            throw UsageError("--dialect is needed")
        }
        let source = try invocation.arguments.value(of: SQLFlags.from)
        try SummaryGlob(source, for: dialect)?.check()
        try invocation.refuseOutput(among: [source])
        let output = try PlainOutput(invocation)
        do {
            let form = try invocation.arguments.value(of: SQLFlags.form)
            if invocation.arguments[SQLFlags.every] != nil, form != "trend" { throw UsageError("--every goes with --as trend only") }
            if form == "schema" {
                if let flag = FunnelFlags.all.first(where: invocation.arguments.has) {
                    throw UsageError("--as schema takes no \(flag.dashed): a schema takes no flags of funnels")
                }
                try output.write(try FunnelSQL.schema(dialect, source: source))
                return .fine
            }
            let definition = try FunnelFlags.single(invocation)
            var periods: SQLPeriods?
            if form == "trend" {
                let unit = invocation.arguments[SQLFlags.every].flatMap(CalendarUnit.init) ?? .day
                periods = unit.periodsForSQL(in: try invocation.zone(), since: definition.since, until: definition.until)
            }
            try output.write(try FunnelSQL(definition, dialect: dialect, source: source, by: periods).text)
        } catch let error as FunnelSQLError {
            throw UsageError(error.usage)
        }
        return .fine
    }
}
