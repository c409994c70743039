import Basics
import Deflate

/// Packs and unpacks pages: a gzip member each (RFC 1952), as the codec `GZIP` demands.
final class GzipPage {
    private static let header: [UInt8] = [0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0xFF]
    private static let trailerBytes = 8
    /// Level 1: of the whole cost of a file most is this one's, and a higher level saves little of columns.
    private lazy var compressor = MemberCodec.Compressor(level: 1)
    /// Level 0: deflate's stored blocks, which cost a reader a copy.
    private lazy var storer = MemberCodec.Compressor(level: 0)
    private lazy var decompressor = MemberCodec.Decompressor()

    /// Appends one member, whose bytes are stored as they are if deflate is not tried, or saves less than a tenth; says whether it saves
    /// that.
    func append(_ raw: UnsafeRawBufferPointer, isTried: Bool = true, to output: ByteBuffer) -> Bool {
        if isTried {
            let start = output.count
            append(raw, by: compressor, to: output)
            if Self.pays(output.count - start, for: raw.count) { return true }
            output.truncate(to: start)
        }
        append(raw, by: storer, to: output)
        return false
    }

    /// Whether so many packed bytes are worth the unpacking: those that save less than a tenth are not.
    static func pays(_ packed: Int, for raw: Int) -> Bool { packed * 10 <= raw * 9 }

    private func append(_ raw: UnsafeRawBufferPointer, by compressor: MemberCodec.Compressor, to output: ByteBuffer) {
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
