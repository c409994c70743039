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

    /// The properties of one event `e` with these, as the plan has them.
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
            (Array(repeating: "2.1.0", count: 60), nil),
            (Array(repeating: "v2.1", count: 60), nil),
            (Array(repeating: "2026-01-15", count: 60), nil),
            (Array(repeating: "", count: 60), nil),
            (Array(repeating: "—", count: 60), nil),
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
        #expect(found.notes == ["property `a` of `e` is string and int and bool: the plan has it as a string"])
    }

    @Test func `names that Swift cannot tell apart are left out, with a note`() throws {
        let found = try inferred([
            F.line("a_b", 1, props: #"{"x_y":1,"xY":2,"€":3}"#), F.line("a-b", 2, props: "{}"), F.line("…", 3, props: "{}"),
            F.line("init", 3, props: "{}"),
        ])
        #expect(found.plan.events.map(\.name) == ["a_b"])
        #expect(found.plan.events[0].properties.map(\.path) == ["x_y"])
        #expect(
            found.notes == [
                "property `xY` of `a_b` is left out: another property is `xY` in Swift",
                "property `€` of `a_b` is left out: its name gives none in Swift",
                "event `a-b` is left out: another event is `aB` in Swift", "event `…` is left out: its name gives none in Swift",
                "event `init` is left out: another event is `init` in Swift",
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
