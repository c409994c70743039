/// Reads the compiled form of a time zone: TZif, RFC 9636.
///
/// A header with six counts, then the changes' times, which type follows each, the types (offset, summer or not, name), names,
/// leap seconds, two rows of marks. From version 2 on all that comes twice, the second time with 64-bit times, and a text for the
/// years after. Leap seconds are passed over: the times of events have none.
struct TimeZoneFileReader {
    struct Table: Sendable, Hashable {
        /// Seconds since 1970 at which the offset changes, rising.
        var changes: [Int64] = []
        /// Seconds east of UTC: before the first change, then after each.
        var offsets: [Int64] = [0]
        /// What holds after the last change, where the file says so.
        var later: YearlyTimeRules?
    }

    /// The bytes of all parts. Their counts are in the header's order: marks of both kinds, leap seconds, changes, types, bytes of names.
    private static func size(_ counts: [Int], timeBytes: Int) -> Int {
        zip(counts, [1, 1, timeBytes + 4, timeBytes + 1, 6, 1]).reduce(0) { $0 + $1.0 * $1.1 }
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func table() throws(TimeZoneFileError) -> Table {
        let (version, counts) = try header()
        guard version >= UInt8(ascii: "2") else { return try block(counts, timeBytes: 4) }
        try skip(Self.size(counts, timeBytes: 4))
        let (_, wide) = try header()
        var table = try block(wide, timeBytes: 8)
        guard position < bytes.count, bytes[position] == 0x0A, let end = bytes[(position + 1)...].firstIndex(of: 0x0A) else {
            throw failure("the rules of later years are missing")
        }
        let text = bytes[(position + 1)..<end]
        if !text.isEmpty {
            guard let rules = YearlyTimeRules(text) else { throw failure("the rules of later years cannot be read") }
            table.later = rules
        }
        return table
    }

    private mutating func header() throws(TimeZoneFileError) -> (version: UInt8, counts: [Int]) {
        guard bytes.count - position >= 44, bytes[position..<position + 4].elementsEqual("TZif".utf8) else {
            throw failure("no time zone begins here")
        }
        let version = bytes[position + 4]
        position += 20
        var counts: [Int] = []
        for _ in 0..<6 { counts.append(Int(try number(4))) }
        guard counts.allSatisfy({ (0...1 << 20).contains($0) }), counts[4] > 0 else { throw failure("impossible counts") }
        return (version, counts)
    }

    private mutating func block(_ counts: [Int], timeBytes: Int) throws(TimeZoneFileError) -> Table {
        let end = position + Self.size(counts, timeBytes: timeBytes)
        let (changes, types) = (counts[3], counts[4])
        guard end <= bytes.count else { throw failure("the file is cut") }
        var table = Table()
        for _ in 0..<changes { table.changes.append(try number(timeBytes)) }
        guard zip(table.changes, table.changes.dropFirst()).allSatisfy({ $0 < $1 }) else { throw failure("the changes are not in order") }
        let typeOfChange = bytes[position..<position + changes].map { Int($0) }
        position += changes
        var offsets: [Int64] = []
        for _ in 0..<types {
            let offset = try number(4)
            guard (-90_000...93_600).contains(offset) else { throw failure("an offset of \(offset) s") }
            offsets.append(offset)
            try skip(2)
        }
        guard typeOfChange.allSatisfy(offsets.indices.contains) else { throw failure("type index out of range") }
        table.offsets = [offsets[0]] + typeOfChange.map { offsets[$0] }
        position = end
        return table
    }

    /// A big-endian number with a sign.
    private mutating func number(_ count: Int) throws(TimeZoneFileError) -> Int64 {
        try skip(count)
        let bits = bytes[position - count..<position].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return count == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
    }

    private mutating func skip(_ count: Int) throws(TimeZoneFileError) {
        guard position + count <= bytes.count else { throw failure("the file is cut") }
        position += count
    }

    private func failure(_ description: String) -> TimeZoneFileError { TimeZoneFileError(byteOffset: position, description: description) }
}
