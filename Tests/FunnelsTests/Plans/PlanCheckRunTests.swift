import EventFiles
import Testing
import TrackingPlans

@testable import Funnels

@Suite struct PlanCheckRunTests {
    private typealias F = PlanFiles

    private static func words(_ violation: PlanCheckResult.Violation) -> String {
        "\(violation.kind.rawValue) \(violation.event).\(violation.property ?? "") \(violation.count)/\(violation.events) \(violation.example ?? "")"
    }

    @Test(arguments: [
        (F.sound, nil),
        (#"{"sku":"A1","items":1,"plan":"free"}"#, nil),
        (#"{"items":1,"plan":"free","sku":"A1","mail":7,"experiment":"b","_cut":true}"#, nil),
        (#"{"sku":"A1","items":1,"price":9,"plan":"free","first":null}"#, nil),
        (#"{"s\u006bu":"A1","items":1,"plan":"p\u0072o"}"#, nil),
        (#"{"sku":1,"sku":"A1","items":1,"plan":"pro"}"#, nil),
        (#"{"sku":"A1","items":"9007199254740993","plan":"pro"}"#, "out_of_range cart_added.items 1/1 9007199254740993"),
        (#"{"sku":null,"items":1,"plan":"pro"}"#, "missing_property cart_added.sku 1/1 "),
        (#"{"items":1,"plan":"pro"}"#, "missing_property cart_added.sku 1/1 "),
        (#"{"sku":"A1","items":1.0,"plan":"pro"}"#, "wrong_type cart_added.items 1/1 1.0"),
        (#"{"sku":"A1","items":1e0,"plan":"pro"}"#, "wrong_type cart_added.items 1/1 1.0"),
        (#"{"sku":"A1","items":0,"plan":"pro"}"#, "out_of_range cart_added.items 1/1 0"),
        (#"{"sku":"A1","items":100,"plan":"pro"}"#, "out_of_range cart_added.items 1/1 100"),
        (#"{"sku":["A1"],"items":1,"plan":"pro"}"#, "wrong_type cart_added.sku 1/1 […]"),
        (#"{"sku":"A1","items":1,"plan":"Pro"}"#, "unknown_value cart_added.plan 1/1 Pro"),
        (#"{"sku":"A1","items":1,"plan":"pro","first":"true"}"#, "wrong_type cart_added.first 1/1 true"),
        (#"{"sku":"A1","items":1,"plan":"pro","colour":{"a":1}}"#, "unplanned_property cart_added.colour 1/1 {…}"),
        (#"{"sku":"A1","items":1,"plan":"pro","price":"9"}"#, "wrong_type cart_added.price 1/1 9"),
    ])
    func `one event is as planned, or differs in one way`(props: String, violation: String?) throws {
        let files = try PlanFiles()
        try files.write("a.ndjson", [F.line("cart_added", 5, props: props)])
        #expect(try files.check(F.plan()).violations.map(Self.words) == [violation].compactMap(\.self))
    }

    @Test(arguments: [(#""9""#, true), ("true", false), ("[9]", false)])
    func `a value of a wrong type is marked if it is a string`(price: String, isString: Bool) throws {
        let files = try PlanFiles()
        try files.write("a.ndjson", [F.line("cart_added", 5, props: #"{"sku":"A1","items":1,"plan":"pro","price":\#(price)}"#)])
        #expect(try files.check(F.plan()).violations.map(\.isString) == [isString])
    }

    @Test(arguments: [
        (#"{"order":{"id":"7","total":0}}"#, []),
        (#"{"order":{"total":1.5,"id":"7"},"tags":[1],"extra":{"a":{"b":1}}}"#, []),
        (#"{"order":{"id":"7","total":-1}}"#, ["out_of_range order_placed.order.total 1/1 -1"]),
        (#"{"order":{"id":"7","total":1,"x":1}}"#, ["unplanned_property order_placed.order.x 1/1 1"]),
        (
            #"{"order":7}"#,
            [
                "wrong_type order_placed.order 1/1 7", "missing_property order_placed.order.id 1/1 ",
                "missing_property order_placed.order.total 1/1 ",
            ]
        ),
    ])
    func `objects are looked into`(props: String, violations: [String]) throws {
        let files = try PlanFiles()
        try files.write("a.ndjson", [F.line("order_placed", 5, props: props)])
        #expect(Set(try files.check(F.plan()).violations.map(Self.words)) == Set(violations))
    }

    @Test(arguments: [1, 3])
    func `a violation says how often, when, where first and in which versions`(threads: Int) throws {
        let files = try PlanFiles()
        let wrong = #"{"sku":"A1","items":1,"plan":"gold"}"#
        let first = try files.write(
            "a.ndjson",
            [
                F.line("cart_added", 10, session: "s1", id: "1", props: F.sound),
                F.line("cart_added", 30, session: "s1", id: "2", props: wrong),
                "not a line", F.line("cart_added", 20, session: "s2", id: "3", props: wrong),
                F.line("cart_added", 90, session: "s2", id: "2", props: wrong), F.session("s2", version: "2.1"),
            ])
        try files.write(
            "b.ndjson",
            [
                F.session("s1", version: "2.0"), F.line("cart_added", 40, session: "s3", props: wrong),
                F.line("cart_added", 5, session: "s2", props: wrong),
            ])
        let report = try files.check(F.plan(), threads: threads)
        let violation = try #require(report.violations.first)
        #expect(report.violations.count == 1 && !report.isClean)
        #expect(violation.count == 4 && violation.events == 5 && violation.share == 0.8)
        #expect(violation.firstMilliseconds == 5 && violation.lastMilliseconds == 40)
        #expect(violation.file == first && violation.line == 2 && violation.example == "gold")
        #expect(violation.versions.map { "\($0.name) \($0.count)" } == ["2.1 2", "(none) 1", "2.0 1"])
        #expect(report.input.events == 6 && report.input.badLines == 1 && report.input.duplicates == 1)
    }

    @Test func `versions that look alike stand in the order of their bytes`() throws {
        let files = try PlanFiles()
        let names = ["e\u{301}e\u{301}", "e\u{301}\u{E9}", "\u{E9}e\u{301}", "\u{E9}\u{E9}"]
        for (number, name) in names.enumerated() {
            let lines = [F.session("s\(number)", version: name), F.line("unknown", number, session: "s\(number)", props: "{}")]
            try files.write("\(number).ndjson", lines)
        }
        let versions = try files.check(F.plan()).violations.flatMap(\.versions)
        #expect(versions.map { Array($0.name.utf8) } == names.map { Array($0.utf8) })
    }

    @Test func `session lines are checked against the plan's session, repeated heads are not`() throws {
        let files = try PlanFiles()
        try files.write(
            "a.ndjson",
            [
                F.session("s1", version: "1"), F.session("s2", version: nil),
                F.session("s3", version: "3", more: #","platform":"web","previous_session":"s2""#),
                F.session("s4", version: nil, more: #","repeat":true"#),
                #"{"v":1,"t_ms":1,"name":"identified","type":"meta","props":{"anonymous":"a"}}"#,
            ])
        let found = try files.check(F.plan()).violations
        #expect(
            found.map(Self.words) == [
                "missing_property session_started.app_version 1/3 ", "unknown_value session_started.platform 1/3 web",
            ])
        #expect(found[1].versions == [.init(name: "3", count: 1)])
    }

    @Test func `a line that begins a session counts once, also where a repaired file lies beside its original`() throws {
        let files = try PlanFiles()
        let lines = [F.session("s1", version: "1", more: #","platform":"web""#, id: "1"), F.session("s2", version: "1", id: "2")]
        for name in ["a.ndjson", "b.ndjson"] { try files.write(name, lines) }
        #expect(try files.check(F.plan()).violations.map(Self.words) == ["unknown_value session_started.platform 1/2 web"])
    }

    @Test func `an event that is called like the session's line is an event`() throws {
        let files = try PlanFiles()
        try files.write("a.ndjson", [F.line("session_started", 1, props: "{}"), F.session("s1", version: nil)])
        #expect(
            try files.check(F.plan()).violations.map(Self.words) == [
                "unplanned_event session_started. 1/1 ", "missing_property session_started.app_version 1/1 ",
            ])
    }

    @Test func `a deprecated event is found and fails nothing`() throws {
        let files = try PlanFiles()
        try files.write("a.ndjson", [F.line("basket_filled", 1, props: "{}")])
        let report = try files.check(F.plan())
        #expect(report.violations.map(Self.words) == ["deprecated_event basket_filled. 1/1 "])
        #expect(report.isClean)
    }

    @Test func `events at other times are left out`() throws {
        let files = try PlanFiles()
        try files.write("a.ndjson", (0..<10).map { F.line("typo", $0, props: "{}") })
        let found = try files.check(F.plan(), range: TimeRange(since: 3, until: 5)).violations
        #expect(found.map(Self.words) == ["unplanned_event typo. 2/2 "])
    }

    @Test func `a plan with more needed properties than a mask has bits is checked`() throws {
        let files = try PlanFiles()
        let plan = try F.plan(
            #"{"plan":1,"name":"T","events":{"e":{"props":{"# + (0..<70).map { #""p\#($0)":{"type":"int"}"# }.joined(separator: ",")
                + "}}}}")
        func props(_ count: Int) -> String { "{" + (0..<count).map { #""p\#($0)":1"# }.joined(separator: ",") + "}" }
        try files.write("a.ndjson", [F.line("e", 1, props: props(70)), F.line("e", 2, props: props(69))])
        #expect(try files.check(plan).violations.map(Self.words) == ["missing_property e.p69 1/2 "])
    }

    @Test func `nothing to read is as planned`() throws {
        #expect(try PlanFiles().check(F.plan()).isClean)
    }
}
