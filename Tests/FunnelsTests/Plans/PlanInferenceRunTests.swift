import EventFiles
import Testing
import TrackingPlans

@testable import Funnels

@Suite struct PlanInferenceRunTests {
    private typealias F = PlanFiles

    private func inferred(_ lines: [String]) throws -> (plan: TrackingPlan, text: String, notes: [String]) {
        let files = try PlanFiles()
        try files.write("a.ndjson", lines)
        let outcome = try files.infer()
        let plan = try F.plan(outcome.text)
        return (plan, outcome.text, outcome.notes)
    }

    /// The inferred plan's properties of the event `e`, from one line for each of `props`.
    private func properties(_ props: [String]) throws -> [String] {
        try inferred(props.enumerated().map { F.line("e", $0.offset, props: $0.element) }).plan.events[0].properties.map { property in
            "\(property.path) \(property.kind.rawValue)\(property.isOptional ? "?" : "")"
                + (property.values.map { " \($0.all.joined(separator: "|"))" } ?? "")
        }
    }

    @Test(
        arguments: [
            (["{}"], []),
            ([#"{"b":1,"a":"x"}"#, #"{"c":true,"a":"y"}"#], ["b int?", "a string", "c bool?"]),
            ([#"{"a":1}"#, #"{"a":1.5}"#], ["a number"]),
            ([#"{"a":1}"#, #"{"a":null}"#], ["a int?"]),
            ([#"{"a":null}"#], []),
            ([#"{"a":1}"#, #"{"a":"9007199254740993"}"#], ["a int"]),
            ([#"{"a":1.5}"#, #"{"a":"9007199254740993"}"#], ["a number"]),
            ([#"{"a":1}"#, #"{"a":1.5}"#, #"{"a":"-9007199254740993"}"#], ["a number"]),
            ([#"{"a":1.5}"#, #"{"a":true}"#], ["a string"]),
            ([#"{"a":"9007199254740993"}"#], ["a string"]),
            ([#"{"a":[1]}"#, #"{"a":[]}"#], ["a array"]),
            ([#"{"o":{"b":1,"c":{"d":"x"}}}"#, #"{"o":{"b":1}}"#], ["o.b int", "o.c.d string?"]),
            ([#"{"o":{}}"#], ["o object"]),
            ([#"{"o":{}}"#, #"{"o":{"a":1}}"#], ["o.a int?"]),
            ([#"{"a":{"b":{"c":{"d":{"e":1}}}}}"#], ["a.b.c.d object"]),
            ([#"{"a":{"":1}}"#], ["a object"]),
            ([#"{"a":{"b":1}}"#, #"{"a":"x"}"#], ["a string"]),
            ([#"{"_cut":true,"sample_rate":1,"a":1}"#], ["a int"]),
        ] as [([String], [String])])
    func `a property has the type that its values have`(props: [String], properties: [String]) throws {
        #expect(try self.properties(props) == properties)
    }

    @Test(
        arguments: [
            (Array(repeating: "free", count: 30) + Array(repeating: "pro", count: 20), "free|pro"),
            (Array(repeating: "free", count: 30) + Array(repeating: "pro", count: 19), nil),
            (Array(repeating: "free", count: 60) + ["pro"], nil),
            ((0..<60).map { "v\($0 % 12) x" }, nil),
            ((0..<60).map { "x\($0 % 12)" }, (0..<12).map { "x\($0)" }.sorted().joined(separator: "|")),
            ((0..<60).map { "x\($0 % 13)" }, nil),
            ((0..<60).map { "\($0 % 3)" }, nil),
            // A list would refuse the next coupon, which is another one.
            (Array(repeating: "WELCOME10", count: 60), nil),
            (Array(repeating: "2.1.0", count: 60), nil),
            (Array(repeating: "v2.1", count: 60), nil),
            (Array(repeating: "2026-01-15", count: 60), nil),
            (Array(repeating: "", count: 60), nil),
            (Array(repeating: "—", count: 60), nil),
            (
                Array(repeating: String(repeating: "a", count: 64), count: 30) + Array(repeating: "b", count: 30),
                String(repeating: "a", count: 64) + "|b"
            ),
            (Array(repeating: String(repeating: "a", count: 65), count: 30) + Array(repeating: "b", count: 30), nil),
            (Array(repeating: "a b", count: 30) + Array(repeating: "a_b", count: 30), nil),
        ] as [([String], String?)])
    func `values are listed where they are few, frequent, and will stay`(texts: [String], values: String?) throws {
        let properties = try properties(texts.map { #"{"p":"\#($0)"}"# })
        #expect(properties == ["p string" + (values.map { " \($0)" } ?? "")])
    }

    @Test func `a property of several types is a string, with a note`() throws {
        let found = try inferred([
            F.line("e", 1, props: #"{"a":1}"#), F.line("e", 2, props: #"{"a":"x"}"#), F.line("e", 3, props: #"{"a":true}"#),
        ])
        #expect(found.plan.events[0].properties.map(\.kind) == [.string])
        #expect(
            found.notes == [
                "property `a` of `e` is string and int and bool: the plan has it as a string, and `plan check` reports the others"
            ])
    }

    @Test func `a note about a property of several types escapes its name, and cuts a long one`() throws {
        let (long, shown) = (String(repeating: "b", count: 61), String(repeating: "b", count: 60) + "…")
        let files = try PlanFiles()
        let lines = ["1", "true"].map { value in F.line("e", 1, props: "{\"\\u0007a\":\(value),\"\(long)\":\(value)}") }
        try files.write("a.ndjson", lines)
        let notes = try files.infer().notes
        #expect(notes.count == 2)
        #expect(notes[0].hasPrefix("property `\\u{7}a` of `e` is int and bool: "), "\(notes)")
        #expect(notes[1].hasPrefix("property `\(shown)` of `e` is int and bool: "), "\(notes)")
    }

    @Test func `names that Swift cannot tell apart are left out, with a note`() throws {
        let found = try inferred([
            F.line("a_b", 1, props: #"{"x_y":1,"xY":2,"€":3}"#), F.line("a-b", 2, props: "{}"), F.line("…", 3, props: "{}"),
            F.line("init", 3, props: "{}"),
        ])
        #expect(found.plan.events.map(\.name) == ["a_b", "init"])
        #expect(found.plan.events[0].properties.map(\.path) == ["x_y"])
        #expect(
            found.notes == [
                "property `xY` of `a_b` is left out, and `plan check` reports it: it is `xY` in Swift, as `x_y` is",
                "property `€` of `a_b` is left out, and `plan check` reports it: without a letter or digit it has no name in Swift",
                "event `a-b` is left out, and `plan check` reports it: it is `aB` in Swift, as another event is",
                "event `…` is left out, and `plan check` reports it: without a letter or digit it has no name in Swift",
            ])
    }

    @Test(arguments: [
        ([#"{"x..y":1,"b":2}"#], ["x object?", "b int"]),
        ([#"{"w.":1}"#, "{}"], ["w object?"]),
        ([#"{"o":{"":1,"a":2}}"#], ["o object"]),
        ([#"{"o":{"a_b":1,"aB":2}}"#], ["o object"]),
        ([#"{"q.r":1,"q_r":2}"#], ["q object?", "q_r int"]),
        ([#"{"q_r":1,"q":{"r":2}}"#], ["q_r int", "q object"]),
        ([#"{"l.o.n.g.er":1}"#], ["l.o.n.g object?"]),
        ([#"{"o":{"k":1,"k.l":2}}"#], ["o object"]),
        ([#"{"o":{"!":1}}"#, #"{"o":null}"#], ["o.! int?"]),
        ([#"{"a.\u0301b":1}"#], ["a.\u{301}b int"]),
        ([#"{"_cut":{"a":1},"b":2}"#], ["b int"]),
        ([#"{"repeat":true}"#], ["repeat bool"]),
    ])
    func `a property that no plan can name beside its neighbours lies in an object that holds anything`(
        props: [String], expected: [String]
    ) throws {
        #expect(try properties(props) == expected)
        let files = try PlanFiles()
        try files.write("a.ndjson", props.enumerated().map { F.line("e", $0.offset, props: $0.element) })
        #expect(try files.check(F.plan(files.infer().text)).violations == [])
    }

    @Test(arguments: [
        (#"{"a":1,"a.b":2}"#, "property `a.b` of `e`", "`a` is int, which holds no others"),
        (#"{".z":1}"#, "property `.z` of `e`", "a name has no empty parts between dots"),
        (#"{"€":1}"#, "property `€` of `e`", "without a letter or digit it has no name in Swift"),
        (#"{"한":1,"\u1112\u1161\u11ab":1}"#, "property `\u{1112}\u{1161}\u{11AB}` of `e`", "it is `한` in Swift, as `한` is"),
    ])
    func `a property that no plan can hold has a note, and check reports it alone`(props: String, subject: String, why: String) throws {
        let files = try PlanFiles()
        try files.write("a.ndjson", [F.line("e", 1, props: props)])
        let outcome = try files.infer()
        #expect(outcome.notes == ["\(subject) is left out, and `plan check` reports it: \(why)"])
        let violations = try files.check(F.plan(outcome.text)).violations
        #expect(violations.map { "property `\($0.property ?? "")` of `\($0.event)`" } == [subject])
        #expect(violations.map(\.kind) == [.unplannedProperty])
    }

    @Test func `names and values that differ only in their bytes are two`() throws {
        let (short, long) = ("caf\u{E9}", "cafe\u{301}")
        let files = try PlanFiles()
        try files.write(
            "a.ndjson",
            (0..<60).flatMap { number in
                [
                    F.line(short, number, props: "{\"\(short)\":1,\"\(long)\":\"\([short, long][number % 2])\"}"),
                    F.line(long, number, props: "{}"),
                ]
            })
        let outcome = try files.infer()
        let plan = try F.plan(outcome.text)
        #expect(outcome.notes == [])
        #expect(plan.events.map { Array($0.name.utf8) } == [Array(short.utf8), Array(long.utf8)])
        #expect(plan.events[0].properties.map { Array($0.path.utf8) } == [Array(short.utf8), Array(long.utf8)])
        #expect(plan.events[0].properties[1].values?.all.count == 2)
        #expect(try files.check(plan).violations == [])
        try files.write(
            "b.ndjson", [F.line(short, 99, props: "{\"\(short)\":1,\"\(long)\":\"x\"}"), F.line(long, 99, props: "{\"\(long)\":1}")])
        #expect(
            try files.check(plan).violations.map { "\($0.kind) \($0.count)/\($0.events)" } == [
                "unknownValue 1/61", "unplannedProperty 1/61",
            ])
    }

    @Test func `an object with a key for each of many things holds anything`() throws {
        let files = try PlanFiles()
        let keys = (0...EventShape.maxProperties).map { "\"k\($0)\":1" }.joined(separator: ",")
        try files.write("a.ndjson", [F.line("e", 1, props: "{\"ids\":{\(keys)}}")])
        let outcome = try files.infer()
        #expect(outcome.notes == [] && outcome.text.contains("\"ids\":{\"type\":\"object\"}"))
        #expect(try files.check(F.plan(outcome.text)).violations == [])
        try files.write("a.ndjson", [F.line("e", 1, props: "{\(keys)}")])
        let beyond = try files.infer()
        #expect(
            beyond.notes == [
                "property `k10000` of `e` is left out, and `plan check` reports it: the event has more than 10000 properties; it and all "
                    + "further ones are left out"
            ])
        #expect(try files.check(F.plan(beyond.text)).violations.map(\.property) == ["k10000"])
    }

    @Test func `an event with the name of session lines is left out, with a note`() throws {
        let found = try inferred([F.line("session_started", 1, props: #"{"a":1}"#)])
        #expect(found.plan.events.isEmpty)
        #expect(
            found.notes == [
                "event `session_started` is left out, and `plan check` reports it: this name belongs to the line at the head of a session"
            ])
    }

    @Test func `sessions have their properties, without those of the tracker`() throws {
        let found = try inferred([
            F.session("s1", version: "2.0.0", more: #","sample_rate":1"#),
            F.session("s2", version: "2.0.0", more: #","previous_session":"s1""#),
            F.session("s3", version: nil, more: #","repeat":true"#), F.line("e", 1, props: "{}"),
        ])
        #expect(found.plan.session.map { "\($0.path) \($0.kind.rawValue) \($0.isOptional)" } == ["app_version string false"])
    }

    @Test func `an event or a session's first line that stands in two files counts once`() throws {
        let files = try PlanFiles()
        // So many together that their values would be listed if each counted twice.
        let lines = (0..<26).flatMap { number -> [String] in
            let value = ["linux", "ios"][number % 2]
            return [
                F.session("s\(number)", version: nil, more: #","platform":"\#(value)""#, id: "m\(number)"),
                F.line("e", number, id: "e\(number)", props: #"{"p":"\#(value)"}"#),
            ]
        }
        try files.write("a.ndjson", lines)
        let once = try files.infer().text
        try files.write("b.ndjson", lines + [F.line("other", 30, id: "e0", props: "{}")])
        #expect(try files.infer().text == once)
        #expect(!once.contains("values"))
    }

    @Test func `a plan from files finds nothing in the same files`() throws {
        let files = try PlanFiles()
        var lines = [F.session("s1", version: "2.0"), F.session("s2", version: nil)]
        for number in 0..<200 {
            let plan = number % 3 == 0 ? "free" : "pro"
            lines.append(
                F.line(
                    "cart added", number,
                    props:
                        #"{"sku":"A\#(number)","plan":"\#(plan)","o":{"t":\#(number % 2 == 0 ? "1" : "1.5"),"deep":{"a":{"b":{"c":1}}}},"big":\#(number % 7 == 0 ? "\"9007199254740993\"" : "5")}"#
                ))
        }
        try files.write("a.ndjson", lines)
        #expect(try files.check(F.plan(files.infer().text)).violations == [])
    }

    @Test func `nothing to read gives a plan without events`() throws {
        #expect(try inferred([]).text == "{\"plan\":1,\"name\":\"Shop\",\n \"events\":{}}\n")
    }
}
