import CZlib
import Testing
import TrackingEvents

@testable import EventFiles

/// Headers and trailers of gzip members, in pieces of any size.
@Suite struct GzipHeaderReaderTests {
    private static let text = Array(repeating: Array("some text, some more; ".utf8), count: 40).flatMap { $0 }

    /// A member with these parts in its header.
    private static func member(
        flags: UInt8 = 0, extra: [UInt8]? = nil, name: String? = nil, comment: String? = nil, hasChecksum: Bool = false
    ) -> [UInt8] {
        let plain = Deflated.gzip(text)
        var flags = flags
        if extra != nil { flags |= 4 }
        if name != nil { flags |= 8 }
        if comment != nil { flags |= 16 }
        if hasChecksum { flags |= 2 }
        var header: [UInt8] = [0x1F, 0x8B, 8, flags, 1, 2, 3, 4, 0, 255]
        if let extra { header += [UInt8(extra.count & 255), UInt8(extra.count >> 8)] + extra }
        if let name { header += Array(name.utf8) + [0] }
        if let comment { header += Array(comment.utf8) + [0] }
        if hasChecksum {
            let crc = header.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
            header += [UInt8(crc & 255), UInt8(crc >> 8 & 255)]
        }
        return header + plain.dropFirst(10)
    }

    private func inflate(_ bytes: [UInt8], step: Int) -> (outcome: GzipInflater.Outcome, bytes: [UInt8], consumed: Int) {
        let inflater = GzipInflater()
        var result: [UInt8] = []
        var consumed = 0
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)
        defer { room.deallocate() }
        while true {
            let piece = bytes[consumed..<min(consumed + step, bytes.count)]
            let turn = piece.withUnsafeBytes { inflater.inflate($0, to: room) }
            result += room.prefix(turn.produced)
            consumed += turn.consumed
            if turn.outcome != .more || (turn.consumed == 0 && turn.produced == 0) { return (turn.outcome, result, consumed) }
        }
    }

    @Test("headers of every kind are read, and the member's end is found to the byte", arguments: [1, 2, 7, 10_000])
    func headers(step: Int) {
        let members = [
            Self.member(), Self.member(name: "file.ndjson"), Self.member(name: "", comment: "a comment"), Self.member(extra: []),
            Self.member(extra: [1, 2, 3, 0]),
            Self.member(extra: Array(repeating: 7, count: 300), name: "n", comment: "c", hasChecksum: true),
            Self.member(hasChecksum: true), Self.member(flags: 1),
        ]
        for member in members {
            let result = inflate(member + [9, 9, 9], step: step)
            #expect(result.outcome == .memberEnd && result.bytes == Self.text && result.consumed == member.count)
        }
    }

    @Test("a wrong header, CRC or size is damage", arguments: [1, 10_000])
    func damage(step: Int) {
        let sound = Self.member(name: "n", hasChecksum: true)
        let places: [(Int, UInt8)] =
            [(0, 1), (1, 1), (2, 1), (3, 0x20), (3, 0x80), (4, 1), (11, 1), (12, 1), (13, 1)]
            + (1...8).map { (sound.count - $0, 4) }
        for (place, bit) in places {
            var member = sound
            member[place] ^= bit
            #expect(inflate(member, step: step).outcome == .damaged, "byte \(place)")
        }
    }

    @Test("cut anywhere it wants more", arguments: [1, 10_000])
    func cut(step: Int) {
        let member = Self.member(extra: [1, 2], name: "n")
        for length in 0..<member.count {
            let result = inflate(Array(member.prefix(length)), step: step)
            #expect(result.outcome == .more && result.consumed == length && Self.text.starts(with: result.bytes))
        }
    }
}
