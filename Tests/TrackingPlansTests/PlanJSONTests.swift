import Testing

@testable import TrackingPlans

/// The JSON of a plan's file, read strictly (RFC 8259).
@Suite struct PlanJSONTests {
    @Test(
        "every escape of JSON is understood",
        arguments: [
            (#"\"\\\/"#, "\"\\/"), (#"\b\f\n\r\t"#, "\u{8}\u{C}\n\r\t"), (#"\u0041\u00e9\u00E9\u0000"#, "A\u{E9}\u{E9}\u{0}"),
            (#"\ud83d\ude00"#, "\u{1F600}"), (#"\uD800\uDC00\uDBFF\uDFFF"#, "\u{10000}\u{10FFFF}"), (#"\uD7FF\uE000"#, "\u{D7FF}\u{E000}"),
            ("é\u{1F600}\u{7F}", "é\u{1F600}\u{7F}"),
        ])
    func escapes(text: String, about: String) throws {
        let plan = try Samples.plan(#"{"plan":1,"name":"T","events":{"e":{"about":"\#(text)"}}}"#)
        #expect(plan.events[0].about?.unicodeScalars.elementsEqual(about.unicodeScalars) == true)
    }

    @Test(
        "text that is not JSON is refused with its place",
        arguments: [
            (#"{"plan":01}"#, "1:10: found `1`, expected `,` or `}`"),
            (#"{"plan":-}"#, "1:10: found `}`, expected a digit"),
            (#"{"plan":1.}"#, "1:11: found `}`, expected a digit"),
            (#"{"plan":1e}"#, "1:11: found `}`, expected a digit"),
            (#"{"plan":1e+x}"#, "1:12: found `x`, expected a digit"),
            (#"{"plan":.5}"#, "1:9: found `.5`, expected a value"),
            (#"{"plan":+1}"#, "1:9: found `+1`, expected a value"),
            (#"{"plan":tru}"#, "1:9: found `tru`, expected a value"),
            (#"{"plan":truex}"#, "1:13: found `x`, expected `,` or `}`"),
            (#"{"plan":Null}"#, "1:9: found `Null`, expected a value"),
            (#"{plan:1}"#, "1:2: found `plan`, expected a key in quotes or `}`"),
            (#"{"plan":1,}"#, "1:11: found `}`, expected a key in quotes"),
            (#"{"plan" 1}"#, "1:9: found `1`, expected `:`"),
            ("{\"plan\":1\n\"name\":\"T\"}", "2:1: found `\"name\"`, expected `,` or `}`"),
            (#"{"plan":[1 2]}"#, "1:12: found `2`, expected `,` or `]`"),
            (#"{"plan":[1,]}"#, "1:12: found `]`, expected a value"),
            (#"{"plan":[1"#, "1:11: found the end of the file, expected `,` or `]`"),
            (
                "{\"name\":\"a\tb\"}",
                #"1:11: found `\u{9}`, expected an escape such as `\n`, as a text holds no control characters"#
            ),
            (#"{"name":"a\qb"}"#, #"1:11: found `\qb"`, expected an escape: one of `\" \\ \/ \b \f \n \r \t \u`"#),
            (#"{"name":"a\"#, #"1:11: found `\`, expected an escape"#),
            (#"{"name":"\u12G4"}"#, #"1:10: found `\u12G4"`, expected four hexadecimal digits"#),
            (#"{"name":"\u123"}"#, #"1:10: found `\u123"`, expected four hexadecimal digits"#),
            (#"{"name":"\ud83d"}"#, #"1:10: found `\ud83d"`, expected a pair of surrogates"#),
            (#"{"name":"\ud83d\n"}"#, #"1:10: found `\ud83d\n"`, expected a pair of surrogates"#),
            (#"{"name":"\ud83d\u0041"}"#, #"1:10: found `\ud83d\u0041"`, expected a pair of surrogates"#),
            (#"{"name":"\ude00\ud83d"}"#, #"1:10: found `\ude00\ud83d"`, expected a pair of surrogates"#),
            (#"{"name":"\ud83d\ud83d"}"#, #"1:10: found `\ud83d\ud83d"`, expected a pair of surrogates"#),
            (
                #"{"a":"x","A":1,"a":2}"#, "1:16: found the key `a` again, expected each key once; the other stands at 1:2"
            ),
            (#"{} {}"#, "1:4: found `{`, expected the end of the file"),
        ])
    func wrong(text: String, message: String) {
        #expect(PlanErrorsTests.error(text) == message)
    }

    @Test(
        "a value of the wrong kind is named in words",
        arguments: [
            ("null", "`null`"), ("true", "`true`"), ("-1.5e3", "the number -1.5e3"), ("[]", "an array"), ("{}", "an object"),
        ])
    func kinds(value: String, words: String) {
        #expect(PlanErrorsTests.error(#"{"plan":1,"name":\#(value),"events":{}}"#) == "1:18: found \(words), expected a text")
    }

    @Test func `white space is blanks, tabs and line ends, and nothing else`() throws {
        _ = try Samples.plan("\u{FEFF} \t\r\n{ \"plan\"\t:\r1 ,\n\"name\" : \"T\" , \"events\" : { } } \n")
        #expect(PlanErrorsTests.error("{\u{A0}}") == "1:2: found `\u{A0}`, expected a key in quotes or `}`")
    }

    @Test func `brackets may be thirty-two deep`() {
        func nested(_ depth: Int) -> String? {
            PlanErrorsTests.error("{\"plan\":" + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}")
        }
        #expect(nested(32)?.contains("levels of brackets") == false)
        #expect(nested(33) == "1:40: found `[`, expected at most 32 levels of brackets")
    }
}
