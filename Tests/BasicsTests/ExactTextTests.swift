import Basics
import Testing

@Suite struct ExactTextTests {
    /// "é" as one scalar and as two.
    private static let (one, two) = ("\u{E9}", "e\u{301}")

    @Test func `texts that look the same are different if their bytes differ`() {
        #expect(Self.one == Self.two)
        #expect(!Self.one.isExactly(Self.two) && Self.one.isExactly("\u{E9}"))
        #expect(ExactText(Self.one) != ExactText(Self.two) && ExactText(Self.one) == ExactText("\u{E9}"))
        #expect(Set([Self.one, Self.two, Self.one].map { ExactText($0) }).count == 2)
        #expect([ExactText(Self.one): 1, ExactText(Self.two): 2][ExactText(Self.two)] == 2)
    }

    @Test(arguments: [("ab", "a", true), ("ab", "", true), ("a", "ab", false), ("e\u{301}", "e", true), ("a.\u{301}", "a.", true)])
    func `a beginning is compared byte by byte`(text: String, prefix: String, begins: Bool) {
        #expect(text.begins(exactly: prefix) == begins)
    }

    @Test(arguments: [("a", ["a"]), ("a.b", ["a", "b"]), (".a..", ["", "a", "", ""]), ("", [""]), ("a.\u{301}b", ["a", "\u{301}b"])])
    func `every dot separates, also one with a combining mark after it`(text: String, parts: [String]) {
        #expect(text.partsBetweenDots == parts)
    }
}
