import Testing

@testable import TrackingPlans

/// The error of each part of a plan that is of the wrong kind or impossible.
@Suite struct PlanReaderTests {
    /// Expects an error for a plan. `¦` marks the place that the error must name, and `‖` the other place, if it must name one.
    private func expectError(_ marked: String, _ words: String) throws {
        func column(_ mark: Character) -> Int? { marked.firstIndex(of: mark).map { marked[..<$0].count { !"¦‖".contains($0) } + 1 } }
        let text = marked.filter { !"¦‖".contains($0) }
        let other = column("‖").map { "; the other stands at 1:\($0)" } ?? ""
        #expect(PlanErrorsTests.error(text) == "1:\(try #require(column("¦"))): found \(words)\(other)")
    }

    private static func plan(_ rest: String) -> String { #"{"plan":1,"name":"T","events":{}\#(rest)}"# }

    @Test(
        "a wrong part of a plan is an error at its place",
        arguments: [
            (#"{"plan":¦"1"}"#, "the text `1`, expected 1, the version of the format"),
            (#"{"plan":¦1.0}"#, "the number 1.0, expected 1, the version of the format"),
            (#"¦{"plan":1}"#, "no key `name`, expected `\"name\":\"Shop\"`, what the type is named after"),
            (#"{"plan":1,"name":"T","events":¦[]}"#, "an array, expected an object: the events by name"),
            (plan(#","access":¦1"#), "the number 1, expected a text"),
            (plan(#","version":¦2"#), "the number 2, expected a text"),
            (plan(#","$schema":¦{}"#), "an object, expected a text"),
            (plan(#","shared":¦[]"#), "an array, expected an object: properties by name"),
            (plan(#","session":¦"x""#), "the text `x`, expected an object: properties by name"),
            (plan(#","lists":¦[]"#), "an array, expected an object: the lists by name"),
            (plan(#","lists":{"l":¦{}}"#), "an object, expected an array of texts"),
            (plan(#","lists":{"l":¦[]}"#), "an empty array, expected at least one value"),
            (plan(#","lists":{"l":["a",¦1]}"#), "the number 1, expected a text"),
            (plan(#","lists":{"l":["a",¦"…"]}"#), "the value `…`, expected a value with a letter or digit, as it names a case in Swift"),
            (plan(#","lists":{¦"…":["a"]}"#), "the list `…`, expected a name with a letter or digit, as it names a type in Swift"),
            (
                plan(#","lists":{‖"a b":["a"],¦"a_b":["a"]}"#),
                "the list `a_b`, in Swift `AB`, expected another name than its neighbours'"
            ),
            (plan(#","groups":¦[]"#), "an array, expected an object: the groups by name"),
            (plan(#","groups":{"g":¦[]}"#), "an array, expected an object: properties by name"),
            (
                plan(#","groups":{"g":{¦"_cut":{"type":"int"}}}"#),
                "the property `_cut`, expected a name of your own: event files have this key for themselves"
            ),
        ])
    func parts(marked: String, words: String) throws { try expectError(marked, words) }

    private static func event(_ event: String, _ rest: String = "") -> String { #"{"plan":1,"name":"T","events":{"e":\#(event)}\#(rest)}"# }

    @Test(
        "a wrong part of an event is an error at its place",
        arguments: [
            (event("¦[]"), "an array, expected an object for an event"),
            (
                event(#"{¦"property":{}}"#),
                "the key `property`, expected for an event one of `about`, `deprecated`, `since`, `owner`, `tags`, `groups`, `props`"
            ),
            (event(#"{"about":¦1}"#), "the number 1, expected a text"),
            (event(#"{"deprecated":¦true}"#), "`true`, expected a text"),
            (event(#"{"since":¦2}"#), "the number 2, expected a text"),
            (event(#"{"owner":¦null}"#), "`null`, expected a text"),
            (event(#"{"tags":¦"a"}"#), "the text `a`, expected an array of texts"),
            (event(#"{"tags":["a",¦[]]}"#), "an array, expected a text"),
            (event(#"{"groups":¦"g"}"#), "the text `g`, expected an array of texts"),
            (event(#"{"groups":[¦"h"]}"#, #","groups":{"g":{},"f":{}}"#), "the group `h`, expected one of `f`, `g`"),
            (
                event(#"{"groups":[‖"g",¦"g"]}"#, #","groups":{"g":{"a":{"type":"int"}}}"#),
                "the group `g` again, expected each group once"
            ),
            (event(#"{"props":¦[]}"#), "an array, expected an object: properties by name"),
            (event(#"{"props":{"p":¦"int"}}"#), "the text `int`, expected an object for a property"),
            (
                event(#"{"props":{"p":{"type":"int",¦"default":1}}}"#),
                "the key `default`, expected for a property one of `type`, `optional`, `values`, `list`, `min`, `max`, `sensitive`, `about`"
            ),
            (
                event(#"{"props":{¦"…":{"type":"int"}}}"#),
                "the property `…`, expected a name with a letter or digit, as it names a parameter in Swift"
            ),
        ])
    func events(marked: String, words: String) throws { try expectError(marked, words) }

    @Test(
        "what a property may have depends on its type",
        arguments: [
            (#""type":¦1"#, "the number 1, expected a text"),
            (#""type":"bool","max":¦1"#, "a range of the type `bool`, expected a range only of `int` or `number`"),
            (#""type":"int","min":¦"1""#, "the text `1`, expected a number"),
            (#""type":"number","max":¦1e999"#, "the number 1e999, expected a number"),
            (#""type":"int","max":¦9007199254740994"#, "the number 9007199254740994, expected a whole number up to 2⁵³"),
            (#""type":"number","min":0.5,"max":¦0.25"#, "the number 0.25, expected at least the `min` of 0.5"),
            (#""type":"bool","list":¦"l""#, "`list` of the type `bool`, expected `list` only of the type `string`"),
            (#""type":"string","list":"l","values":¦["x"]"#, "`values` beside `list`, expected one of the two"),
            (#""type":"string","list":¦"m""#, "the list `m`, expected one of `l`, `k`"),
            (#""type":"string","list":¦["l"]"#, "an array, expected a text"),
            (#""type":"string","values":¦"x""#, "the text `x`, expected an array of texts"),
            (#""type":"string","sensitive":¦1"#, "the number 1, expected `true` or `false`"),
            (#""type":"string","about":¦[]"#, "an array, expected a text"),
        ])
    func properties(marked: String, words: String) throws {
        try expectError(Self.event(#"{"props":{"p":{\#(marked)}}}"#, #","lists":{"l":["a"],"k":["a"]}"#), words)
    }

    @Test(arguments: [
        #""type":"int","min":-9007199254740992,"max":9007199254740992"#, #""type":"int","min":3,"max":3"#, #""type":"int","max":1e3"#,
        #""type":"number","min":-1e300"#, #""type":"string","values":["a"],"optional":false,"sensitive":false,"about":"""#,
    ])
    func `a range may be as wide as numbers are, or one number`(property: String) throws {
        _ = try Samples.plan(properties: "\"p\":{\(property)}")
    }

    @Test func `a name of an event has at most two hundred bytes`() throws {
        let long = String(repeating: "é", count: 100)
        _ = try Samples.plan(#"{"plan":1,"name":"T","events":{"\#(long)":{}}}"#)
        try expectError(
            #"{"plan":1,"name":"T","events":{¦"\#(long)a":{}}}"#, "an event's name of 201 bytes, expected 1 to 200 bytes")
    }

    @Test func `values of two events that give one type collide, and a named list with them`() throws {
        try expectError(
            #"{"plan":1,"name":"T","events":{‖"a":{"props":{"b_c":{"type":"string","values":["x"]}}},"#
                + #"¦"a_b":{"props":{"c":{"type":"string","values":["x"]}}}}}"#,
            "the values of `c` in `a_b`, in Swift `ABC`, expected another name than its neighbours'")
        try expectError(
            #"{"plan":1,"name":"T","lists":{‖"aB":["y"]},"events":{¦"a":{"props":{"b":{"type":"string","values":["x"]}}}}}"#,
            "the values of `b` in `a`, in Swift `AB`, expected another name than its neighbours'")
    }

    @Test func `every description of an event and a plan is kept`() throws {
        let plan = try Samples.plan(
            #"{"plan":1,"name":"T","version":"7","access":"public","$schema":"s","events":{"e":{"about":"A","deprecated":"D","since":"S","owner":"O","tags":["t","u"]}}}"#
        )
        let event = try #require(plan.event(named: "e"))
        #expect([event.about, event.deprecated, event.since, event.owner] == ["A", "D", "S", "O"] && event.tags == ["t", "u"])
        #expect(plan.version == "7" && plan.access == .public && event.properties.isEmpty)
    }

    @Test func `an event has its own properties first, then those of its groups in their order`() throws {
        let plan = try Samples.plan(
            #"{"plan":1,"name":"T","groups":{"g":{"b":{"type":"int"}},"h":{"a":{"type":"int"}}},"events":{"e":{"groups":["h","g"],"props":{"z":{"type":"int"}}}}}"#
        )
        #expect(plan.events[0].properties.map(\.path) == ["z", "a", "b"])
    }
}
