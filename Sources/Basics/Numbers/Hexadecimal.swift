/// Numbers in hexadecimal, lower case.
package enum Hexadecimal {
    /// `number` with zeros in front up to `digits` digits; never fewer digits than the number needs.
    package static func text(_ number: UInt64, digits: Int = 16) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// The number that `text` spells with exactly `digits` lower-case digits; `nil` for anything else.
    package static func number(_ text: some StringProtocol, digits: Int) -> UInt64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 || $0 >= 0x61 && $0 <= 0x66 }) else { return nil }
        return UInt64(text, radix: 16)
    }
}
