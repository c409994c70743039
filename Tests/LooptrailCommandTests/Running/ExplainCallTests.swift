import Testing

/// `looptrail explain` as a process of its own.
@Suite struct ExplainCallTests {
    private func explain(_ user: String, _ lines: [String], _ words: [String] = []) throws -> Child.Result {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.text(lines))
        return try Child.looptrail(["explain", user, path, "--steps", "a > b", "--window", "10m"] + words)
    }

    @Test func `a time that is too late is told with the one that would have counted`() throws {
        let lines = [Events.line("a"), Events.line("a", 3600), Events.line("b", 7200)]
        let result = try explain("u1", lines, ["--format", "json"])
        #expect(result.output.contains("50m too late: 2026-01-01 13:10:00 UTC would have counted"), "\(result.output)")
        let late = try explain("u1", [lines[1], lines[2]], ["--format", "json"])
        #expect(late.output.contains("50m after the window ended"), "\(late.output)")
    }

    @Test(arguments: ["auth|a*b", "what?", "[x]"])
    func `an id with the signs of a pattern is an id where no file matches it`(user: String) throws {
        let result = try explain(user, [Events.line("a", user: user), Events.line("b", 60, user: user)], ["--format", "json"])
        #expect(result.status == 0 && result.output.contains(#""converted":true"#), "\(result.errors)")
    }

    @Test func `a pattern that files match is a path`() throws {
        let folder = try TemporaryFolder()
        try folder.file("e.ndjson", Events.text([Events.line("a"), Events.line("b", 60)]))
        let result = try Child.looptrail(["explain", folder.path("*.ndjson"), "--steps", "a > b"])
        #expect(result.status == 0 && result.output.contains("Everybody who entered converted."), "\(result.errors)")
    }

    @Test func `a user behind the paths is told to come first`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.text([Events.line("a")]))
        let result = try Child.looptrail(["explain", path, "u1", "--steps", "a > b"])
        let words = "looptrail explain: `u1` is no file or folder; a USER comes before the paths\n"
        #expect(result.status == 1 && result.errors.hasPrefix(words), "\(result.errors)")
        #expect(result.errors.contains("no such file or folder"))
    }

    @Test func `an id in Markdown mentions nobody`() throws {
        let user = "@bob <img src=x> | _u_"
        let result = try explain(user, [Events.line("a", user: user)], ["--format", "md"])
        #expect(result.output.contains("\n&#64;bob &lt;img src&#61;x&gt; &#124; &#95;u&#95; reached step 1 of 2"), "\(result.output)")
    }
}
