import CZlib
import Testing
import TrackingEvents

@testable import EventFiles

/// Our CRC beside zlib's.
@Suite struct FoldedCRC32Tests {
    private static let bytes: [UInt8] = {
        var random = SeededRandom(seed: 77)
        return (0..<300_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }()

    private func byZlib(_ crc: UInt32, _ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: crc32_z(UInt(crc), $0.baseAddress, $0.count)) }
    }

    private func ours(_ crc: UInt32, _ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.withUnsafeBytes { FoldedCRC32.updated(crc, with: $0) } }

    @Test(
        "any length from any place, behind any CRC, gives what zlib gives",
        arguments: [0, 1, 15, 4_800, 16_383, 16_384, 16_385, 16_399, 16_400, 21_184, 21_185, 37_568, 65_280, 65_536, 100_003, 299_000])
    func lengths(count: Int) {
        for start in [0, 1, 3, 8, 15, 16, 999] {
            let part = Self.bytes[start..<(start + count)]
            for crc: UInt32 in [0, 1, 0xDEAD_BEEF, .max] { #expect(ours(crc, part) == byZlib(crc, part)) }
        }
    }

    @Test func `nothing changes nothing`() {
        #expect(FoldedCRC32.updated(7, with: UnsafeRawBufferPointer(start: nil, count: 0)) == 7)
    }

    @Test func `pieces of any length give the whole`() {
        var random = SeededRandom(seed: 5)
        let whole = byZlib(0, Self.bytes[...])
        for _ in 0..<20 {
            var crc: UInt32 = 0
            var place = 0
            while place < Self.bytes.count {
                let end = min(Self.bytes.count, place + Int(random.next() % 60_000))
                crc = ours(crc, Self.bytes[place..<end])
                place = end
            }
            #expect(crc == whole)
        }
    }

    @Test func `one bit changed anywhere changes it`() {
        var bytes = Array(Self.bytes.prefix(40_000))
        let whole = ours(0, bytes[...])
        for bit in stride(from: 0, to: bytes.count * 8, by: 397) {
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(ours(0, bytes[...]) != whole, "bit \(bit)")
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        }
    }

    @Test func `bytes of one value are no special case`() {
        for value: UInt8 in [0, 1, 0xFF] {
            let bytes = [UInt8](repeating: value, count: 50_001)
            #expect(ours(0, bytes[...]) == byZlib(0, bytes[...]))
        }
    }
}
