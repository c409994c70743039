import Testing

@testable import Funnels

@Suite("A funnel as SQL")
struct FunnelSQLTests {
    private func definition(_ steps: String, _ change: (inout SavedFunnel) throws -> Void = { _ in }) throws -> FunnelDefinition {
        var saved = SavedFunnel(steps: try FunnelStep.parse(steps))
        try change(&saved)
        return try saved.definition()
    }

    private func refusal(_ definition: FunnelDefinition) -> FunnelSQLError? {
        do {
            _ = try FunnelSQL(definition, dialect: .duckdb, source: "t")
            return nil
        } catch {
            return error
        }
    }

    @Test func `what SQL cannot count exactly is refused by its flag`() throws {
        #expect(refusal(try definition("a > b > a") { $0.hold = ["sku"] }) == nil)
        #expect(refusal(try definition("a > b") { $0.compat = .clickhouse([]) }) == .refused("--compat"))
        #expect(refusal(try definition("a > b") { $0.order = .strict }) == .refused("--order strict"))
        #expect(refusal(try definition("a > b") { $0.order = .any }) == .refused("--order any"))
        #expect(refusal(try definition("a > b? > c")) == .refused("an optional step"))
        #expect(refusal(try definition("a > b") { $0.exclusions = [try .parse("x")] }) == .refused("--exclude"))
        #expect(refusal(try definition("a > b") { $0.counting = .attempts }) == .refused("--count attempts"))
        #expect(refusal(try definition("a > b") { $0.stepWindow = 5 }) == .refused("--step-window"))
        #expect(refusal(try definition("a > b") { $0.breakdown = try .parse("props.p:all") }) == .refused("--breakdown with :all"))
        var cohort = try definition("a > b")
        cohort.cohort = CohortFilter(only: try Cohort(Array("u1\n".utf8), name: "some"))
        #expect(refusal(cohort) == .refused("a file of users"))
    }

    @Test func `a refusal names the way that counts`() {
        #expect("\(FunnelSQLError.refused("--compat"))".contains("looptrail prepare"))
        #expect("\(FunnelSQLError.source("x y"))".contains(".ndjson.gz"))
    }

    @Test(
        "a source is a table or files",
        arguments: [
            ("looptrail.events", SQLSource.table("looptrail.events")), ("e", .table("e")), ("_2", .table("_2")),
            ("events/*.ndjson.gz", .files("events/*.ndjson.gz")), ("s3://b/x.JSONL", .files("s3://b/x.JSONL")),
            ("events/", .files("events/*.ndjson.gz")), ("it's.ndjson", .files("it's.ndjson")),
        ])
    func source(_ text: String, _ wanted: SQLSource) throws {
        #expect(try SQLSource(text) == wanted)
    }

    @Test(
        "anything else is no source",
        arguments: ["", "events.parquet", "a b", "x; DROP TABLE x", "a..b", ".a", "1a", "e\"", "events/*.gz"])
    func noSource(_ text: String) {
        #expect(throws: FunnelSQLError.source(text)) { try SQLSource(text) }
    }

    @Test(
        "steps of one pattern share a class, in whatever order its names and tests stand",
        arguments: [
            ("a > b > a", [1, 2, 1]), ("(a | b) > (b | a)", [1, 1]), ("a[x=1, y=2] > a[y=2, x=1]", [1, 1]),
            ("a[x=1] > a", [1, 2]), ("* > *", [1, 1]),
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

    @Test("a name with a line end ends no comment", arguments: FunnelSQL.Dialect.allCases)
    func comments(_ dialect: FunnelSQL.Dialect) throws {
        let definition = try FunnelDefinition(steps: [FunnelStep("a\nSELECT 1;\u{2028}--")])
        let text = try FunnelSQL(definition, dialect: dialect, source: "t").text
        let lines = text.split(separator: "\n").prefix { $0 != "WITH" }
        #expect(lines.allSatisfy { $0.hasPrefix("-- ") })
        #expect(lines.contains { $0.contains("smallest t_ms") })
    }

    @Test("a statement reads no more events than can be in a chain", arguments: FunnelSQL.Dialect.allCases)
    func range(_ dialect: FunnelSQL.Dialect) throws {
        var saved = SavedFunnel(steps: try FunnelStep.parse("a > b"))
        saved.window = 5
        let definition = try saved.definition(since: 10, until: 20)
        #expect(try FunnelSQL(definition, dialect: dialect, source: "t").text.contains("AND t_ms < \(dialect.grammar.literal(Int64(25)))"))
        // A group's value may stand on any event of a step.
        saved.breakdown = try .parse("props.p")
        let grouped = try saved.definition(since: 10, until: 20)
        #expect(!(try FunnelSQL(grouped, dialect: dialect, source: "t").text.contains("AND t_ms <")))
    }

    @Test("only properties that are compared as numbers are read as numbers", arguments: FunnelSQL.Dialect.allCases)
    func numbers(_ dialect: FunnelSQL.Dialect) throws {
        let text = try FunnelSQL(definition("a[x=1] > b[y=z]"), dialect: dialect, source: "t").text
        #expect(text.contains(" AS d1") && text.contains(" AS w1") && text.contains(" AS p2") && !text.contains(" AS d2"))
    }
}
