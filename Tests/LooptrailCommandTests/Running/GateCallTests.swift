import Basics
import Testing

/// `--fail-under`: a gate for builds.
@Suite struct GateCallTests {
    private func run(_ words: [String], steps: String = "viewed > added > paid", events: String = Events.shop) throws -> Child.Result {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", events)
        return try Child.looptrail(["funnel", path, "--steps", steps, "--format", "json"] + words)
    }

    @Test(
        arguments: [
            (["--fail-under", "2:50%"], 0), (["--fail-under", "2:50.1%"], 4), (["--fail-under", "3:25%"], 0),
            (["--fail-under", "3:25.000001%"], 4),
            (["--fail-under", "2:50%,3:25%"], 0), (["--fail-under", "2:50%,3:26%"], 4),
            (["--fail-under", "2:50%", "--fail-under", "3:26%"], 4),
            (["--fail-under=1:100%"], 0), (["--fail-under", "3:0%"], 0),
        ] as [([String], Int32)])
    func `the exit status says whether the shares are reached`(_ words: [String], _ status: Int32) throws {
        let result = try run(words)
        #expect(result.status == status)
        // The result is printed either way.
        #expect(try FunnelJSON(result.output).steps.map(\.count) == [4, 2, 1])
        #expect((result.complaints == "") == (status == 0))
    }

    @Test func `every gate that is missed is told, under --quiet too`() throws {
        let result = try run(["--fail-under", "2:60%,3:30%", "--quiet"])
        #expect(result.status == 4)
        #expect(
            result.complaints == """
                looptrail funnel: gate missed: step 2 `added`: 50.0% of 4 users got there, and 60% had to
                looptrail funnel: gate missed: step 3 `paid`: 25.0% of 4 users got there, and 30% had to

                """)
        let any = try run(["--fail-under", "2:99%", "--order", "any"])
        #expect(any.errors.contains("gate missed: step 2 `any 2 of 3`: "), "\(any.errors)")
    }

    @Test func `a funnel that nobody entered passes no gate`() throws {
        let result = try run(["--fail-under", "2:0%"], steps: "nobody > added")
        #expect(result.status == 4 && result.errors.contains("step 2 `added`: nobody entered"))
    }

    @Test func `damage under --strict decides the exit status before a missed gate`() throws {
        let result = try run(["--fail-under", "2:60%", "--strict"], events: Events.shop + "{broken\n")
        #expect(result.status == 3 && result.errors.contains("gate missed"))
        #expect(try run(["--fail-under", "2:60%"], events: Events.shop + "{broken\n").status == 4)
    }

    @Test(arguments: [
        ("4:30%", "--fail-under 4:30%: the funnel has 3 steps"), ("0:30%", "`0:30%` is not a step and a share"),
        ("30%", "is not a step and a share"),
        ("2:30", "is not a step and a share"), ("2:101%", "is not a step and a share"), ("2:30%,", "`` is not a step and a share"),
        ("", "is not a step and a share"),
        ("+2:30%", "is not a step and a share"),
    ])
    func `a gate that makes no sense is a usage error before anything is read`(_ gate: String, _ message: String) throws {
        let result = try Child.looptrail(["funnel", "/nowhere", "--steps", "a > b > c", "--fail-under", gate])
        #expect(result.status == 2 && result.errors.contains(message), "\(result.errors)")
    }

    /// Runs the command with a reader of standard output that has gone before anything is written, as `head` may.
    private func runUnread(_ words: [String]) throws -> Child.Result {
        let (readEnd, writeEnd) = try Child.makePipe()
        close(readEnd)
        defer { close(writeEnd) }
        return try Child.looptrail(words, output: .descriptor(writeEnd))
    }

    @Test func `a gate is missed also where nobody reads the result`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let bad = try folder.file("bad.ndjson", "no line\n")
        let plan = try folder.file("plan.json", #"{"plan":1,"name":"T","events":{"viewed":{}}}"#)
        let none = try folder.file("none.json", #"{"plan":1,"name":"T","events":{}}"#)
        let calls: [([String], Int32, String)] = [
            (["plan", "check", path, "--plan", plan], 4, ""), (["plan", "diff", plan, none], 4, ""), (["plan", "diff", plan, plan], 0, ""),
            (["check", bad], 3, ""), (["events", path], 0, ""), (["plan", "swift", plan], 0, ""),
            (
                ["funnel", path, "--steps", "viewed > added", "--fail-under", "2:60%", "--mature", "--window", "1ms", "--quiet"], 4,
                "looptrail funnel: gate missed: step 2 `added`: 0.0% of 4 users got there, and 60% had to\n"
            ),
        ]
        for (words, status, errors) in calls {
            let result = try runUnread(words)
            #expect(result.status == status && result.errors == errors, "\(words): \(result.status) \(result.errors)")
        }
    }
}
