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

        // Partials can be merged in two steps, and the table is that of one pass, too.
        #expect(try Child.looptrail(["merge", "--partial", "-o", folder.path("some")] + partials.prefix(2)).status == 0)
        let table = try Child.looptrail(["merge", folder.path("some")] + partials.suffix(2))
        let wholeTable = try Child.looptrail(["funnel", events] + steps)
        #expect(table.output == wholeTable.output)
    }

    /// Eight users in two parts, their quality, and the partial of each part.
    private func eightUsers() throws -> (folder: TemporaryFolder, context: String, quality: String, partials: [String]) {
        let folder = try TemporaryFolder()
        let lines = (1...8).map { #"{"t_ms":\#($0),"name":"a","user":"u\#($0)","id":"\#($0)"}"# + "\n" }
        let events = try folder.file("events.ndjson", lines.joined())
        #expect(try Child.looptrail(["prepare", events, "--steps", "a", "-o", folder.path("c")]).status == 0)
        let parts = folder.path("parts")
        #expect(try Child.looptrail(["split", events, "--parts", "2", "--context", folder.path("c"), "-o", parts]).status == 0)
        for part in 0..<2 {
            let counted = [
                "funnel", "\(parts)/part-000\(part).ndjson", "--partial", "--context", folder.path("c"), "-o", "\(parts)/\(part)",
            ]
            #expect(try Child.looptrail(counted).status == 0)
        }
        return (folder, folder.path("c"), "\(parts)/quality.partial", ["\(parts)/0", "\(parts)/1"])
    }

    @Test func `a part that is missing, repeated or cut is named`() throws {
        let (folder, context, quality, partials) = try eightUsers()
        let cases: [(paths: [String], words: String)] = [
            ([quality, partials[0]], "of 2 parts 2 is missing"),
            ([quality], "of 2 parts 1 and 2 are missing"),
            ([quality, partials[0], partials[1], partials[0]], "`\(partials[0])`: part 1 of 2 is there already"),
            ([quality, partials[0], partials[1], quality], "`\(quality)`: the quality of this split is there already"),
        ]
        for (paths, words) in cases {
            let result = try Child.looptrail(["merge"] + paths)
            #expect(result.status == 1 && result.output == "" && result.errors.contains(words), "\(paths): \(result.errors)")
        }
        // A file that was cut on its way to the machine that counts it.
        let lines = try #require(folder.text("parts/part-0001.ndjson")).split(separator: "\n", omittingEmptySubsequences: true)
        let cut = try folder.file("cut.ndjson", lines.dropLast().map { $0 + "\n" }.joined())
        let partial = folder.path("cut.partial")
        #expect(try Child.looptrail(["funnel", cut, "--partial", "--context", context, "-o", partial]).status == 0)
        let result = try Child.looptrail(["merge", quality, partials[0], partial])
        #expect(result.status == 1)
        #expect(result.errors.contains("part 2 has \(lines.count - 2) events, and `looptrail cluster split` gave out"))
        #expect(try Child.looptrail(["merge", quality, partials[0], partials[1]]).status == 0)
    }

    @Test func `lines that looptrail did not divide need --part`() throws {
        let (folder, context, quality, _) = try eightUsers()
        let events = folder.path("events.ndjson")
        func counted(_ part: String...) throws -> (status: Int32, errors: String) {
            let result = try Child.looptrail(["funnel", events, "--partial", "--context", context, "-o", folder.path("whole")] + part)
            return (result.status, result.errors)
        }
        #expect(try counted().errors.contains("the lines do not say which part they are"))
        #expect(try counted("--part", "2/1").status == 2)
        #expect(try counted("--part", "1/1").status == 0)
        let merged = try Child.looptrail(["merge", quality, folder.path("whole"), "--format", "csv"])
        #expect(merged.status == 0 && merged.output.contains(",8,"), "\(merged.errors) \(merged.output)")
        let two = [
            "funnel", folder.path("parts/part-0000.ndjson"), folder.path("parts/part-0001.ndjson"), "--partial", "--context", context,
        ]
        let mixed = try Child.looptrail(two + ["-o", folder.path("two")])
        #expect(mixed.status == 1 && mixed.errors.contains("the lines are of part 1 of 2 and of part 2 of 2"))
    }

    @Test(arguments: [([], 0), (["--strict"], 3)] as [([String], Int32)])
    func `a split tells of lines that cannot be read, and a part of damage`(strict: [String], status: Int32) throws {
        let (folder, _, context) = try prepared()
        let bad = try folder.file("bad.ndjson", Events.shop + "{\n")
        let split = ["split", bad, "--parts", "2", "--context", context, "-o", "-", "--quality", folder.path("q")]
        let divided = try Child.looptrail(split + strict)
        #expect(divided.status == status && divided.errors.contains("the input has 1 line that cannot be read"), "\(divided.errors)")
        var bytes = BlockedFile.bytes([Events.shop, Events.shop])
        // The check sum of the first member.
        bytes[BlockedFile.bytes([Events.shop], isSealed: false).count - 8] ^= 1
        let damaged = try folder.file("damaged.ndjson.gz", bytes: bytes)
        let part = ["funnel", damaged, "--partial", "--part", "1/1", "--context", context, "-o", folder.path("p")]
        let counted = try Child.looptrail(part + strict)
        #expect(counted.status == status && counted.errors.contains("the input has 1 damaged place"), "\(counted.errors)")
    }

    @Test func `a split into the folder that it reads does not read its parts`() throws {
        let (folder, _, context) = try prepared()
        let whole = try Child.looptrail(["funnel", folder.path, "--format", "json"] + steps)
        let parts = folder.path("parts")
        let split = try Child.looptrail(["split", folder.path, "--parts", "1", "--context", context, "-o", parts])
        #expect(split.status == 0, "\(split.errors)")
        let partial = folder.path("0.partial")
        let part = ["funnel", "\(parts)/part-0000.ndjson", "--partial", "--context", context, "-o", partial]
        #expect(try Child.looptrail(part).status == 0)
        let merged = try Child.looptrail(["merge", partial, "\(parts)/quality.partial", "--format", "json"])
        #expect(merged.output == whole.output, "\(merged.errors)")
    }

    @Test func `rows have part, index and line`() throws {
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

    @Test func `parts are counted with the days of their context's zone`() throws {
        let folder = try TemporaryFolder()
        // The visits are of one day in New York, and of two days in UTC. The last line is that of nobody, after their windows.
        let lines = (0...240).map { number -> String in
            if number == 240 { return #"{"t_ms":\#(Events.start + 86_400_000),"name":"c"}"# + "\n" }
            let time = Events.start + Int64(number % 2) * 12 * 3_600_000 + Int64(number)
            let head = #"{"t_ms":\#(time),"user":"u\#(number)","session":"s\#(number)","props":{"p":\#(number % 3)},"name":"#
            return head + "\"a\"}\n" + (number % 5 > number % 2 ? head + "\"b\"}\n" : "")
        }
        let events = try folder.file("events.ndjson", lines.joined())
        let (context, partial) = (folder.path("c"), folder.path("1"))
        let flags = ["--steps", "a > b", "--window", "1h", "--breakdown", "p", "--tz", "America/New_York"]
        #expect(try Child.looptrail(["prepare", events, "-o", context] + flags).status == 0)
        let count = ["funnel", events, "--partial", "--part", "1/1", "--context", context, "-o", partial]
        #expect(try Child.looptrail(count).status == 0)
        let split = ["split", events, "--parts", "1", "--context", context, "-o", folder.path("parts")]
        #expect(try Child.looptrail(split).status == 0)
        let merged = try Child.looptrail(["merge", partial, folder.path("parts/quality.partial"), "--format", "json"])
        let whole = try Child.looptrail(["funnel", events, "--format", "json"] + flags)
        let others = try Child.looptrail(["funnel", events, "--format", "json"] + flags.dropLast(2))
        #expect(merged.output == whole.output && whole.output != others.output, "\(merged.errors)")
        for command in [count, ["prepare", events, "--context", context]] {
            let other = try Child.looptrail(command + ["--tz", "Asia/Tokyo"])
            #expect(other.status == 2 && other.errors.contains("its days are those of America/New_York"), "\(other.errors)")
        }
    }

    @Test func `what does not belong together is refused by name`() throws {
        let (folder, events, context) = try prepared()
        let other = folder.path("other")
        #expect(try Child.looptrail(["prepare", events, "--steps", "viewed > paid", "-o", other]).status == 0)
        func partial(_ context: String, _ name: String) throws -> String {
            let result = try Child.looptrail([
                "funnel", events, "--partial", "--part", "1/1", "--context", context, "-o", folder.path(name),
            ])
            #expect(result.status == 0, "\(result.errors)")
            return folder.path(name)
        }
        let (one, two) = (try partial(context, "one"), try partial(other, "two"))
        let cases: [(arguments: [String], status: Int32, words: String)] = [
            (["merge", one, two], 1, "`\(two)`: this belongs to another definition or context than the first"),
            (["merge", one], 1, "none of the parts says what was read"),
            (["merge", events], 1, "`\(events)`: this is not a partial"),
            (["merge", folder.path("missing")], 1, "`\(folder.path("missing"))`: it cannot be read: No such file or directory\n"),
            (["merge", "-", one], 1, "`-`: it cannot be read: No such file or directory; standard input is not taken here, so name each"),
            (["merge", folder.path("*.partial")], 1, "directory; a pattern is not taken here, so name each file"),
            (["funnel", events, "--partial", "--context", "-"], 1, "standard input is not taken here"),
            (["merge", one, context], 2, "contexts and partials do not go together"),
            (["merge"], 2, "PART is needed"),
            (["merge", "--partial", "--format", "json", one], 2, "--format does not go with --partial: no result is written"),
            (["merge", "--partial", "--tz", "Asia/Tokyo", one], 2, "--tz does not go with --partial"),
            (["merge", "--format", "json", context], 2, "--format does not go with contexts"),
            (["merge", "--partial", context], 2, "--partial does not go with contexts"),
            // The output is checked before the other files are read.
            (["merge", one, folder.path("missing"), "-o", folder.path("none/r.json")], 1, "make a file beside"),
            (["merge", context, folder.path("missing"), "-o", folder.path("none/c")], 1, "make a file beside"),
            (["funnel", events, "--partial"], 2, "--context is needed"),
            (["funnel", events, "--context", context, "--steps", "a"], 2, "it needs --partial"),
            (["funnel", events, "--partial", "--context", context, "--window", "1h"], 2, "--window does not go with --partial"),
            (["funnel", events, "--partial", "--context", context, "--why"], 2, "--why does not go with --partial"),
            (
                ["funnel", events, "--partial", "--context", context, "--fail-under", "1:9%"], 2,
                "--fail-under does not go with --partial: no result is written"
            ),
            (["funnel", events, "--part", "1/2", "--steps", "a"], 2, "it needs --partial"),
            (["funnel", events, "--partial", "--context", one], 1, "`\(one)`: this is not a context"),
            (["split", events, "--parts", "2", "--context", context, "-o", "-"], 2, "--quality FILE"),
            (["split", events, "--parts", "2", "--context", context, "-o", "-", "--quality", "-"], 2, "--quality `-`: name a file"),
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
