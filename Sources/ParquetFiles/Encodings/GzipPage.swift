import Basics
import Deflate

/// Packs and unpacks pages: a gzip member each (RFC 1952), as the codec `GZIP` demands.
final class GzipPage {
    /// Level 1: of the whole cost of a file most is this one's, and a higher level saves little of columns.
    private lazy var compressor = MemberCodec.Compressor(level: 1)
    /// Level 0: deflate's stored blocks, which cost a reader a copy.
    private lazy var storer = MemberCodec.Compressor(level: 0)
    private lazy var decompressor = MemberCodec.Decompressor()

    /// Appends one member; its bytes are stored as they are unless deflate is tried and saves a tenth. Says whether it does.
    func append(_ raw: UnsafeRawBufferPointer, isTried: Bool = true, to output: ByteBuffer) -> Bool {
        let packed = isTried ? GzipMember.packed(raw, by: compressor) : []
        let isSmaller = isTried && Self.pays(packed.count, for: raw.count)
        output.append(isSmaller ? packed : GzipMember.packed(raw, by: storer))
        return isSmaller
    }

    /// Whether so many packed bytes are worth the unpacking.
    static func pays(_ packed: Int, for raw: Int) -> Bool { packed * 10 <= raw * 9 }

    /// Unpacks a member of exactly so many raw bytes; `false` if it is another. Its CRC is not looked at: the chunk's covers it.
    func unpack(_ bytes: UnsafeRawBufferPointer, to room: UnsafeMutableRawBufferPointer) -> Bool {
        let header = GzipMember.header
        guard bytes.count >= header.count + GzipMember.trailerBytes, bytes.starts(with: header) else { return false }
        let body = UnsafeRawBufferPointer(rebasing: bytes[header.count..<bytes.count - GzipMember.trailerBytes])
        return decompressor.decompress(body, to: room) == room.count
    }

    static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 { MemberCodec.checksum(of: bytes) }
}
