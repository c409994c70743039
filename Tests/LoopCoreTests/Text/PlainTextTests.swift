import Basics
import LoopCore
import Testing

@Suite struct PlainTextTests {
    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("a\nb", "a\\nb"), ("a\r\nb", "a\\r\\nb"), ("\t", "\\t"), ("\0", "\\u{0}"), ("\u{7F}", "\\u{7F}"),
        ("\u{1B}[31mred", "\\u{1B}[31mred"), ("\u{9B}2J", "\\u{9B}2J"), ("line\u{2028}line", "line\\u{2028}line"),
        ("\u{202E}reversed", "\\u{202E}reversed"), ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"), ("%s %d %@", "%s %d %@"),
        ("back\\slash", "back\\slash"), ("grüße 日本 👩‍👩‍👧", "grüße 日本 👩‍👩‍👧"),
    ])
    func `shows what would move the cursor or turn the text and leaves all else`(text: String, shown: String) {
        #expect(PlainText.of(text) == shown)
    }

    @Test func `no control character is left`() {
        for value in (0..<0x20).map({ UInt32($0) }) + (0x7F..<0xA0).map({ UInt32($0) }) {
            let text = String(Character(Unicode.Scalar(value)!))
            #expect(PlainText.of(text).unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        }
    }

    @Test(arguments: [(0, "…"), (-3, "…"), (1, "a…"), (2, "ab…"), (3, "abc"), (4, "abc")])
    func `cuts at the limit and says so`(limit: Int, shown: String) {
        #expect(PlainText.of("abc", limit: limit) == shown)
    }

    @Test func `an empty text is not cut by a limit of nothing`() { #expect(PlainText.of("", limit: 0) == "") }

    @Test func `the limit counts what was written and not its escapes`() {
        #expect(PlainText.of("\n\n\n\n", limit: 3) == "\\n\\n\\n…")
    }

    @Test func `what is written in pieces is cut once`() {
        var plain = PlainText(limit: 4)
        for piece in ["ab", "cd", "ef", "gh"] { plain.write(piece) }
        #expect(plain.text == "abcd…")
    }

    @Test func `cuts a large value`() {
        var plain = PlainText(limit: 10)
        print(Array(repeating: 7, count: 100_000), terminator: "", to: &plain)
        #expect(plain.text == "[7, 7, 7, …")
    }
}

@Suite struct NanosecondTextTests {
    @Test(
        arguments: [
            (0, "0 ns"), (1, "1 ns"), (999, "999 ns"), (1_000, "1.00 µs"), (1_004, "1.00 µs"), (1_005, "1.01 µs"), (1_050, "1.05 µs"),
            (9_994, "9.99 µs"), (9_995, "10.0 µs"), (12_340, "12.3 µs"), (99_949, "99.9 µs"), (99_950, "100 µs"), (123_456, "123 µs"),
            (999_499, "999 µs"), (999_500, "1.00 ms"), (1_500_000, "1.50 ms"), (16_600_000, "16.6 ms"), (999_999_999, "1.00 s"),
            (1_000_000_000, "1.00 s"), (59_940_000_000, "59.9 s"), (100_000_000_000, "100 s"), (86_400_000_000_000, "86,400 s"),
            (.max, "18,446,744,074 s"),
        ] as [(UInt64, String)])
    func `has three digits and the unit that fits`(nanoseconds: UInt64, text: String) {
        #expect(NanosecondText.of(nanoseconds) == text)
    }
}
