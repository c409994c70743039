import Testing

@testable import TrackingEvents

@Suite struct JSONBytesTests {
    private func word(_ text: String) -> UInt64 {
        Array(text.utf8).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }

    @Test(
        "digits at the beginning of eight bytes make their number",
        arguments: [
            ("12345678", 12_345_678, 8), ("00000000", 0, 8), ("99999999", 99_999_999, 8), ("1,\"name\"", 1, 1), ("40960,\"x", 40_960, 5),
            ("0}      ", 0, 1), ("007:9999", 7, 3), ("1234567/", 1_234_567, 7), ("1234567:", 1_234_567, 7),
        ] as [(String, UInt64, Int)])
    func digits(text: String, value: UInt64, count: Int) {
        let found = JSONBytes.leadingDigits(of: word(text))
        #expect(found.value == value && found.digits == count)
    }

    @Test func `only the ten digits are digits`() {
        for byte in UInt8.min...UInt8.max {
            var bytes = Array("12x45678".utf8)
            bytes[2] = byte
            let found = JSONBytes.leadingDigits(of: bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            #expect(found.digits == (isDigit ? 8 : 2), "byte \(byte)")
            if !isDigit { #expect(found.value == 12) }
            bytes[0] = byte
            #expect(isDigit || JSONBytes.leadingDigits(of: bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }) == (0, 0))
        }
    }

    @Test func `powers of ten up to seven`() {
        var power: UInt64 = 1
        for exponent in 0...7 {
            #expect(JSONBytes.powerOfTen(exponent) == power)
            power *= 10
        }
    }

    @Test("plain text ends where a search byte by byte finds its end", arguments: 0..<40 as Range<UInt64>)
    func plainText(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bytes: [[UInt8]] = [
            Array(0...255), Array(0x1F...0x24) + [0x5B, 0x5C, 0x5D], [0x20, 0x21, 0x22, 0x23], [0x20, 0x21, 0x41],
            [0x7F, 0x80, 0xA2, 0xDC],
        ]
        let some = bytes[Int(seed % 5)]
        let text = (0..<200).map { _ in some.randomElement(using: &random) ?? 0 }
        text.withUnsafeBytes { text in
            for start in 0...text.count {
                let expected = text[start...].firstIndex { $0 == 0x22 || $0 == 0x5C || $0 < 0x20 } ?? text.count
                #expect(JSONBytes.endOfPlainText(in: text, from: start) == expected)
            }
        }
    }
}
