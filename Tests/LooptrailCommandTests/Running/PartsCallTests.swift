import Testing

@Suite struct PartsCallTests {
    private let steps = ["--steps", "viewed > added > paid", "--breakdown", "props.price"]

    /// The shop's events in a folder, and their context.
    private func prepared() throws -> (folder: TemporaryFolder, events: String, context: String) {
        let folder = try TemporaryFolder()
        let events = try folder.file("events.ndjson", Events.shop)
        let result = try Child.looptrail(["prepare", events, "-o", folder.path("c")] + steps)
        #expect(result.status == 0 && result.output == "" && result.errors == "", "\(result.errors)")
        return (folder, events, folder.path("c"))
    }

    @Test func `parts of a folder merge to the JSON of one pass`() throws {
        let (folder, events, context) = try prepared()
        let split = try Child.looptrail(["split", events, "--parts", "3", "--context", context, "-o", folder.path("parts")])
        #expect(split.status == 0, "\(split.errors)")
        var partials = [folder.path("parts/quality.partial")]
        for part in 0..<3 {
            let lines = try #require(folder.text("parts/part-000\(part).ndjson"))
            partials.append(folder.path("\(part).partial"))
            let result = try Child.looptrail(
                ["funnel", "-", "--partial", "--context", context, "-o", partials[part + 1]], input: .pipe(Array(lines.utf8)))
            #expect(result.status == 0, "\(result.errors)")
        }
        let whole = try Child.looptrail(["funnel", events, "--format", "json"] + steps)
        let merged = try Child.looptrail(["merge", "--format", "json"] + Array(partials.reversed()))
        #expect(merged.status == 0 && merged.output == whole.output, "\(merged.errors)")

        // A merge can wait, and a table says the same.
        #expect(try Child.looptrail(["merge", "--partial", "-o", folder.path("some")] + partials.prefix(2)).status == 0)
        let table = try Child.looptrail(["merge", folder.path("some")] + partials.suffix(2))
        let wholeTable = try Child.looptrail(["funnel", events] + steps)
        #expect(table.output == wholeTable.output)
    }

    @Test func `rows have part, place and line`() throws {
        let (folder, events, context) = try prepared()
        let result = try Child.looptrail(
            ["split", events, "--parts", "2", "--context", context, "-o", "-", "--quality", folder.path("q")])
        let rows = result.output.split(separator: "\n").map { $0.split(separator: "\t", maxSplits: 2) }
        #expect(rows.count == 7 && rows.enumerated().allSatisfy { $1.count == 3 && $1[1] == "\($0)" && $1[2].hasPrefix("{") })
        #expect(folder.names.contains("q"))
    }

    @Test func `a context takes its funnel from another one`() throws {
        let (folder, events, context) = try prepared()
        let again = try Child.looptrail(["prepare", events, "--context", context, "-o", folder.path("again")])
        #expect(again.status == 0, "\(again.errors)")
        let merged = try Child.looptrail(["merge", context, folder.path("again"), "-o", folder.path("both")])
        #expect(merged.status == 0, "\(merged.errors)")
        let both = try Child.looptrail(["prepare", events, "--context", context, "--steps", "a"])
        #expect(both.status == 2 && both.errors.contains("--steps does not go with --context"))
    }

    @Test func `what does not belong together is refused by name`() throws {
        let (folder, events, context) = try prepared()
        let other = folder.path("other")
        #expect(try Child.looptrail(["prepare", events, "--steps", "viewed > paid", "-o", other]).status == 0)
        func partial(_ context: String, _ name: String) throws -> String {
            let result = try Child.looptrail(["funnel", events, "--partial", "--context", context, "-o", folder.path(name)])
            #expect(result.status == 0, "\(result.errors)")
            return folder.path(name)
        }
        let (one, two) = (try partial(context, "one"), try partial(other, "two"))
        let cases: [(arguments: [String], status: Int32, words: String)] = [
            (["merge", one, two], 1, "`\(two)`: this belongs to another definition or context than the first"),
            (["merge", one], 1, "none of the parts says what was read"),
            (["merge", events], 1, "`\(events)`: this is not a partial"),
            (["merge", folder.path("missing")], 1, "it cannot be read"),
            (["merge", one, context], 2, "contexts and partials do not go together"),
            (["merge"], 2, "PART is needed"),
            (["funnel", events, "--partial"], 2, "--context is needed"),
            (["funnel", events, "--context", context, "--steps", "a"], 2, "it needs --partial"),
            (["funnel", events, "--partial", "--context", context, "--window", "1h"], 2, "--window does not go with --partial"),
            (["funnel", events, "--partial", "--context", one], 1, "`\(one)`: this is not a context"),
            (["split", events, "--parts", "2", "--context", context, "-o", "-"], 2, "--quality FILE"),
            (["split", events, "--parts", "2", "--context", context, "-o", folder.path], 2, "is not empty"),
            (["split", events, "--parts", "0", "--context", context, "-o", folder.path("p")], 2, "`0` is not a whole number"),
        ]
        for (arguments, status, words) in cases {
            let result = try Child.looptrail(arguments)
            #expect(result.status == status && result.errors.contains(words), "\(arguments): \(result.errors)")
        }
        _ = try folder.file("cut", "looptrail partial 9\n")
        #expect(try Child.looptrail(["merge", folder.path("cut")]).errors.contains("this is of version 9"))
    }

    @Test func `files of users are refused`() throws {
        let (folder, events, _) = try prepared()
        let list = try folder.file("users.csv", "u1\n")
        let result = try Child.looptrail(["prepare", events, "--steps", "viewed > paid", "--only-users", list])
        #expect(result.status == 2 && result.errors.contains("no part can count a file of users"))
    }
}
