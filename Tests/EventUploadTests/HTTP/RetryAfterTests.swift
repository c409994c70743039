import Testing

@testable import EventUpload

/// RFC 9110 §10.2.3 and §5.6.7.
@Suite struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT, the example of the RFC, in milliseconds since 1970.
    private static let example: Int64 = 784_111_777_000

    @Test(arguments: [("0", 0), ("120", 120), (" 7 ", 7), ("86400", 86_400)])
    func `a number is a wait of that many seconds`(text: String, seconds: Int) {
        #expect(RetryAfter.parse(text, now: 0) == .seconds(seconds))
    }

    @Test(arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
    func `a date in each of the three forms is a wait from now`(text: String) {
        #expect(RetryAfter.parse(text, now: Self.example - 90_000) == .seconds(90))
        #expect(RetryAfter.parse(text, now: Self.example + 1) == .zero, "a moment that is past")
    }

    @Test func `more digits than a number holds are a long wait`() {
        #expect(RetryAfter.parse("99999999999999999999999", now: 0)! > .seconds(86_400 * 365))
    }

    @Test(arguments: ["", "soon", "-5", "1.5", "12 minutes", "٣"])
    func `any other text is no wait`(text: String) {
        #expect(RetryAfter.parse(text, now: 0) == nil)
    }
}
