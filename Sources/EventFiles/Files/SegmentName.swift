import Basics

/// The name of a segment, `<stem>-<writer>-<n>.ndjson.gz` or `.log.gz`, and the names of the files that belong to it.
///
/// `<writer>` is 16 hexadecimal digits, 64 random bits of each writer's own, so that no name is ever used twice, on any device. Names with
/// 8 digits, from earlier versions, are read and kept. `<n>` is 10 digits and rises.
package struct SegmentName: Sendable, Hashable {
    package static let maxNumber: Int64 = 9_999_999_999

    package let stem: String
    /// The digits as they stand in the name.
    package let writer: String
    package let number: Int64
    package let contents: SegmentContents

    package var sealed: String { "\(stem)-\(writer)-\(String("0000000000\(number)".suffix(10)))\(contents.suffix)" }
    package var open: String { sealed + ".open" }
    /// The file's name while it is being made. The dot keeps readers away from it.
    package var temporary: String { ".\(sealed).tmp" }
    package var writerName: String { "\(stem)-\(writer)" }
    /// The file with the writer's lines that are in no segment yet (``Ring``): one for all segments of a writer.
    package var ring: String { ".\(stem)-\(writer).ring" }
    /// The summary: the segment's events in columns. Whoever moves or removes the segment does the same to it. No reader lists it.
    package var summary: String { sealed + Self.summaryEnding }
    package static let summaryEnding = ".parquet"

    package enum State: Sendable, Equatable {
        case sealed, open, summary
        /// A segment or a summary that is being made.
        case temporary
        /// The ring of a writer, which belongs to no segment: its number is 0.
        case ring
    }

    /// Takes a file name apart; `nil` for a name outside the grammar.
    package static func parse(_ fileName: String) -> (name: SegmentName, state: State)? {
        var rest = Array(fileName.utf8)[...]
        let isHidden = fileName.isHiddenName
        if isHidden { rest.removeFirst() }
        if isHidden, rest.take(suffix: ".ring") {
            guard let (stem, writer) = takeWriter(rest) else { return nil }
            return (SegmentName(stem: stem, writer: writer, number: 0, contents: .events), .ring)
        }
        var state = State.sealed
        if isHidden {
            // Besides a ring, only a temporary file has a name with a dot first.
            guard rest.take(suffix: ".tmp") else { return nil }
            state = .temporary
        } else if rest.take(suffix: ".open") {
            state = .open
        }
        if state != .open, rest.take(suffix: summaryEnding), state == .sealed { state = .summary }
        guard let contents = SegmentContents.allCases.first(where: { rest.take(suffix: $0.suffix) }) else { return nil }
        let digits = rest.suffix(10)
        guard digits.count == 10, digits.allSatisfy(isDigit), let number = Int64(String(decoding: digits, as: UTF8.self))
        else { return nil }
        rest.removeLast(10)
        guard rest.take(suffix: "-"), let (stem, writer) = takeWriter(rest) else { return nil }
        return (SegmentName(stem: stem, writer: writer, number: number, contents: contents), state)
    }

    static func parsed(_ fileNames: [String]) -> [(fileName: String, name: SegmentName, state: State)] {
        fileNames.compactMap { fileName in parse(fileName).map { (fileName, $0.name, $0.state) } }
    }

    private static func takeWriter(_ rest: ArraySlice<UInt8>) -> (stem: String, writer: String)? {
        guard let dash = rest.lastIndex(of: UInt8(ascii: "-")) else { return nil }
        let (stem, writer) = (rest[..<dash], rest[(dash + 1)...])
        guard writer.count == 8 || writer.count == 16, isStem(stem),
            writer.allSatisfy({ isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) })
        else { return nil }
        return (String(decoding: stem, as: UTF8.self), String(decoding: writer, as: UTF8.self))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// Whether a text can stand before the writer's digits: 1 to 64 letters, digits, `_`, `-` and `.` of ASCII. The first is neither `-`
    /// nor `.`, so that a name is never hidden nor read as a flag.
    package static func isStem(_ text: String) -> Bool { isStem(Array(text.utf8)[...]) }

    private static func isStem(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, text.count <= 64, !".-".utf8.contains(first) else { return false }
        return text.allSatisfy { byte in
            isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "_-.".utf8.contains(byte)
        }
    }
}

extension SegmentName {
    package init(stem: String, writer: UInt64, number: Int64, contents: SegmentContents = .events) {
        self.init(stem: stem, writer: Hexadecimal.text(writer), number: number, contents: contents)
    }
}
