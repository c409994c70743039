import Testing

@testable import Reports

/// Compiled zones made byte by byte (RFC 9636): forms and faults that the machine's own database does not have.
@Suite("Files of time zones")
struct TimeZoneFileReaderTests {
    /// One block of a file: its counts and its data.
    private struct Block {
        var changes: [(seconds: Int64, type: UInt8)] = []
        var offsets: [Int64] = [3600]
        var leapSeconds = 0
        var marks = 0

        func bytes(version: Character, timeBytes: Int) -> [UInt8] {
            var bytes = Array("TZif".utf8) + [version == "1" ? 0 : version.asciiValue!] + [UInt8](repeating: 0, count: 15)
            // The order of RFC 9636 §3.1; the names are "A" and "BC", each with a zero at its end.
            for count in [marks, marks, leapSeconds, changes.count, offsets.count, 5] { bytes += number(Int64(count), 4) }
            for change in changes { bytes += number(change.seconds, timeBytes) }
            bytes += changes.map(\.type)
            for offset in offsets { bytes += number(offset, 4) + [0, 2] }
            bytes += Array("A\0BC\0".utf8)
            for place in 0..<leapSeconds { bytes += number(Int64(place) * 1000, timeBytes) + number(1, 4) }
            return bytes + [UInt8](repeating: 1, count: marks * 2)
        }

        private func number(_ value: Int64, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> Int64($0 * 8)) }
        }
    }

    private static func second(_ block: Block, footer: String = "\n\n", first: Block = Block()) -> [UInt8] {
        first.bytes(version: "2", timeBytes: 4) + block.bytes(version: "2", timeBytes: 8) + Array(footer.utf8)
    }

    private func zone(_ bytes: [UInt8]) throws -> TimeZoneRules { try TimeZoneRules(name: "Somewhere", file: bytes) }

    /// Offsets in seconds at times in seconds.
    private func offsets(_ zone: TimeZoneRules, _ times: [Int64]) -> [Int64] { times.map { zone.offset(at: $0 * 1000) / 1000 } }

    private static let twoChanges = Block(changes: [(-100, 1), (200, 0)], offsets: [3600, -7200])

    @Test func `a change holds from its own second on`() throws {
        for bytes in [Self.twoChanges.bytes(version: "1", timeBytes: 4), Self.second(Self.twoChanges)] {
            let zone = try zone(bytes)
            #expect(offsets(zone, [-10_000, -101, -100, 0, 199, 200, 10_000]) == [3600, 3600, -7200, -7200, -7200, 3600, 3600])
            // A part of a second belongs to its second, before 1970, too.
            #expect(zone.offset(at: -100_001) == 3_600_000 && zone.offset(at: 199_999) == -7_200_000)
        }
    }

    @Test func `of the two blocks of a later version the second one counts`() throws {
        let other = Block(changes: [(7, 0)], offsets: [18_000], leapSeconds: 2, marks: 1)
        #expect(try offsets(zone(Self.second(Self.twoChanges, first: other)), [0, 7, 200]) == [-7200, -7200, 3600])
    }

    @Test func `times beyond 32 bits are read, and leap seconds and marks are passed over`() throws {
        var block = Self.twoChanges
        block.changes = [(-5_000_000_000, 1), (5_000_000_000, 0)]
        block.leapSeconds = 3
        block.marks = 2
        let zone = try zone(Self.second(block))
        #expect(offsets(zone, [-5_000_000_001, -5_000_000_000, 4_999_999_999, 5_000_000_000]) == [3600, -7200, -7200, 3600])
    }

    @Test func `the rules of later years hold from the last change on`() throws {
        let zone = try zone(Self.second(Self.twoChanges, footer: "\nXYZ-5\n"))
        #expect(offsets(zone, [-101, 199, 200, 1_000_000]) == [3600, -7200, 18_000, 18_000])
        // Without a change the rules hold always; without rules the last offset does.
        #expect(try offsets(self.zone(Self.second(Block(), footer: "\nXYZ-5\n")), [-1, 1]) == [18_000, 18_000])
        #expect(try offsets(self.zone(Self.second(Block())), [.min / 1000, 1 << 40]) == [3600, 3600])
    }

    @Test func `an offset reaches from 25 hours west to 26 hours east`() throws {
        for offset in [-90_000, 93_600] as [Int64] { #expect(try offsets(zone(Self.second(Block(offsets: [offset]))), [0]) == [offset]) }
    }

    /// The length of a sound first block, behind which the second one begins.
    private static let headed = Block().bytes(version: "2", timeBytes: 4).count

    @Test(
        "what is no zone is refused with the place and the fault",
        arguments: [
            ([], 0, "no time zone begins here"),
            (Array("TZjf".utf8) + [UInt8](repeating: 0, count: 60), 0, "no time zone begins here"),
            (Array(Block().bytes(version: "1", timeBytes: 4).prefix(43)), 0, "no time zone begins here"),
            (Block(offsets: []).bytes(version: "1", timeBytes: 4), 44, "impossible counts"),
            (Block(changes: [(5, 0), (5, 0)]).bytes(version: "1", timeBytes: 4), 52, "the changes are not in order"),
            (Block(changes: [(5, 0), (4, 0)]).bytes(version: "1", timeBytes: 4), 52, "the changes are not in order"),
            (Block(offsets: [93_601]).bytes(version: "1", timeBytes: 4), 48, "an offset of 93601 s"),
            (Block(offsets: [0, -90_001]).bytes(version: "1", timeBytes: 4), 54, "an offset of -90001 s"),
            (Block(changes: [(5, 1)]).bytes(version: "1", timeBytes: 4), 55, "type index out of range"),
            (Block().bytes(version: "1", timeBytes: 4).dropLast(), 44, "the file is cut"),
            (Block().bytes(version: "2", timeBytes: 4).dropLast(), 44, "the file is cut"),
            (Block().bytes(version: "2", timeBytes: 4), headed, "no time zone begins here"),
            (second(Block(), footer: ""), headed * 2, "the rules of later years are missing"),
            (second(Block(), footer: "CET-1\n"), headed * 2, "the rules of later years are missing"),
            (second(Block(), footer: "\nCET-1"), headed * 2, "the rules of later years are missing"),
            (second(Block(), footer: "\nCET\n"), headed * 2, "the rules of later years cannot be read"),
        ] as [([UInt8], Int, String)])
    func faults(bytes: [UInt8], offset: Int, words: String) {
        let error = #expect(throws: TimeZoneFileError.self) { try zone(bytes) }
        #expect(error?.byteOffset == offset && error?.description == words, "\(String(describing: error))")
    }

    @Test func `counts beyond a million are refused before anything is read`() {
        var bytes = Block().bytes(version: "1", timeBytes: 4)
        for place in stride(from: 20, to: 44, by: 4) {
            let before = Array(bytes[place..<place + 4])
            bytes.replaceSubrange(place..<place + 4, with: [0, 0x10, 0, 1])
            #expect(throws: TimeZoneFileError(byteOffset: 44, description: "impossible counts")) { try zone(bytes) }
            bytes.replaceSubrange(place..<place + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
            #expect(throws: TimeZoneFileError(byteOffset: 44, description: "impossible counts")) { try zone(bytes) }
            bytes.replaceSubrange(place..<place + 4, with: before)
        }
    }
}
