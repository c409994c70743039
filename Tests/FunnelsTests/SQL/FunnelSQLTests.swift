import Testing

@testable import Funnels

@Suite("A funnel as SQL")
struct FunnelSQLTests {
    private func definition(_ steps: String, _ change: (inout SavedFunnel) throws -> Void = { _ in }) throws -> FunnelDefinition {
        var saved = SavedFunnel(steps: try FunnelStep.parse(steps))
        try change(&saved)
        return try saved.definition()
    }

    private func refusal(_ definition: FunnelDefinition, by periods: SQLPeriods? = nil) -> FunnelSQLError? {
        do {
            _ = try FunnelSQL(definition, dialect: .duckdb, source: "t", by: periods)
            return nil
        } catch {
            return error
        }
    }

    @Test func `what SQL cannot count exactly is refused, and named`() throws {
        #expect(refusal(try definition("a > b > a") { $0.hold = ["sku"] }) == nil)
        #expect(refusal(try definition("a > b") { $0.compat = .clickhouse([]) }) == .refused(.compat))
        #expect(refusal(try definition("a > b") { $0.order = .strict }) == .refused(.order(.strict)))
        #expect(refusal(try definition("a > b") { $0.order = .any }) == .refused(.order(.any)))
        #expect(refusal(try definition("a > b? > c")) == .refused(.optionalSteps))
        #expect(refusal(try definition("a > b") { $0.exclusions = [try .parse("x")] }) == .refused(.exclusions))
        #expect(refusal(try definition("a > b") { $0.counting = .attempts }) == .refused(.attempts))
        #expect(refusal(try definition("a > b") { $0.stepWindow = 5 }) == .refused(.stepWindow))
        for number in ["1e400", "9223372036854775808"] {
            #expect(refusal(try definition("a[x>\(number)] > b")) == .refused(.hugeNumber))
        }
        #expect(refusal(try definition("a[x>1e19,y=9223372036854775807] > b")) == nil)
        #expect(refusal(try definition("a > b") { $0.breakdown = try .parse("props.p:all") }) == .refused(.allGroups))
        var cohort = try definition("a > b")
        var mature = try definition("a > b")
        mature.starts = .mature
        #expect(refusal(mature) == nil)
        // By session a start that still has its window may be mature, which a trend says in each period.
        let days = SQLPeriods("day", from: 0, through: 5) { _ in (length: 1, count: 1) }
        let sessions = try ["a > b", "a"].map { try FunnelDefinition(steps: FunnelStep.parse($0), key: .session) }
        #expect(sessions.map { refusal($0, by: days) } == [.refused(.matureSessions), nil] && sessions.allSatisfy { refusal($0) == nil })
        cohort.cohort = CohortFilter(only: try Cohort(Array("u1\n".utf8), name: "some"))
        #expect(refusal(cohort) == .refusedInParts("a file of users"))
    }

    @Test func `a refusal names a command that can count`() {
        #expect("\(FunnelSQLError.refused(.compat))".contains("looptrail cluster"))
        #expect(!"\(FunnelSQLError.refusedInParts("a file of users"))".contains("prepare"))
        #expect("\(FunnelSQLError.source("x y"))".contains(".ndjson.gz"))
    }

    @Test(
        "a source is a table or files",
        arguments: [
            ("looptrail.events", SQLSource.table("looptrail.events")), ("e", .table("e")), ("_2", .table("_2")),
            ("events/*.ndjson.gz", .files("events/*.ndjson.gz")), ("s3://b/x.JSONL", .files("s3://b/x.JSONL")),
            ("events/", .files("events/*.ndjson.gz")), ("it's.ndjson", .files("it's.ndjson")),
            ("events/*.parquet", .parquet("events/*.parquet")), ("s3://b/x.Parquet", .parquet("s3://b/x.Parquet")),
        ])
    func source(_ text: String, _ wanted: SQLSource) throws {
        #expect(try SQLSource(text, for: DuckDBDialect()) == wanted)
    }

    @Test(
        "anything else is no source",
        arguments: ["", "a b", "x; DROP TABLE x", "a..b", ".a", "1a", "e\"", "events/*.gz"])
    func noSource(_ text: String) {
        #expect(throws: FunnelSQLError.source(text)) { try SQLSource(text, for: DuckDBDialect()) }
    }

    @Test(
        "steps of one pattern share a class, in whatever order its names and tests stand",
        arguments: [
            ("a > b > a", [1, 2, 1]), ("(a | b) > (b | a)", [1, 1]), ("a[x=1, y=2] > a[y=2, x=1]", [1, 1]),
            ("a[x=1] > a", [1, 2]), ("* > *", [1, 1]), ("\u{E9} > e\u{301}", [1, 2]), ("a[x=\u{E9}] > a[x=e\u{301}]", [1, 2]),
            ("(\u{E9} | e\u{301}) > (e\u{301} | \u{E9})", [1, 1]),
        ])
    func classes(_ steps: String, _ wanted: [Int]) throws {
        #expect(SQLPatterns(try FunnelStep.parse(steps), DuckDBDialect()).wanted == wanted)
    }

    @Test(
        "names and values reach the statement as literals only",
        arguments: [
            (FunnelSQL.Dialect.clickhouse, #"'it\'s \\ ${x}'"#), (.duckdb, #"'it''s \ ${x}'"#), (.spark, #"'it\'s \\ $' '{x}'"#),
        ])
    func literals(_ dialect: FunnelSQL.Dialect, _ wanted: String) throws {
        let name = #"it's \ ${x}"#
        #expect(dialect.grammar.literal(name) == wanted)
        let definition = try FunnelDefinition(steps: [FunnelStep(name), FunnelStep("b")])
        let text = try FunnelSQL(definition, dialect: dialect, source: "t").text
        #expect(text.contains("SELECT 1 AS index, \(wanted) AS name"))
    }

    @Test(
        "a quote or brace is escaped even if a combining mark follows",
        arguments: [
            (FunnelSQL.Dialect.clickhouse, "'\\'\u{301}${\u{301}'"), (.duckdb, "'''\u{301}${\u{301}'"),
            (.spark, "'\\'\u{301}$' '{\u{301}'"),
        ])
    func marks(_ dialect: FunnelSQL.Dialect, _ wanted: String) {
        #expect(dialect.grammar.literal("'\u{301}${\u{301}") == wanted)
        #expect(SparkDialect().property(["`\u{301}"]).contains(".```\u{301}`"))
    }

    @Test(
        "a line end in a name or a path stays as it is, however the statement is indented",
        arguments: [(FunnelSQL.Dialect.clickhouse, #"'it\'s\n\nb'"#), (.duckdb, #"E'it\'s\n\nb'"#), (.spark, #"'it\'s\n\nb'"#)])
    func lineEnds(_ dialect: FunnelSQL.Dialect, _ wanted: String) throws {
        let definition = try FunnelDefinition(steps: [FunnelStep("it's\n\nb")])
        #expect(try FunnelSQL(definition, dialect: dialect, source: "t").text.contains("name IN (\(wanted))"))
        let path = "it's\n\nb.jsonl"
        if dialect == .spark {
            #expect(throws: FunnelSQLError.lineEnd(path)) { try FunnelSQL(definition, dialect: dialect, source: path) }
            #expect(throws: FunnelSQLError.lineEnd(path)) { try FunnelSQL.schema(dialect, source: path) }
        } else {
            // ClickHouse's tables are filled by hand: they name no path.
            let names = try FunnelSQL.schema(dialect, source: path).contains("\(wanted.dropLast()).jsonl'")
            #expect(names == (dialect == .duckdb))
            #expect(try FunnelSQL(definition, dialect: dialect, source: path).text.contains("(\(wanted.dropLast()).jsonl'"))
        }
    }

    @Test("a name with a line end ends no comment", arguments: FunnelSQL.Dialect.allCases)
    func comments(_ dialect: FunnelSQL.Dialect) throws {
        let definition = try FunnelDefinition(steps: [FunnelStep("a\nSELECT 1;\u{2028}--")])
        let text = try FunnelSQL(definition, dialect: dialect, source: "t").text
        let lines = text.split(separator: "\n").prefix { $0 != "WITH" }
        #expect(lines.allSatisfy { $0.hasPrefix("-- ") })
        #expect(lines.contains { $0.contains("smallest t_ms") })
    }

    @Test func `where an engine says nothing of files that are missing, the comment does`() throws {
        let caution = "ClickHouse reads nothing, and counts 0"
        #expect(try FunnelSQL(definition("a"), dialect: .clickhouse, source: "e/").text.contains(caution))
        #expect(try !FunnelSQL(definition("a"), dialect: .clickhouse, source: "e").text.contains(caution))
        #expect(try !FunnelSQL(definition("a"), dialect: .duckdb, source: "e/").text.contains(caution))
    }

    @Test("a statement reads no more events than can be in a chain", arguments: FunnelSQL.Dialect.allCases)
    func range(_ dialect: FunnelSQL.Dialect) throws {
        var saved = SavedFunnel(steps: try FunnelStep.parse("a > b"))
        saved.window = 5
        let definition = try saved.definition(since: 10, until: 20)
        #expect(try FunnelSQL(definition, dialect: dialect, source: "t").text.contains("AND t_ms < \(dialect.grammar.literal(Int64(25)))"))
        // The value of a breakdown may stand on any event of a step, however late, so that there is no upper bound.
        saved.breakdown = try .parse("props.p")
        let grouped = try saved.definition(since: 10, until: 20)
        #expect(!(try FunnelSQL(grouped, dialect: dialect, source: "t").text.contains("AND t_ms <")))
    }

    @Test("mature starts lie at least the window before the end of the data", arguments: FunnelSQL.Dialect.allCases)
    func mature(_ dialect: FunnelSQL.Dialect) throws {
        var saved = try definition("a > b") { $0.window = 5 }
        saved.starts = .mature
        let text = try FunnelSQL(saved, dialect: dialect, source: "t").text
        // A gap counts only if it is longer than both the window and a day.
        #expect(text.contains("following - last_ms > \(dialect.grammar.literal(Int64(86_400_000)))"))
        #expect(text.contains("behind * CASE WHEN following - last_ms > passed THEN 50 ELSE 1000 END < total"))
        #expect(text.contains(" < mature_ms"))
        #expect(text.contains("\n-- only starts that lie 5 ms or more before the end of the data\n"))
        // A statement with a given end of the data does not look for the end.
        saved.dataEnd = 100
        let known = try FunnelSQL(saved, dialect: dialect, source: "t").text
        #expect(!known.contains("mature_ms") && known.contains("\(dialect.grammar.momentTime) < \(dialect.grammar.literal(Int64(96)))"))
        // In a funnel of one step every start is mature.
        var single = try definition("a")
        single.starts = .mature
        #expect(try !FunnelSQL(single, dialect: dialect, source: "t").text.contains("mature_ms"))
    }

    @Test("a trend knows its periods without a time zone", arguments: FunnelSQL.Dialect.allCases)
    func trend(_ dialect: FunnelSQL.Dialect) throws {
        let day: Int64 = 86_400_000
        // The third day is an hour longer.
        let periods = SQLPeriods("day, by some clocks", from: 0, through: 5 * day) { start in
            (length: start == 2 * day ? day + 3_600_000 : day, count: 1)
        }
        let text = try FunnelSQL(definition("a > b"), dialect: dialect, source: "t", by: periods).text
        let rows = [[0, day], [2 * day, day + 3_600_000], [3 * day + 3_600_000, day]].map { dialect.grammar.list($0.map(String.init)) }
        #expect(text.contains(dialect.grammar.pairs(rows.joined(separator: ", "))))
        #expect(text.contains("\n-- a row a period (day, by some clocks) and step"))
        #expect(text.contains("SELECT shares.start_ms AS start_ms, index, name, reached AS count"))
        #expect(text.contains("p90_ms, complete, left_out\n"))
    }

    @Test("periods of one length are one stretch, and the end is that of the last period")
    func stretches() {
        let hours = SQLPeriods("hour", from: 10, through: 100) { start in start < 60 ? (length: 5, count: 4) : (length: 7, count: 1) }
        #expect(hours.stretches == [.init(start: 10, length: 5), .init(start: 70, length: 7)])
        #expect(hours.end == 105)
        #expect(SQLPeriods("hour", from: 10, through: 3) { _ in (length: 5, count: 1) }.end == 15)
    }

    @Test("Parquet is read by the columns of the properties that are asked for", arguments: FunnelSQL.Dialect.allCases)
    func parquet(_ dialect: FunnelSQL.Dialect) throws {
        let text = try FunnelSQL(definition("a[in.Plan=pro] > b"), dialect: dialect, source: "e/*.parquet").text
        for kind in ["number", "integer", "text", "flag"] {
            #expect(text.contains("props_in$_$50lan_\(kind)") && text.contains("props_anonymous_\(kind)"))
        }
        #expect(text.contains("props_rest") && !text.contains("read_json") && !text.contains("JSONEachRow"))
        // A property whose name is too long for a column is read from `props_rest`.
        let long = try FunnelSQL(definition("a[\(String(repeating: "x", count: 120))=1] > b"), dialect: dialect, source: "e.parquet").text
        #expect(!long.contains("props_xxx"))
    }

    @Test func `views of Parquet are refused`() {
        #expect(throws: FunnelSQLError.schema("e/*.parquet")) { try FunnelSQL.schema(.duckdb, source: "e/*.parquet") }
    }

    @Test("only properties that are compared as numbers are read as numbers", arguments: FunnelSQL.Dialect.allCases)
    func numbers(_ dialect: FunnelSQL.Dialect) throws {
        let text = try FunnelSQL(definition("a[x=1] > b[y=z]"), dialect: dialect, source: "t").text
        #expect(text.contains(" AS d1") && text.contains(" AS w1") && text.contains(" AS p2") && !text.contains(" AS d2"))
    }
}
