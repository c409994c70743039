import Testing
@testable import PlanAuthoring
@testable import TrackingPlans

@Suite struct PlanDiffTests {
    private func diff(_ old: String, _ new: String) throws -> [String] {
        PlanDiff(from: try Samples.plan(properties: old), to: try Samples.plan(properties: new)).changes.map {
            "\($0.kind.rawValue) \($0.property ?? "") \($0.what)\($0.isBreaking ? " BREAKS" : "")"
        }
    }

    @Test(arguments: [
        (#""p":{"type":"int"}"#, #""p":{"type":"int"}"#, []),
        (#""p":{"type":"int"}"#, "", ["removed p property removed BREAKS"]),
        ("", #""p":{"type":"int"}"#, ["added p required property added BREAKS"]),
        ("", #""p":{"type":"int","optional":true}"#, ["added p optional property added"]),
        (#""p":{"type":"int"}"#, #""p":{"type":"number"}"#, ["changed p type int → number BREAKS"]),
        (#""p":{"type":"int"}"#, #""p":{"type":"int","optional":true}"#, ["changed p now optional"]),
        (#""p":{"type":"int","optional":true}"#, #""p":{"type":"int"}"#, ["changed p now required"]),
        (#""p":{"type":"int"}"#, #""p":{"type":"int","sensitive":true}"#, ["changed p now sensitive"]),
        (#""p":{"type":"int","sensitive":true}"#, #""p":{"type":"int"}"#, ["changed p no longer sensitive"]),
        (
            #""p":{"type":"int","min":1,"max":5}"#, #""p":{"type":"number","optional":true,"min":2,"sensitive":true}"#,
            ["changed p type int → number BREAKS"]
        ),
        (
            #""p":{"type":"int","min":1,"max":5}"#, #""p":{"type":"int","min":2,"max":4}"#,
            ["changed p min 1 → 2 BREAKS", "changed p max 5 → 4 BREAKS"]
        ),
        (#""p":{"type":"int","max":5}"#, #""p":{"type":"int"}"#, ["changed p max 5 → none"]),
        (#""p":{"type":"int"}"#, #""p":{"type":"int","max":5}"#, ["changed p max none → 5 BREAKS"]),
        (#""p":{"type":"string","values":["a","b"]}"#, #""p":{"type":"string","values":["b","a"]}"#, []),
        (
            #""a":{"type":"int"},"b":{"type":"int"}"#, #""c":{"type":"int"},"b":{"type":"bool"}"#,
            ["removed a property removed BREAKS", "changed b type int → bool BREAKS", "added c required property added BREAKS"]
        ),
        (#""p":{"type":"int"}"#, #""p":{"type":"int","min":1}"#, ["changed p min none → 1 BREAKS"]),
        (#""p":{"type":"int","min":1}"#, #""p":{"type":"int","min":0}"#, ["changed p min 1 → 0"]),
        (#""p":{"type":"int","min":1}"#, #""p":{"type":"int"}"#, ["changed p min 1 → none"]),
        (#""p":{"type":"int","max":5}"#, #""p":{"type":"int","max":4}"#, ["changed p max 5 → 4 BREAKS"]),
        (#""p":{"type":"int","max":5}"#, #""p":{"type":"int","max":6}"#, ["changed p max 5 → 6"]),
        (
            #""p":{"type":"string","values":["a","b"]}"#, #""p":{"type":"string","values":["b","c"]}"#,
            ["changed p removed `a` BREAKS", "changed p added `c`"]
        ),
        (#""p":{"type":"string","values":["a"]}"#, #""p":{"type":"string"}"#, ["changed p a list of values → any text"]),
        (#""p":{"type":"string"}"#, #""p":{"type":"string","values":["a"]}"#, ["changed p any text → only `a` BREAKS"]),
        (#""p":{"type":"string","about":"x"}"#, #""p":{"type":"string","about":"y"}"#, []),
    ])
    func `each change of a property is named, and is breaking by the rule`(old: String, new: String, changes: [String]) throws {
        #expect(try diff(old, new) == changes)
    }

    @Test func `a removed and an added event with equal properties are offered as a rename`() throws {
        let old = try Samples.plan(#"{"plan":1,"name":"T","events":{"a":{"props":{"p":{"type":"int"}}},"b":{}}}"#)
        let new = try Samples.plan(#"{"plan":1,"name":"T","events":{"c":{"props":{"p":{"type":"int"}}},"b":{"deprecated":"no"}}}"#)
        let diff = PlanDiff(from: old, to: new)
        #expect(diff.renames == [PlanDiff.Rename(old: "a", new: "c")])
        #expect(
            diff.changes.map { "\($0.kind.rawValue) \($0.event ?? "") \($0.isBreaking)" } == [
                "removed a true", "changed b false", "added c false",
            ])
        #expect(diff.isBreaking)
        #expect(!PlanDiff(from: new, to: new).isBreaking)
    }

    @Test func `names that differ only in their bytes are two names`() throws {
        let (short, long) = ("caf\u{E9}", "cafe\u{301}")
        #expect(
            try diff("\"\(short)\":{\"type\":\"int\"}", "\"\(long)\":{\"type\":\"int\",\"optional\":true}") == [
                "removed \(short) property removed BREAKS", "added \(long) optional property added",
            ])
        #expect(
            try diff(
                "\"p\":{\"type\":\"string\",\"values\":[\"\(short)\"]}", "\"p\":{\"type\":\"string\",\"values\":[\"\(long)\"]}"
            ).count == 2)
        let old = try Samples.plan("{\"plan\":1,\"name\":\"T\",\"events\":{\"\(short)\":{}}}")
        let new = try Samples.plan("{\"plan\":1,\"name\":\"T\",\"events\":{\"\(long)\":{}}}")
        #expect(PlanDiff(from: old, to: new).changes.map(\.kind) == [.removed, .added])
        #expect(old.event(named: long) == nil)
    }

    @Test func `a shared property is needed by no event, so a new one breaks nothing`() throws {
        let old = try Samples.plan(#"{"plan":1,"name":"T","events":{}}"#)
        let shared = try Samples.plan(#"{"plan":1,"name":"T","events":{},"shared":{"p":{"type":"int"}}}"#)
        #expect(PlanDiff(from: old, to: shared).changes.map { "\($0.what) \($0.isBreaking)" } == ["optional property added false"])
        #expect(PlanDiff(from: shared, to: old).isBreaking)
        let session = try Samples.plan(#"{"plan":1,"name":"T","events":{},"session":{"p":{"type":"int"}}}"#)
        #expect(PlanDiff(from: old, to: session).isBreaking)
    }

    @Test func `properties of the session count, too`() throws {
        let new = try Samples.plan(Samples.shop.replacing(#""session":{"app_version":{"type":"string"},"#, with: #""session":{"#))
        let changes = PlanDiff(from: try Samples.plan(), to: new).changes
        #expect(changes.map { "\($0.place ?? "") \($0.property ?? "") \($0.isBreaking)" } == ["session app_version true"])
    }

    @Test func `a named list equals the same values written in place`() throws {
        let old = try Samples.plan(
            #"{"plan":1,"name":"T","lists":{"l":["x","y"]},"events":{"e":{"props":{"p":{"type":"string","list":"l"}}}}}"#)
        let new = try Samples.plan(properties: #""p":{"type":"string","values":["y","x"]}"#)
        #expect(PlanDiff(from: old, to: new).changes.isEmpty)
        let longer = try Samples.plan(
            #"{"plan":1,"name":"T","lists":{"l":["x","y","z"]},"events":{"e":{"props":{"p":{"type":"string","list":"l"}}}}}"#)
        #expect(PlanDiff(from: old, to: longer).changes.map { "\($0.what) \($0.isBreaking)" } == ["added `z` false"])
        #expect(PlanDiff(from: longer, to: old).changes.map { "\($0.what) \($0.isBreaking)" } == ["removed `z` true"])
    }

    /// A plan of events without properties. Those with a text are deprecated, with that text.
    private func plan(_ events: [(String, String?)]) throws -> TrackingPlan {
        let entries = events.map { "\"\($0.0)\":{\($0.1.map { "\"deprecated\":\"\($0)\"" } ?? "")}" }
        return try Samples.plan("{\"plan\":1,\"name\":\"T\",\"events\":{\(entries.joined(separator: ","))}}")
    }

    @Test func `a deprecation or a new text for it is a change, and breaks nothing`() throws {
        let diff = PlanDiff(
            from: try plan([("a", nil), ("b", "old"), ("c", "x"), ("d", "x")]),
            to: try plan([("a", "use b"), ("b", nil), ("c", "y"), ("d", "x")]))
        #expect(
            diff.changes.map { "\($0.event ?? "") \($0.what)" } == ["a deprecated: use b", "b no longer deprecated", "c deprecated: y"])
        #expect(!diff.isBreaking)
    }

    @Test func `each removed event is offered one new name, the first that is free`() throws {
        let diff = PlanDiff(from: try plan([("a", nil), ("b", nil), ("c", nil)]), to: try plan([("y", nil), ("x", nil)]))
        #expect(diff.renames == [PlanDiff.Rename(old: "a", new: "y"), PlanDiff.Rename(old: "b", new: "x")])
    }

    @Test(
        "an event with other properties is no rename",
        arguments: [
            #""q":{"type":"int"}"#, #""p":{"type":"number"}"#, #""p":{"type":"int","optional":true}"#, "",
            #""p":{"type":"int"},"q":{"type":"int"}"#,
        ])
    func noRename(properties: String) throws {
        let old = try Samples.plan(#"{"plan":1,"name":"T","events":{"a":{"props":{"p":{"type":"int"}}}}}"#)
        let new = try Samples.plan(#"{"plan":1,"name":"T","events":{"b":{"props":{\#(properties)}}}}"#)
        #expect(PlanDiff(from: old, to: new).renames.isEmpty)
    }
}
