import Testing

@testable import Funnels

/// The conditions of a statement, clause by clause. `Tools/conformance` runs them on engines and compares with the funnel's counts.
@Suite("Steps as conditions")
struct SQLPatternsTests {
    private func conditions(_ steps: String, _ dialect: any SQLDialect = DuckDBDialect()) throws -> [String] {
        SQLPatterns(try FunnelStep.parse(steps), dialect).conditions
    }

    private static let fraction = FunnelSQL.fractionMessage

    @Test(
        "a test compares numbers as numbers, and everything else as text",
        arguments: [
            ("a", "name IN ('a')"), ("(a | b)", "name IN ('a', 'b')"), ("*", "1 = 1"),
            ("a[x=pro]", "name IN ('a') AND CASE WHEN p1 IS NULL THEN 1 = 0 ELSE p1 = 'pro' END"),
            ("a[x!=pro]", "name IN ('a') AND CASE WHEN p1 IS NULL THEN 1 = 1 ELSE p1 != 'pro' END"),
            (
                "a[x>=10]",
                "name IN ('a') AND CASE WHEN p1 IS NULL THEN 1 = 0 ELSE CASE WHEN w1 IS NOT NULL THEN w1 >= CAST('10' AS BIGINT) "
                    + "WHEN d1 IS NOT NULL THEN d1 >= CAST('10.0' AS DOUBLE) ELSE p1 >= '10' END END"
            ),
            (
                "*[x!=1.5]",
                "1 = 1 AND CASE WHEN p1 IS NULL THEN 1 = 1 ELSE CASE WHEN d1 IS NOT NULL THEN d1 != CAST('1.5' AS DOUBLE) ELSE p1 != '1.5' END END"
            ),
            // Leading zeros, as in a postal code, make a text and no number.
            ("a[x=01234]", "name IN ('a') AND CASE WHEN p1 IS NULL THEN 1 = 0 ELSE p1 = '01234' END"),
            ("a[x~\"\"]", "name IN ('a') AND CASE WHEN p1 IS NULL THEN 1 = 0 ELSE 1 = 1 END"),
        ])
    func conditions(step: String, condition: String) throws {
        #expect(try conditions(step) == [condition])
    }

    @Test(
        "where the text of a number decides, a fraction stops the statement, among events of the step's names only",
        arguments: [
            ("(a | b)[x<pro]", "p1 < 'pro'", "name IN ('a', 'b')"), ("*[x>=pro]", "p1 >= 'pro'", "1 = 1"),
            ("a[x~1.5]", "instr(p1, '1.5') > 0", "name IN ('a')"),
        ])
    func stopping(step: String, comparison: String, names: String) throws {
        let stops =
            "CASE WHEN f1 AND \(names) THEN error('\(Self.fraction)') ELSE CASE WHEN \(comparison) THEN 1 ELSE 0 END END = 1"
        #expect(try conditions(step) == ["\(names) AND CASE WHEN p1 IS NULL THEN 1 = 0 ELSE \(stops) END"])
    }

    @Test func `tests of one path share its column, and paths are numbered as they are met`() throws {
        let patterns = SQLPatterns(try FunnelStep.parse("a[x>1, y.z=p, x<9] > b[y.z=q, w=5]"), DuckDBDialect())
        // The tests of a step stand in the order of their texts.
        #expect(patterns.properties == [["x"], ["y", "z"], ["w"]])
        #expect(SQLPatterns(try FunnelStep.parse("a[\u{E9}=1, e\u{301}=1, x=\u{E9}, x=e\u{301}]"), DuckDBDialect()).properties.count == 3)
        #expect(patterns.numericColumns == [1, 3])
        #expect(
            patterns.conditions[0].contains("w1 < ") && patterns.conditions[0].contains("w1 > ") && patterns.conditions[1].contains("w3 ="))
    }

    @Test(
        "a statement reads the names of all steps, or any name",
        arguments: [("b > a > b", ["a", "b"]), ("(c | a) > b[x=1]", ["a", "b", "c"]), ("a > *", nil), ("*[x=1]", nil)]
            as [(String, [String]?)])
    func names(steps: String, names: [String]?) throws {
        #expect(SQLPatterns(try FunnelStep.parse(steps), DuckDBDialect()).names == names)
    }

    @Test("a test stands once in a condition, however often it is written")
    func repeated() throws {
        #expect(try conditions("a[x=p, x=p]") == conditions("a[x=p]"))
    }
}

/// How each engine writes the same thing.
@Suite("Dialects of SQL")
struct SQLDialectTests {
    @Test(
        "a path into the properties is quoted as the engine wants it",
        arguments: [
            (["sku"], #"JSONExtractRaw(props, 'sku')"#, #"props ->> '$."sku"'"#),
            (["cart", "item count"], #"JSONExtractRaw(props, 'cart', 'item count')"#, #"props ->> '$."cart"."item count"'"#),
            (["it's"], #"JSONExtractRaw(props, 'it\'s')"#, #"props ->> '$."it''s"'"#),
            // DuckDB's quotes cannot hold these names. A JSON pointer (RFC 6901) can, with ~ and / escaped.
            ([#"a"b"#, "c~d/e"], #"JSONExtractRaw(props, 'a"b', 'c~d/e')"#, #"props ->> '/a"b/c~0d~1e'"#),
            ([#"a\b"#], #"JSONExtractRaw(props, 'a\\b')"#, #"props ->> '/a\b'"#),
            (["\"\u{301}", "~\u{301}"], "JSONExtractRaw(props, '\"\u{301}', '~\u{301}')", "props ->> '/\"\u{301}/~0\u{301}'"),
        ] as [([String], String, String)])
    func paths(path: [String], clickhouse: String, duckdb: String) {
        #expect(ClickHouseDialect().property(path).contains(clickhouse))
        #expect(DuckDBDialect().property(path).contains(duckdb))
        #expect(DuckDBDialect().isFraction(path).contains(duckdb))
    }

    @Test(
        "ClickHouse reads a path with the function that its beginning asks for",
        arguments: [
            ("events/*.ndjson.gz", "file('events/*.ndjson.gz', 'JSONEachRow', 'v UInt32"),
            ("s3://b/e.jsonl", "s3('s3://b/e.jsonl', 'JSONEachRow', '"),
            ("GS://b/e.jsonl", "s3('GS://b/e.jsonl', 'JSONEachRow', '"), ("https://h/e.jsonl", "url('https://h/e.jsonl', 'JSONEachRow', '"),
            ("http://h/e.parquet", "url('http://h/e.parquet', 'Parquet', '"), ("s3x/e.parquet", "file('s3x/e.parquet', 'Parquet', '"),
        ])
    func functions(source: String, call: String) throws {
        let sql = try FunnelSQL(FunnelDefinition(steps: [FunnelStep("a")]), dialect: .clickhouse, source: source)
        #expect(sql.text.contains("FROM \(call)"))
    }

    @Test("a name with a zero byte is written as the engine can read it")
    func zero() {
        #expect(ClickHouseDialect().literal("a\0b") == #"'a\0b'"#)
        #expect(BackslashLiteral.quoted("\0'\\\n") == #"'\0\'\\\n'"#)
    }

    @Test(
        "the groups of a breakdown are the first or last value of the key, or that of a step's event",
        arguments: [
            (
                "props.p", "arrayFirst(moment -> moment.3 != '', moments).3 AS own_group",
                "list_filter(moments, lambda moment: moment.of_group != '')[1].of_group"
            ),
            (
                "props.p:last", "arrayLast(moment -> moment.3 != '', moments).3 AS own_group",
                "list_filter(moments, lambda moment: moment.of_group != '')[-1].of_group"
            ),
            (
                "props.p:step=2",
                "CASE WHEN length(times) >= 2 THEN arrayFirst(moment -> moment.1 = times[2], moments).3 ELSE '' END AS own_group",
                "CASE WHEN len(times) >= 2 THEN list_filter(moments, lambda moment: moment.t = times[2])[1].of_group ELSE '' END AS own_group"
            ),
        ])
    func breakdowns(breakdown: String, clickhouse: String, duckdb: String) throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"), breakdown: .parse(breakdown, top: 3))
        for (dialect, clause) in [(FunnelSQL.Dialect.clickhouse, clickhouse), (.duckdb, duckdb)] {
            let text = try FunnelSQL(definition, dialect: dialect, source: "t").text
            #expect(text.contains(clause), "\(text)")
            #expect(text.contains("-- groups by \(try FunnelBreakdown.parse(breakdown)), the first 3\n"))
        }
        // A breakdown with `step=2` reads events of that step only, so that a fraction elsewhere stops nothing.
        let spark = try FunnelSQL(definition, dialect: .spark, source: "t").text
        #expect(spark.contains("f1 AND class = 2") == breakdown.hasSuffix("step=2"))
    }

    @Test(
        "a held property keeps the group of the key over all its values",
        arguments: [("props.p", "group_ms, own_group"), ("props.p:last", "group_ms DESC, own_group")])
    func held(breakdown: String, order: String) throws {
        let definition = try FunnelDefinition(
            steps: FunnelStep.parse("a > b"), hold: ["sku"], breakdown: .parse(breakdown))
        for dialect in FunnelSQL.Dialect.allCases {
            let text = try FunnelSQL(definition, dialect: dialect, source: "t").text
            #expect(text.contains("PARTITION BY person_key ORDER BY CASE WHEN own_group = '' THEN 1 ELSE 0 END, \(order)\n"))
            #expect(text.contains("way_group AS own_group") && text.contains("AND held != ''"))
            #expect(text.contains("-- one value of props.sku along a chain\n"))
        }
    }

    @Test(
        "each key is a column of its own, and users alone are joined to their anonymous ids",
        arguments: [(FunnelKey.user, "person AS own_key"), (.session, "session AS own_key"), (.system, "system AS own_key")])
    func keys(key: FunnelKey, column: String) throws {
        for dialect in FunnelSQL.Dialect.allCases {
            let text = try FunnelSQL(FunnelDefinition(steps: FunnelStep.parse("a > b"), key: key), dialect: dialect, source: "t").text
            #expect(text.contains(column))
            #expect(text.contains("identities AS (") == (key == .user))
            let alone = try FunnelDefinition(steps: FunnelStep.parse("a > b"), key: key, identify: false)
            #expect(try !FunnelSQL(alone, dialect: dialect, source: "t").text.contains("identities"))
        }
    }

    @Test(
        "a column of a table may be null: such a text is empty, and a version is that of today",
        arguments: [
            (FunnelSQL.Dialect.clickhouse, "ifNull(toString(type), '') AS type"), (.duckdb, "coalesce(type, '') AS type"),
            (.spark, "coalesce(type, '') AS type"),
        ])
    func nulls(dialect: FunnelSQL.Dialect, type: String) throws {
        let text = try FunnelSQL(FunnelDefinition(steps: FunnelStep.parse("a > b")), dialect: dialect, source: "t").text
        #expect(text.contains(type) && text.contains("(v, 1) <= 1 AND name != ''") && text.contains("t_ms IS NOT NULL"))
    }

    @Test(
        "a time that is written as 1767225600000.0 is read as the whole number that it is",
        arguments: [
            (FunnelSQL.Dialect.clickhouse, "t_ms Float64", "toInt64(assumeNotNull(line.t_ms)) AS t_ms"),
            (.duckdb, "t_ms: 'BIGINT'", "CAST(t_ms AS BIGINT) AS t_ms"), (.spark, "t_ms DOUBLE", "CAST(t_ms AS BIGINT) AS t_ms"),
        ])
    func times(dialect: FunnelSQL.Dialect, read: String, time: String) throws {
        let text = try FunnelSQL(FunnelDefinition(steps: [FunnelStep("a")]), dialect: dialect, source: "e/").text
        #expect(text.contains(read) && text.contains(time))
    }

    @Test("a property is a key where it is a text or a whole number", arguments: FunnelSQL.Dialect.allCases)
    func propertyKeys(dialect: FunnelSQL.Dialect) throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"), key: .property(["org"]))
        let grammar = dialect.grammar
        let key = grammar.value("coalesce(p1, '')", stoppingIf: "f1 AND 1 = 1", FunnelSQL.fractionMessage)
        #expect(try FunnelSQL(definition, dialect: dialect, source: "t").text.contains("\(key) AS own_key"))
    }

    @Test("views of the lines read what they are given", arguments: FunnelSQL.Dialect.allCases)
    func schemas(dialect: FunnelSQL.Dialect) throws {
        let schema = try FunnelSQL.schema(dialect, source: "it's/*.ndjson.gz")
        // Files are inserted into ClickHouse's table; the others read them where they lie.
        if dialect != .clickhouse { #expect(schema.contains(dialect.grammar.literal("it's/*.ndjson.gz")) || schema.contains("`it's/")) }
        for view in ["lines", "identities", "tracked"] {
            #expect(schema.contains("VIEW \(dialect == .clickhouse ? "looptrail." : "")\(view)"))
        }
        #expect(schema.hasSuffix(";\n"))
        // Lines whose id is the empty text have none. ClickHouse's table keeps the ids that it is given.
        if dialect != .clickhouse { #expect(schema.contains(dialect == .duckdb ? "coalesce(id, '') = '' OR" : "nullif(id, ''), uuid()")) }
        // Statements end where a line does, so that a shell can run them one by one.
        #expect(schema.split(separator: "\n").filter { !$0.hasPrefix("--") && $0.contains(";") }.allSatisfy { $0.hasSuffix(";") })
        #expect(throws: FunnelSQLError.source("a b")) { try FunnelSQL.schema(dialect, source: "a b") }
    }
}
