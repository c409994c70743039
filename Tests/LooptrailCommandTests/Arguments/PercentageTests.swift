import Testing

@testable import looptrail

@Suite struct PercentageTests {
    @Test(arguments: [("30%", 0.3), ("2.5%", 0.025), ("0%", 0), ("100%", 1), ("100.000000%", 1), ("0.000001%", 1e-8), ("007%", 0.07)])
    func `a share is a number and a per cent sign`(_ text: String, _ fraction: Double) {
        #expect(Percentage(text)?.fraction == fraction)
    }

    @Test(arguments: [
        "", "%", "30", "0.3", "-1%", "+1%", "101%", "100.1%", "1e1%", ".5%", "5.%", "1.2.3%", "30 %", "1234%", "0.1234567%", "３%",
    ])
    func `anything else is no share`(_ text: String) {
        #expect(Percentage(text) == nil)
    }

    @Test(arguments: [
        ("30%", 3, 10, true), ("30%", 2, 10, false), ("33.333333%", 1, 3, true), ("33.333334%", 1, 3, false), ("0%", 0, 0, true),
        ("100%", 10, 10, true), ("100%", 9, 10, false), ("1%", .max, .max, true), ("50%", .max / 2, .max, false),
    ])
    func `a count is compared exactly`(_ text: String, _ part: Int, _ whole: Int, _ isReached: Bool) throws {
        #expect(try #require(Percentage(text)).isReached(by: part, of: whole) == isReached)
    }

    @Test(arguments: ["30%", "2.5%", "0.05%", "100%"])
    func `a share is shown as it was written`(_ text: String) {
        #expect(Percentage(text).map { "\($0)" } == text)
    }
}
