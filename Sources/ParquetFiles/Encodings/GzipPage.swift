import Basics
import Deflate

/// Packs and unpacks pages: a gzip member each (RFC 1952), as the codec `GZIP` demands.
final class GzipPage {
    private static let sampleBytes = 1 << 13
    /// Level 1: of the whole cost of a file most is this one's, and a higher level saves little of columns.
    private lazy var compressor = MemberCodec.Compressor(level: 1)
    /// Only looks which bytes are frequent: of random digits, in which nothing repeats, that leaves less, and is sooner done.
    private lazy var counter = MemberCodec.Compressor(level: 1, findsRepeats: false)
    /// Level 0: deflate's stored blocks, which cost a reader a copy.
    private lazy var storer = MemberCodec.Compressor(level: 0)
    private lazy var decompressor = MemberCodec.Decompressor()

    /// Appends one member; its bytes are stored as they are unless deflate is tried and pays. Says whether it does.
    func append(
        _ raw: UnsafeRawBufferPointer, of encoding: ParquetFormat.Encoding = .plain, isTried: Bool = true, to output: ByteBuffer
    ) -> Bool {
        func packed(_ raw: UnsafeRawBufferPointer, by compressor: MemberCodec.Compressor) -> [UInt8]? {
            let packed = GzipMember.packed(raw, by: compressor)
            // Codes are read at most questions: to unpack them must save much.
            return Self.pays(packed.count, for: raw.count, saving: encoding == .rleDictionary ? 4 : 1) ? packed : nil
        }
        // The middle of a large page says whether to try all of it, and whether ids end in random digits.
        let isSmall = raw.count < 4 * Self.sampleBytes
        let sample = isSmall ? raw : UnsafeRawBufferPointer(rebasing: raw.dropFirst(raw.count / 2).prefix(Self.sampleBytes))
        let repeats = isTried ? packed(sample, by: compressor) : nil
        let counted = isTried && encoding == .deltaByteArray ? packed(sample, by: counter) : nil
        let isCounted = counted.map { $0.count <= repeats?.count ?? .max } ?? false
        let tried = isCounted ? counted : repeats
        let smaller = tried == nil || isSmall ? tried : packed(raw, by: isCounted ? counter : compressor)
        output.append(smaller ?? GzipMember.packed(raw, by: storer))
        return smaller != nil
    }

    /// Whether so many packed bytes are worth the unpacking: whether they save so many tenths.
    static func pays(_ packed: Int, for raw: Int, saving tenths: Int = 1) -> Bool { packed * 10 <= raw * (10 - tenths) }

    /// Unpacks a member of exactly so many raw bytes; `false` if it is another. Its CRC is not looked at: the chunk's covers it.
    func unpack(_ bytes: UnsafeRawBufferPointer, to room: UnsafeMutableRawBufferPointer) -> Bool {
        let header = GzipMember.header
        guard bytes.count >= header.count + GzipMember.trailerBytes, bytes.starts(with: header) else { return false }
        let body = UnsafeRawBufferPointer(rebasing: bytes[header.count..<bytes.count - GzipMember.trailerBytes])
        return decompressor.decompress(body, to: room) == room.count
    }

    static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 { MemberCodec.checksum(of: bytes) }
}
