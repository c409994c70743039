import Testing

@testable import TrackingPlans

/// The error of a wrong plan has line, column, what stands there, and what was expected.
@Suite struct PlanErrorsTests {
    static func error(_ text: String) -> String? {
        do throws(PlanError) {
            _ = try TrackingPlan(Array(text.utf8))
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// A plan with one event `e` and these properties.
    static func plan(_ properties: String) -> String { #"{"plan":1,"name":"T","events":{"e":{"props":{\#(properties)}}}}"# }

    @Test(arguments: [
        ("", "1:1: found the end of the file, expected a value"),
        ("[]", "1:1: found an array, expected an object for the plan"),
        (#"{"plan":1,"#, "1:11: found the end of the file, expected a key in quotes"),
        (#"{"plan":1} x"#, "1:12: found `x`, expected the end of the file"),
        (
            "{\"plan\":1,\n \"nme\":\"T\"}",
            "2:2: found the key `nme`, expected for the plan one of `plan`, `name`, `access`, `version`, `$schema`, `events`, `shared`, `session`, `lists`, `groups`"
        ),
        (#"{"plan":1,"plan":1}"#, "1:11: found the key `plan` again, expected each key once; the other stands at 1:2"),
        (#"{"name":"T","events":{}}"#, "1:1: found no key `plan`, expected `\"plan\":1`, the version of the format"),
        (#"{"plan":2,"name":"T","events":{}}"#, "1:9: found the number 2, expected 1, the version of the format"),
        (#"{"plan":1,"name":"-","events":{}}"#, "1:18: found the text `-`, expected a name with a letter or digit"),
        (#"{"plan":1,"name":"T"}"#, "1:1: found no key `events`, expected `\"events\":{}`, the events by name"),
        (#"{"plan":1,"name":"T","access":"open","events":{}}"#, "1:31: found the text `open`, expected one of `internal`, `public`"),
        (#"{"plan":1,"name":"T","events":{"":{}}}"#, "1:32: found an event's name of 0 bytes, expected 1 to 200 bytes"),
        (
            #"{"plan":1,"name":"T","events":{"a_b":{},"a-b":{}}}"#,
            "1:41: found the event `a-b`, in Swift `aB`, expected another name than its neighbours'; the other stands at 1:32"
        ),
        (
            #"{"plan":1,"name":"T","events":{"session_started":{}}}"#,
            "1:32: found the event `session_started`, expected a name of your own: this is the line at the head of a session, whose properties stand in `session`"
        ),
        (
            #"{"plan":1,"name":"T","events":{},"shared":{"previous_session":{"type":"string"}}}"#,
            "1:44: found the property `previous_session`, expected a name of your own: event files have this key for themselves"
        ),
        (
            #"{"plan":1,"name":"T","events":{"—":{}}}"#,
            "1:32: found the event `—`, expected a name with a letter or digit, as it names a function in Swift"
        ),
        (
            #"{"plan":1,"name":"tracking","events":{}}"#,
            "1:18: found the text `tracking`, expected another name, as the library has a type `TrackingEvent`"
        ),
        (
            #"{"plan":1,"name":"T","events":{"t":{"props":{"event":{"type":"string","values":["a"]}}}}}"#,
            "1:32: found the values of `event` in `t`, in Swift `TEvent`, expected another name, as the type uses `TEvent` itself"
        ),
        (
            #"{"plan":1,"name":"T","events":{"e":{"groups":["o"]}}}"#,
            "1:47: found the group `o`, expected a name in `groups`, which the plan does not have"
        ),
        (
            "{\"plan\":1,\"name\":\"é\u{301}x",
            "1:21: found the end of the file, expected a closing `\"` for the text that begins at line 1, column 18"
        ),
    ])
    func `the error of a wrong plan says what is wrong and where`(text: String, message: String) {
        #expect(Self.error(text) == message)
    }

    @Test(arguments: [
        (#""p":{}"#, "1:50: found no key `type`, expected `\"type\"` with one of `string`, `int`, `number`, `bool`, `object`, `array`"),
        (#""p":{"type":"text"}"#, "1:58: found the text `text`, expected one of `string`, `int`, `number`, `bool`, `object`, `array`"),
        (#""p":{"type":"string","min":1}"#, "1:73: found a range of the type `string`, expected a range only of `int` or `number`"),
        (#""p":{"type":"int","min":1.5}"#, "1:70: found the number 1.5, expected a whole number up to 2⁵³"),
        (#""p":{"type":"int","min":3,"max":2}"#, "1:78: found the number 2, expected at least the `min` of 3"),
        (#""p":{"type":"int","values":["a"]}"#, "1:73: found `values` of the type `int`, expected `values` only of the type `string`"),
        (#""p":{"type":"string","list":"l"}"#, "1:74: found the list `l`, expected a name in `lists`, which the plan does not have"),
        (#""p":{"type":"string","values":[]}"#, "1:76: found an empty array, expected at least one value"),
        (
            #""p":{"type":"string","values":["a","a"]}"#,
            "1:81: found the value `a` again, expected each value once; the other stands at 1:77"
        ),
        (
            #""p":{"type":"string","values":["a_b","aB"]}"#,
            "1:83: found the value `aB`, in Swift `aB`, expected another name than its neighbours'; the other stands at 1:77"
        ),
        (#""p":{"type":"string","optional":"yes"}"#, "1:78: found the text `yes`, expected `true` or `false`"),
        (
            #""a":{"type":"int"},"a.b":{"type":"int"}"#,
            "1:65: found the property `a.b`, expected `a` to be an `object`, as an `int` holds no others; the other stands at 1:46"
        ),
        (
            #""a.b.c.d.e":{"type":"int"}"#,
            "1:46: found the property `a.b.c.d.e`, expected at most 4 names between dots, as event files keep no more"
        ),
        (#""a..b":{"type":"int"}"#, "1:46: found the property `a..b`, expected a name without empty parts between dots"),
        (
            #""a_b":{"type":"int"},"a.b":{"type":"int"}"#,
            "1:67: found the property `a.b`, in Swift `aB`, expected another name than `a_b` has; the other stands at 1:46"
        ),
        (
            "\"\u{AC00}\":{\"type\":\"int\"},\"\u{1100}\u{1161}\":{\"type\":\"int\"}",
            "1:65: found the property `\u{1100}\u{1161}`, in Swift `\u{AC00}`, "
                + "expected another name than `\u{AC00}` has; the other stands at 1:46"
        ),
        (
            #""_cut":{"type":"int"}"#,
            "1:46: found the property `_cut`, expected a name of your own: event files have this key for themselves"
        ),
        (
            #""sample_rate.x":{"type":"int"}"#,
            "1:46: found the property `sample_rate.x`, expected a name of your own: event files have this key for themselves"
        ),
    ])
    func `the error of a wrong property says what is wrong and where`(properties: String, message: String) {
        #expect(Self.error(Self.plan(properties)) == message)
    }

    @Test func `an object may hold properties of its own beside anything else`() throws {
        #expect(Self.error(Self.plan(#""a":{"type":"object"},"a.b":{"type":"int"}"#)) == nil)
    }

    @Test func `names that differ only in their bytes are two names, unless they are the same in Swift`() throws {
        let plan = try Samples.plan(properties: "\"caf\u{E9}\":{\"type\":\"int\"},\"cafe\u{301}\":{\"type\":\"bool\"}")
        #expect(plan.events[0].properties.map(\.kind) == [.int, .bool])
        let events = "{\"plan\":1,\"name\":\"T\",\"events\":{\"\u{AC00}\":{},\"\u{1100}\u{1161}\":{}}}"
        #expect(Self.error(events)?.hasSuffix("expected another name than its neighbours'; the other stands at 1:32") == true)
    }

    @Test func `an event and the values of another are two names in Swift`() {
        let values = #""props":{"result":{"type":"string","values":["a"]}}"#
        let text = #"{"plan":1,"name":"T","events":{"3ds":{\#(values)},"3ds_result":{}}}"#
        #expect(Self.error(text)?.contains("found the event `3ds_result`, in Swift `_3dsResult`, expected another name") == true)
    }

    @Test func `a property of a group collides at the place that names the group`() {
        let text =
            #"{"plan":1,"name":"T","groups":{"g":{"a":{"type":"int"}}},"events":{"e":{"groups":["g"],"props":{"a":{"type":"int"}}}}}"#
        #expect(Self.error(text) == "1:83: found the property `a` again, expected each property once; the other stands at 1:97")
    }

    @Test(
        arguments: [([0xFF], "1:1"), (Array("{\"a".utf8) + [0xC3], "1:4"), (Array("\n\né".utf8) + [0xE2, 0x82, 0x20], "3:2")]
            as [([UInt8], String)])
    func `bytes that are not UTF-8 are refused where they stand`(bytes: [UInt8], place: String) {
        let error = #expect(throws: PlanError.self) { try TrackingPlan(bytes) }
        #expect(error?.description == "\(place): found a byte that is not UTF-8, expected UTF-8")
    }

    @Test func `a file that is too large is refused`() {
        let error = #expect(throws: PlanError.self) { try TrackingPlan([UInt8](repeating: 0x20, count: 1 << 20 + 1)) }
        #expect(error?.description == "1:1: found 1048577 bytes, expected at most 1048576")
    }

    @Test func `groups that multiply to too many properties are refused`() {
        let group = (0..<1000).map { "\"p\($0)\":{\"type\":\"int\"}" }.joined(separator: ",")
        let events = (0..<200).map { "\"e\($0)\":{\"groups\":[\"g\"]}" }.joined(separator: ",")
        let error = Self.error("{\"plan\":1,\"name\":\"T\",\"groups\":{\"g\":{\(group)}},\"events\":{\(events)}}")
        #expect(error?.hasSuffix("found 101000 properties in all events up to here, expected at most 100000") == true)
    }

    @Test func `nesting without end is refused`() {
        #expect(Self.error(String(repeating: "[", count: 100_000))?.hasSuffix("expected at most 32 levels of brackets") == true)
    }

    @Test func `a compiler's diagnostic names the file, and control characters never reach the terminal`() {
        let error = #expect(throws: PlanError.self) { try TrackingPlan(Array(#"{"\u001b[31m":1}"#.utf8)) }
        #expect(
            error?.diagnostic(file: "p.json").hasPrefix(#"p.json:1:2: error: found the key `\u{1b}[31m`, expected for the plan one of"#)
                == true)
    }
}
