import Basics
import Testing

@testable import ParquetFiles

@Suite struct IntegersTests {
    private static func written(_ write: (ByteBuffer) -> Void) -> [UInt8] {
        let bytes = ByteBuffer(capacity: 16)
        write(bytes)
        return withExtendedLifetime(bytes) { Array(bytes.bytes) }
    }

    private static func read(_ bytes: [UInt8], from start: Int = 0) -> (number: UInt64?, place: Int) {
        var place = start
        let number = bytes.withUnsafeBytes { $0.varint(at: &place) }
        return (number, place)
    }

    @Test(arguments: [0, 1, 127, 128, 300, 16_383, 16_384, UInt64(UInt32.max), UInt64(Int64.max), .max - 1, .max])
    func `a number is read back from its offset, and a number that is cut anywhere is refused`(number: UInt64) {
        let bytes = [0xFF] + Self.written { $0.appendVarint(number) }
        let (read, place) = Self.read(bytes + [7], from: 1)
        #expect(read == number && place == bytes.count)
        for count in 1..<bytes.count { #expect(Self.read(Array(bytes[..<count]), from: 1).number == nil) }
    }

    @Test(arguments: [(0, 0), (-1, 1), (1, 2), (-2, 3), (.max, .max - 1), (.min, .max)] as [(Int64, UInt64)])
    func `signed numbers alternate around zero`(number: Int64, unsigned: UInt64) {
        let bytes = Self.written { $0.appendZigzag(number) }
        #expect(Self.read(bytes).number == unsigned)
        var place = 0
        #expect(bytes.withUnsafeBytes { $0.zigzag(at: &place) } == number && place == bytes.count)
    }

    // Other writers may use more bytes than a number needs, but no bits beyond its 64.
    @Test(
        arguments: [
            ([0x80, 0x00], 0), ([0x81, 0x80, 0x80, 0x00], 1), (Array(repeating: 0xFF, count: 9) + [0x01], .max),
            (Array(repeating: 0xFF, count: 9) + [0x02], nil), (Array(repeating: 0x80, count: 9) + [0x80, 0x00], nil), ([], nil),
        ] as [([UInt8], UInt64?)])
    func `a number has 64 bits at most`(bytes: [UInt8], number: UInt64?) {
        #expect(Self.read(bytes).number == number)
    }
}
