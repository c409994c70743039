import Testing

@testable import Funnels

@Suite("Durations")
struct DurationTextTests {
    @Test(
        "a number and its unit",
        arguments: [
            ("1ms", 1), ("90s", 90_000), ("1m", 60_000), ("1h", 3_600_000), ("7d", 604_800_000), ("2w", 1_209_600_000), ("0s", 0),
            ("007s", 7000), ("1h30m", 5_400_000), ("1d0h5ms", 86_400_005), ("9223372036854775807ms", Int64.max),
        ])
    func reads(text: String, milliseconds: Int64) throws {
        #expect(try DurationText.milliseconds(text) == milliseconds)
    }

    @Test(
        "anything else says where it goes wrong",
        arguments: [
            ("", 1), ("h", 1), ("-1h", 1), ("10", 3), ("10 h", 3), ("1H", 2), ("1hour", 2), ("1h30", 5), ("1h30m5", 7), ("30m1h", 5),
            ("1h1h", 4), ("1.5h", 2), (" 1h", 1),
            ("9223372036854775808ms", 1), ("9223372036854775807s", 1), ("99999999999999999999999d", 1), ("٣h", 1),
        ])
    func refuses(text: String, column: Int) {
        #expect {
            try DurationText.milliseconds(text)
        } throws: { error in
            (error as? GrammarError)?.column == column && (error as? GrammarError)?.subject == "window"
        }
    }

    @Test(
        "a wrong unit is shown whole, for its first letter may be a unit",
        arguments: [("1min", "`min`"), ("1h30min", "`min`"), ("1h2h", "`h`"), ("1h ", "`h `"), ("10", "the end")])
    func showsWrongUnit(text: String, found: String) {
        #expect {
            try DurationText.milliseconds(text)
        } throws: { error in
            (error as? GrammarError)?.found == found
        }
    }

    @Test(
        "exact text in one unit reads back",
        arguments: [(0, "0s"), (1, "1ms"), (1500, "1500ms"), (60_000, "1m"), (90_000, "90s"), (3_600_000, "1h"), (604_800_000, "7d")])
    func exact(milliseconds: Int64, text: String) throws {
        #expect(DurationText.exact(milliseconds) == text)
        #expect(try DurationText.milliseconds(text) == milliseconds)
    }
}
