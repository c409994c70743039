import Basics
import Testing

@testable import ParquetFiles

@Suite struct ThriftTests {
    /// Bytes by hand from `thrift-compact-protocol.md`.
    @Test func `fields are written as the protocol says`() {
        let output = ByteBuffer(capacity: 16)
        var writer = ThriftWriter(to: output)
        writer.fields { fields in
            fields.int32(1, -1)
            fields.binary(2, "ab".utf8)
            fields.int64(20, 300)
            fields.int32s(21, [0, 1])
            fields.structure(22) { $0.int32(1, -1) }
        }
        let wanted: [UInt8] = [
            0x15, 0x01, 0x18, 2, 0x61, 0x62, 0x06, 40, 0xD8, 0x04, 0x19, 0x25, 0, 2, 0x1C, 0x15, 0x01, 0, 0,
        ]
        #expect(Array(output.bytes) == wanted)
    }

    @Test func `fields are found among unknown ones`() throws {
        let output = ByteBuffer(capacity: 16)
        var writer = ThriftWriter(to: output)
        writer.fields { fields in
            fields.structures(1, 0..<20) { writer, number in
                writer.int32(1, Int64(number))
                writer.binaries(3, ["x", ""])
            }
            fields.structure(3) { $0.structure(4) { $0.int64(9, .min) } }
            fields.int64(7, .max)
        }
        var reader = ThriftReader(bytes: output.raw, origin: 0)
        let found = try reader.structure()
        #expect(found[7].integer == .max && found[3][4][9].integer == .min && reader.offset == output.count)
        #expect(found[1].elements.map { $0[1].integer } == (0..<20).map { $0 } && found[8].integer == nil)
    }

    @Test(arguments: [
        [0x15] as [UInt8], [0x15, 0x80], [0x18, 0x05, 0x61], [0x19, 0xFC, 0xFF, 0xFF, 0xFF, 0x7F], [0x1D], [0x1B, 0x01],
        [0x15, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], Array(repeating: 0x1C, count: 40),
    ]) func `bytes that are no structure are refused`(bytes: [UInt8]) {
        let buffer = ByteBuffer(capacity: bytes.count)
        buffer.append(bytes)
        var reader = ThriftReader(bytes: buffer.raw, origin: 100)
        let error = #expect(throws: ParquetError.self) { try reader.structure() }
        #expect(error.map { $0.kind == .malformed && $0.byteOffset >= 100 } ?? false)
    }
}
