import Basics
import Deflate

/// Packs and unpacks pages: a gzip member each (RFC 1952), as the codec `GZIP` demands.
final class GzipPage {
    private static let header: [UInt8] = [0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0xFF]
    private static let trailerBytes = 8
    /// Level 1: of the whole cost of a file most is this one's, and a higher level saves little of columns.
    private lazy var compressor = MemberCodec.Compressor(level: 1)
    private lazy var decompressor = MemberCodec.Decompressor()

    /// Appends one member.
    func append(_ raw: UnsafeRawBufferPointer, to output: ByteBuffer) {
        output.append(Self.header)
        // What cannot be compressed grows by five bytes for each stored block.
        let most = raw.count + raw.count / 512 + 256
        output.reserve(most + Self.trailerBytes)
        let room = UnsafeMutableRawBufferPointer(start: output.base + output.count, count: most)
        guard let length = compressor.compress(raw, to: room) else { preconditionFailure("deflate needs more than its bound") }
        output.advance(by: length)
        output.appendLittleEndian(MemberCodec.checksum(of: raw))
        output.appendLittleEndian(UInt32(truncatingIfNeeded: raw.count))
    }

    /// Unpacks a member of exactly so many raw bytes; `false` if it is another.
    ///
    /// Its CRC is not looked at: the chunk's covers it.
    func unpack(_ bytes: UnsafeRawBufferPointer, to room: UnsafeMutableRawBufferPointer) -> Bool {
        guard bytes.count >= Self.header.count + Self.trailerBytes, bytes.starts(with: Self.header) else { return false }
        let body = UnsafeRawBufferPointer(rebasing: bytes[Self.header.count..<bytes.count - Self.trailerBytes])
        return decompressor.decompress(body, to: room) == room.count
    }

    static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 { MemberCodec.checksum(of: bytes) }
}
