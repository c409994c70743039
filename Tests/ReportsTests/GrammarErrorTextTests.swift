import Testing

@testable import Funnels
@testable import Reports

@Suite("Grammar errors for people")
struct GrammarErrorTextTests {
    @Test(
        "the caret stands under the place",
        arguments: [
            ("a >", "  a >\n     ^"), ("購入 > ]", "  購入 > ]\n         ^"), ("\u{1B}", "  \\u{1B}\n  ^"),
            ("a > \u{7}b", "  a > \\u{7}b\n      ^"),
        ])
    func pointing(text: String, expected: String) throws {
        do {
            _ = try FunnelStep.parse(text)
            Issue.record("parsed")
        } catch {
            #expect(error.pointing().hasSuffix(expected), "\(error.pointing())")
            #expect(error.pointing().hasPrefix("steps, column "))
        }
    }
}
