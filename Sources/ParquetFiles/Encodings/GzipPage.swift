import Basics
import Deflate

/// Packs and unpacks pages: a gzip member each (RFC 1952), as the codec `GZIP` demands.
final class GzipPage {
    private static let sampleBytes = 1 << 13
    /// Level 1, because packing is most of the cost of writing a file, and a higher level makes columns only a little smaller.
    private lazy var compressor = MemberCodec.Compressor(level: 1)
    /// Huffman codes alone, without a search for repeats. It packs random digits, which repeat nothing, smaller and in less time.
    private lazy var counter = MemberCodec.Compressor(level: 1, findsRepeats: false)
    /// Level 0: deflate's stored blocks, which cost a reader only a copy.
    private lazy var storer = MemberCodec.Compressor(level: 0)
    private lazy var decompressor = MemberCodec.Decompressor()

    /// Appends one member: packed if deflate is tried and pays, otherwise stored. Returns whether it is packed.
    func append(
        _ raw: UnsafeRawBufferPointer, of encoding: ParquetFormat.Encoding = .plain, isTried: Bool = true, to output: ByteBuffer
    ) -> Bool {
        func packed(_ raw: UnsafeRawBufferPointer, by compressor: MemberCodec.Compressor) -> [UInt8]? {
            let packed = GzipMember.packed(raw, by: compressor)
            // Most queries read codes of a dictionary, so packing those must save more.
            return Self.pays(packed.count, for: raw.count, saving: encoding == .rleDictionary ? 4 : 1) ? packed : nil
        }
        // A sample from the middle of a large page says whether to pack all of it, and with which compressor.
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

    /// Whether packing saves at least `tenths` tenths of the raw bytes: only then is it worth the time to unpack.
    static func pays(_ packed: Int, for raw: Int, saving tenths: Int = 1) -> Bool { packed * 10 <= raw * (10 - tenths) }

    /// Unpacks a member that fills `room` exactly; `false` if it does not. Its CRC is not checked: the column chunk's covers it.
    func unpack(_ bytes: UnsafeRawBufferPointer, to room: UnsafeMutableRawBufferPointer) -> Bool {
        let header = GzipMember.header
        guard bytes.count >= header.count + GzipMember.trailerBytes, bytes.starts(with: header) else { return false }
        let body = UnsafeRawBufferPointer(rebasing: bytes[header.count..<bytes.count - GzipMember.trailerBytes])
        return decompressor.decompress(body, to: room) == room.count
    }

    static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 { MemberCodec.checksum(of: bytes) }
}
