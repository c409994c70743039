import Basics
import Testing

@testable import TrackingEvents

@Suite struct LineTextTests {
    /// Reads a JSON text with these bytes between its quotes.
    private func decoded(_ literal: [UInt8]) throws -> (text: String, bytes: [UInt8], hasEscapes: Bool) {
        try ([UInt8(ascii: "\"")] + literal + [UInt8(ascii: "\"")]).withUnsafeBytes { line in
            var cursor = JSONCursor(line)
            let text = try cursor.text()
            #expect(cursor.offset == line.count)
            #expect(text.range == 1..<line.count - 1)
            let scratch = ByteBuffer(capacity: 1)
            return (text.string(in: line), Array(text.unescaped(in: line, scratch: scratch)), text.hasEscapes)
        }
    }

    @Test(arguments: [
        ("", ""), ("plain", "plain"), (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"), (#"\b\f\n\r\t"#, "\u{8}\u{C}\n\r\t"),
        (#"\u0000"#, "\0"),
        (#"\u00e9\u00E9"#, "éé"), (#"\uFFFF"#, "\u{FFFF}"), (#"\ud7ff\ue000"#, "\u{D7FF}\u{E000}"), (#"\ud800\udc00"#, "\u{10000}"),
        (#"\uDBFF\uDFFF"#, "\u{10FFFF}"), (#"\ud83d\ude00"#, "😀"), ("😀", "😀"), (#"\ud83d"#, "\u{FFFD}"), (#"\ude00"#, "\u{FFFD}"),
        (#"\ud83dx"#, "\u{FFFD}x"), (#"\ud83d\n"#, "\u{FFFD}\n"), (#"\ude00\ud83d"#, "\u{FFFD}\u{FFFD}"),
        (#"\ud83d\u0041"#, "\u{FFFD}A"), (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"), (#"\\u0041"#, #"\u0041"#), (#"\\\u0041"#, #"\A"#),
        (#"\\\""#, #"\""#), (#"a\u002fb"#, "a/b"), ("\u{7F}\u{80}\u{2028}", "\u{7F}\u{80}\u{2028}"),
    ])
    func `escapes are undone`(literal: String, expected: String) throws {
        let read = try decoded(Array(literal.utf8))
        #expect(read.text.unicodeScalars.elementsEqual(expected.unicodeScalars))
        #expect(read.bytes == Array(expected.utf8))
        #expect(read.hasEscapes == literal.contains("\\"))
    }

    @Test func `every UTF-16 unit reads back, and half of a surrogate pair as the replacement character`() throws {
        for unit in stride(from: UInt32(0), through: 0xFFFF, by: 7) {
            let hex = String(unit, radix: 16)
            let literal = "\\u" + String(repeating: "0", count: 4 - hex.count) + (unit % 2 == 0 ? hex : hex.uppercased())
            let expected = Unicode.Scalar(unit) ?? "\u{FFFD}"
            #expect(try decoded(Array(literal.utf8)).text.unicodeScalars.elementsEqual([expected]))
        }
    }

    @Test(arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98], [0xC0, 0x80]] as [[UInt8]])
    func `broken UTF-8 reads as the replacement character, with escapes or without`(bytes: [UInt8]) throws {
        for literal in [bytes, bytes + Array(#"\n"#.utf8)] {
            let text = try decoded(literal).text
            #expect(text.unicodeScalars.contains("\u{FFFD}"))
            #expect(text.hasSuffix("\n") == (literal.count > bytes.count))
        }
    }

    @Test(arguments: [
        (#""\x""#, BadLine.Expected.escape, 1), (#""\u12""#, .escape, 1), (#""ab\u12g4""#, .escape, 3), (#""\U0041""#, .escape, 1),
        (#""\'""#, .escape, 1), (#""\"#, .escape, 1), (#""abc"#, .closingQuote, 4), ("\"", .closingQuote, 1),
        (#""abc\""#, .closingQuote, 6),
        (#""\u00"#, .escape, 1), ("\"a\u{1F}\"", .escapedControl, 2), ("\"0123456789abcdef\t\"", .escapedControl, 17),
        ("\"\0\"", .escapedControl, 1),
        ("\"\n\"", .escapedControl, 1), (#""\u+041""#, .escape, 1), (#""\u 041""#, .escape, 1),
    ])
    func `a malformed text is reported with its offset`(text: String, expected: BadLine.Expected, place: Int) {
        #expect(problem(Array(text.utf8)) == BadLine(.malformed(expected), at: place))
    }

    @Test func `a control byte, a quote and a backslash are found at any distance`() {
        for distance in 0..<70 {
            // 0x9F, 0xA2 and 0xDC are a control byte, a quote and a backslash with the highest bit set. They must not stop the search.
            let filler = (0..<distance).map { [UInt8(0x9F), 0xDC, 0x20, 0x21, 0x5D, 0xA2, 0x80][$0 % 7] }
            let quote = UInt8(ascii: "\"")
            for control in [UInt8(0), 0x0A, 0x1F] {
                #expect(problem([quote] + filler + [control, quote]) == BadLine(.malformed(.escapedControl), at: distance + 1))
            }
            // An escaped quote: then the closing one is missing.
            #expect(problem([quote] + filler + [0x5C, quote]) == BadLine(.malformed(.closingQuote), at: distance + 3))
            #expect(problem([quote] + filler + [quote, 0]) == nil)
        }
    }

    private func problem(_ bytes: [UInt8]) -> BadLine? {
        bytes.withUnsafeBytes { bytes in
            var cursor = JSONCursor(bytes)
            do throws(BadLine) {
                _ = try cursor.text()
                return nil
            } catch {
                return error
            }
        }
    }
}
