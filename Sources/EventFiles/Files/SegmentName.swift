/// The name of a segment: `<stem>-<writer>-<n>.ndjson.gz`, for a log `.log.gz`, and of what belongs to it while it is made.
///
/// `<writer>` is 8 hexadecimal digits, random for each writer, so that no name is ever used twice; `<n>` is 10 digits and rises.
package struct SegmentName: Sendable, Hashable {
    /// The largest `<n>`: ten digits.
    package static let largestNumber: Int64 = 9_999_999_999

    package var stem: String
    package var writer: UInt32
    package var number: Int64
    package var contents: SegmentContents

    package init(stem: String, writer: UInt32, number: Int64, contents: SegmentContents = .events) {
        self.stem = stem
        self.writer = writer
        self.number = number
        self.contents = contents
    }

    /// The finished file.
    package var sealed: String { "\(stem)-\(padded(String(writer, radix: 16), to: 8))-\(padded(String(number), to: 10))\(contents.suffix)" }
    /// The file while it is written.
    package var open: String { sealed + ".open" }
    /// The file while it is made, before it has its name. The dot keeps readers from it.
    package var temporary: String { ".\(sealed).tmp" }

    /// What of a segment a file name stands for.
    package enum State: Sendable, Equatable {
        case sealed, open, temporary
    }

    /// Takes a file name apart; `nil` for a name outside the grammar.
    package static func parse(_ fileName: String) -> (name: SegmentName, state: State)? {
        var body = Substring(fileName)
        var state = State.sealed
        if body.hasPrefix("."), body.hasSuffix(".tmp") {
            body = body.dropFirst().dropLast(4)
            state = .temporary
        } else if body.hasSuffix(".open") {
            body = body.dropLast(5)
            state = .open
        }
        guard let contents = SegmentContents.allCases.first(where: { body.hasSuffix($0.suffix) }) else { return nil }
        let bytes = Array(body.dropLast(contents.suffix.utf8.count).utf8)
        // The shortest has one letter of stem, two dashes, and the digits.
        guard bytes.count >= 21, bytes[bytes.count - 11] == UInt8(ascii: "-"), bytes[bytes.count - 20] == UInt8(ascii: "-") else {
            return nil
        }
        let digits = bytes.suffix(10)
        let writerDigits = bytes[(bytes.count - 19)..<(bytes.count - 11)]
        guard digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            writerDigits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 }),
            let number = Int64(String(decoding: digits, as: UTF8.self)),
            let writer = UInt32(String(decoding: writerDigits, as: UTF8.self), radix: 16)
        else { return nil }
        let stem = String(decoding: bytes.prefix(bytes.count - 20), as: UTF8.self)
        guard isStem(stem) else { return nil }
        return (SegmentName(stem: stem, writer: writer, number: number, contents: contents), state)
    }

    /// Whether a text can stand before the writer's digits: 1 to 64 letters, digits, `_`, `-` and `.` of ASCII, none of the
    /// last two first, so that a name is never hidden nor read as a flag.
    package static func isStem(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 64 else { return false }
        if first == UInt8(ascii: ".") || first == UInt8(ascii: "-") { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
    }
}

private func padded(_ digits: String, to width: Int) -> String {
    String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
