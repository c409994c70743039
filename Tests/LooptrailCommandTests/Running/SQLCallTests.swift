import Testing

@Suite struct SQLCallTests {
    @Test(arguments: ["clickhouse", "duckdb", "spark"])
    func `a statement is printed, and nothing else`(_ dialect: String) throws {
        let result = try Child.looptrail(["sql", "--dialect", dialect, "--from", "events/*.ndjson.gz", "--steps", "a > b"])
        #expect(result.status == 0 && result.errors == "")
        #expect(result.output.hasPrefix("-- steps a > b\n") && result.output.contains("'events/*.ndjson.gz'") == (dialect != "spark"))
    }

    @Test func `-o takes the statement`() throws {
        let folder = try TemporaryFolder()
        let printed = try Child.looptrail(["sql", "--dialect", "duckdb", "--steps", "a > b"])
        let result = try Child.looptrail(["sql", "--dialect", "duckdb", "--steps", "a > b", "-o", folder.path("funnel.sql")])
        #expect(result.status == 0 && result.output == "")
        #expect(folder.text("funnel.sql") == printed.output)
    }

    @Test(arguments: [
        (["--steps", "a > b?"], "SQL cannot count an optional step exactly"),
        (["--steps", "a > b", "--order", "any"], "SQL cannot count --order any exactly"),
        (["--steps", "a > b", "--from", "a b"], "`a b` is neither a table's name nor a path"),
        (["--steps", "a > b", "events/"], "`events/` is one argument too many"),
        ([], "--steps is needed"),
    ])
    func `what cannot be is refused with 2`(_ flags: [String], _ words: String) throws {
        let result = try Child.looptrail(["sql", "--dialect", "duckdb"] + flags)
        #expect(result.status == 2 && result.output == "")
        #expect(result.errors.contains(words), "\(result.errors)")
    }

    @Test func `a schema needs no steps`() throws {
        let result = try Child.looptrail(["sql", "--dialect", "duckdb", "--as", "schema", "--from", "it's/*.ndjson.gz"])
        #expect(result.status == 0)
        #expect(result.output.contains("read_json('it''s/*.ndjson.gz'"))
    }
}
