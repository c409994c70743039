import EventFiles
import Testing

@testable import Funnels

@Suite("Lists of keys")
struct CohortTests {
    private func cohort(_ text: String) throws -> Cohort { try Cohort(Array(text.utf8), name: "list") }

    private func has(_ cohort: Cohort, _ keys: [String]) -> Bool { keys.allSatisfy { cohort.contains(.of($0)) } }

    @Test(arguments: [
        "u1\nu 2\nü,x\n", "u1\r\nu 2\r\nü,x", "\u{FEFF}u1\n\n  u 2  \nü,x,\"y\"\n", "key,start\r\nu1,2\r\n\"u 2\",3\r\nü,4\r\n",
        "User_ID\nu1\nu 2\nü", #"{"schema":1,"members":[{"key":"u1","depth":2},{"key":"u 2"},{"key":"\u00fc"}]}"#,
        #"{"members":["u1","u 2","ü"]}"#, "u1\nu1\nu 2\nü\nu 2\n", "\r\n \nuser\nu1\nu 2\nü",
    ])
    func `one key a line, the first column of a table, or what users writes`(text: String) throws {
        let cohort = try cohort(text)
        #expect(cohort.count == 3 && has(cohort, ["u1", "u 2", "ü"]))
        #expect(cohort.key == .user && cohort.name == "list")
    }

    @Test func `a key that JSON has as a number is the number as it stands there`() throws {
        let cohort = try cohort(#"{"members":[{"key":17},18,{"key":"19"},{"key":1.50},{"key":null},{"id":20}]}"#)
        #expect(cohort.count == 4 && has(cohort, ["17", "18", "19", "1.50"]))
    }

    @Test func `quotes keep commas, quotes and line feeds in a key`() throws {
        let cohort = try cohort("\"a,b\",1\n\"say \"\"hi\"\"\"\n\"two\nlines\",x\n")
        #expect(cohort.count == 3 && has(cohort, ["a,b", "say \"hi\"", "two\nlines"]))
    }

    @Test func `a mark against formulas is undone in a table of ours only`() throws {
        #expect(has(try cohort("key,start\r\n'=1,2\r\n"), ["=1"]))
        #expect(has(try cohort("'tis\n"), ["'tis"]))
        // Our tables have the mark only before what could be a formula, such as a sign, a blank or an escape.
        let ours = try cohort("key\r\n'tis\r\n'+1\r\n'-1\r\n'@x\r\n'＝1\r\n' =1\r\n'\\t=1\r\n'''\r\n'\r\n")
        #expect(ours.count == 9 && has(ours, ["'tis", "+1", "-1", "@x", "＝1", " =1", "\\t=1", "''", "'"]))
    }

    @Test func `a list of sessions says so, and an empty list is a list`() throws {
        #expect(try cohort(#"{"definition":{"by":"session"},"members":[{"key":"s1"}]}"#).key == .session)
        #expect(try cohort(#"{"definition":{"by":"props.sku"},"members":[{"key":"s1"}]}"#).key == .property(["sku"]))
        #expect(try cohort(#"{"members":[]}"#).count == 0)
        #expect(try cohort("key,start,last,depth\r\n").count == 0)
    }

    @Test func `a key that only one of two lists admits is not let through`() throws {
        let users = try cohort("u1\n")
        let sessions = try cohort(#"{"definition":{"by":"session"},"members":["s1"]}"#)
        let filter = CohortFilter(only: users, except: sessions)
        let test = CohortTest(filter, countedBy: .user)
        func admits(_ user: String, _ session: String) -> Bool {
            Array(user.utf8).withUnsafeBytes { ofUser in
                Array(session.utf8).withUnsafeBytes { ofSession in
                    var line = EventHead(time: 0, name: ofUser)
                    (line.user, line.session) = (ofUser, ofSession)
                    return test.admits(line) && test.admits(Fingerprint.of(user))
                }
            }
        }
        // One has the session that is left out, the other is not on the list.
        #expect(!admits("u1", "s1") && !admits("u2", "s2") && !filter.letSomebodyThrough)
        #expect(admits("u1", "s2") && filter.letSomebodyThrough)
    }

    @Test(
        "what is no list is refused with its place",
        arguments: [
            ("", "1:1: the file is empty"), (" \n\t\n", "3:1: the file is empty"), ("u1\n\u{0}x", "2:1: these bytes are no text"),
            (#"{"t_ms":1,"name":"a","user":"u1"}"# + "\n" + #"{"t_ms":2,"name":"b"}"#, "1:1: these are events, not keys"),
            (#"{"t_ms":1,"name":"a","user":"u1"}"#, "1:1: these are events, not keys"),
            (#"{"events":[]}"#, "1:1: this JSON has no `members`"), ("[1]", "1:1: this JSON has no `members`"),
            ("{\n \"members\": [1,}", "2:16: this is not JSON"), ("a\n\"b\n", "2:1: this quote is never closed"),
        ])
    func refused(text: String, message: String) {
        let error = #expect(throws: CohortError.self) { try cohort(text) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    @Test func `bytes that are no UTF-8 and gzip are refused`() {
        #expect(throws: CohortError.self) { try Cohort([0x61, 0x0A, 0xFF], name: "x") }
        #expect(throws: CohortError(problem: .binary, line: 1, column: 1)) { try Cohort([0x1F, 0x8B, 8, 4], name: "x") }
    }
}

@Suite("Funnels of some people only")
struct CohortFilterTests {
    private func filter(only: String? = nil, not: String? = nil) throws -> CohortFilter {
        CohortFilter(
            only: try only.map { try Cohort(Array($0.utf8), name: "only") }, except: try not.map { try Cohort(Array($0.utf8), name: "not") }
        )
    }

    private func definition(_ filter: CohortFilter, by key: FunnelKey = .user, breakdown: String? = nil) throws -> FunnelDefinition {
        var definition = try FunnelDefinition(
            steps: FunnelStep.parse("a > b"), key: key, breakdown: breakdown.map { FunnelBreakdown(path: [$0]) })
        definition.cohort = filter
        return definition
    }

    /// u1 and u2 have one session each, u3 and u4 have two. u9 was anonymous as a-1, in session t1.
    private let lines =
        (1...4).flatMap { user in
            [
                TestLine("a", 1, user: "u\(user)", session: "s\(user)", props: #"{"g":"x"}"#),
                TestLine("b", 2, user: "u\(user)", session: user < 3 ? "s\(user)" : "t\(user)"),
            ]
        } + [
            TestLine("a", 5, user: "a-1", session: "t1"), TestLine("b", 6, user: "a-1", session: "t1"),
            TestLine("identified", 9, user: "u9", kind: .meta, props: #"{"anonymous":"a-1"}"#),
        ]

    private func entered(_ filter: CohortFilter, by key: FunnelKey = .user, breakdown: String? = nil) throws -> Int {
        TestPass.funnel(try definition(filter, by: key, breakdown: breakdown), lines).entered
    }

    @Test func `only and not divide everybody, by whatever is counted`() throws {
        for key in [FunnelKey.user, .session] {
            for breakdown in [nil, "g"] {
                let all = try entered(.everyone, by: key, breakdown: breakdown)
                let only = try entered(filter(only: "u1\nu2"), by: key, breakdown: breakdown)
                let not = try entered(filter(not: "u1\nu2"), by: key, breakdown: breakdown)
                #expect(only == 2 && only + not == all)
            }
        }
    }

    @Test func `both lists at once, and lists of unknown keys`() throws {
        #expect(try entered(filter(only: "u1\nu2\nu3", not: "u3\nu4")) == 2)
        #expect(try entered(filter(only: "nobody")) == 0)
        #expect(try entered(filter(not: "nobody")) == 5)
    }

    @Test func `what somebody did before they were known is theirs`() throws {
        #expect(try entered(filter(only: "u9")) == 1)
        #expect(try entered(filter(not: "u9")) == 4)
        #expect(try entered(filter(only: "a-1")) == 1)
        #expect(try entered(filter(not: "a-1")) == 4)
    }

    @Test(arguments: ["u9", "a-1"])
    func `a list of users chooses the sessions of both ids of a person, and no others, by every question`(list: String) throws {
        let lines =
            lines + [
                TestLine("a", 20, user: "u9", session: "s9"), TestLine("b", 21, user: "u9", session: "s9"),
                // The end of the data, so that no window is open.
                TestLine("end", 1_000_000_000_000, user: "z"),
            ]
        let (only, not) = (try filter(only: list), try filter(not: list))
        for counting in [FunnelDefinition.Counting.users, .visits] {
            var (some, others) = (try definition(only, by: .session), try definition(not, by: .session))
            (some.counting, others.counting) = (counting, counting)
            #expect(TestPass.funnels([some, others], lines).map(\.entered) == [2, 4])
            let why = try [some, others].map { try WhyTests.why(WhyDefinition($0, lookBackMilliseconds: 0, minCount: 1), lines) }
            #expect(why.map { [$0.converted, $0.dropped] } == [[2, 0], [2, 2]])
        }
        #expect(TestPass.funnels([try definition(only), try definition(not)], lines).map(\.entered) == [1, 4])

        let some = try definition(only, by: .session)
        #expect(try ExplainRig(some, lines).verdict(of: "t1") == "converted")
        #expect(try ExplainRig(definition(not, by: .session), lines).verdict(of: "t1") != "converted")

        var paths = PathsDefinition(from: "a")
        (paths.key, paths.cohort) = (.session, only)
        var accumulator = PathsAccumulator(paths)
        TestPass.read(lines, 3) {
            CatalogueBatch(.session, joins: paths.joins, cohort: paths.cohortTest, expecting: $0)
        } consume: {
            accumulator.take($0)
        }
        #expect(accumulator.answer(ReadResult()).starts == 2)
    }

    @Test func `without joining ids, a list of users chooses their own sessions only`() throws {
        var definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"), key: .session, identify: false)
        definition.cohort = try filter(only: "a-1\nu1")
        #expect(TestPass.funnel(definition, lines).entered == 2)
        definition.cohort = try filter(only: "u9")
        #expect(TestPass.funnel(definition, lines).entered == 0)
    }

    @Test func `a list of sessions chooses sessions, whatever is counted`() throws {
        let sessions = #"{"definition":{"by":"session"},"members":[{"key":"s1"},{"key":"t3"}]}"#
        #expect(try entered(filter(only: sessions), by: .session) == 1)
        #expect(try entered(filter(only: sessions), by: .user) == 1)
        #expect(TestPass.funnel(try definition(filter(not: sessions)), lines).converted == 3)
    }

    @Test func `the range of a comparison keeps the list`() throws {
        let filter = try filter(only: "u1")
        #expect(try definition(filter).with(since: 1, until: 3).cohort == filter)
    }

    @Test func `paths, the catalogue of events and of properties take lists too`() throws {
        let filter = try filter(only: "u1\nu9", not: "u9")
        var definition = PathsDefinition(from: "a")
        definition.cohort = filter
        var accumulator = PathsAccumulator(definition)
        let test = CohortTest(filter, countedBy: .user)
        TestPass.read(lines, 3) {
            CatalogueBatch(.user, joins: definition.joins, cohort: test, expecting: $0)
        } consume: {
            accumulator.take($0)
        }
        #expect(accumulator.answer(ReadResult()).starts == 1)

        let found = TestPass.catalogue(CatalogueRun(cohort: filter), lines)
        #expect(found.entries.map(\.count) == [1, 1] && found.cohort == filter && found.input.events == 10)

        let run = PropertyRun(name: "a", cohort: filter)
        var properties = PropertyAccumulator(run)
        TestPass.read(lines, 3) {
            PropertyBatch(run, expecting: $0)
        } consume: {
            properties.take($0)
        }
        #expect(properties.answer(ReadResult()).events == 1)
    }
}
