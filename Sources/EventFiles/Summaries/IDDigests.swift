import Basics
package import ParquetFiles

/// 48 bits of the fingerprint of each id of a segment, in rising order, each once. Stored as differences in packed bits, a digest takes
/// about five bytes. Segments without a common digest have no common id. A common digest proves nothing: beside a hundred million other
/// ids, a segment of 200,000 ids shares a digest by chance in 7 of 100 cases.
@usableFromInline
package struct IDDigests {
    package static let bits = 48

    /// The decoder points into these bytes.
    private let bytes: ByteBuffer
    private let offset: Int64
    private var decoder: DeltaDecoder
    private var block: [Int64] = []
    private var index = 0
    private var last: Int64 = -1

    /// Reads the list of a segment with `ids` ids, repeated ones counted. The ``DeltaDecoder`` may load a few bytes behind the list.
    init(_ bytes: ByteBuffer, at offset: Int64, of ids: Int) throws(ParquetError) {
        (self.bytes, self.offset) = (bytes, offset)
        decoder = try DeltaDecoder(bytes.raw, at: offset)
        // Readers work for each digest before they decode it. So a count is refused that has too few bytes: 128 digests take at least five.
        guard decoder.left <= min(ids, bytes.count * 32 + 1), (decoder.left == 0) == (ids == 0) else {
            throw ParquetError(.malformed, at: offset, "\(decoder.left) digests of \(ids) ids")
        }
    }

    @inlinable @inline(__always)
    package static func digest(of id: Fingerprint) -> Int64 { Int64(truncatingIfNeeded: id.high &>> 16) }

    package var left: Int { decoder.left + block.count - index }

    /// Appends the next digests, as long as they are below `end`. Each call goes on where the one before ended.
    package mutating func append(below end: Int64, to values: inout [Int64]) throws(ParquetError) {
        while true {
            let start = index
            while index < block.count, block[index] < end { index &+= 1 }
            values.append(contentsOf: block[start..<index])
            if index < block.count || decoder.left == 0 { return }
            block.removeAll(keepingCapacity: true)
            index = 0
            try decoder.appendBlock(to: &block)
            for digest in block {
                guard digest > last, digest >> Int64(Self.bits) == 0 else {
                    throw ParquetError(.malformed, at: offset, "digests that do not rise")
                }
                last = digest
            }
        }
    }

    static func bytes(of ids: borrowing FingerprintSet) -> ByteBuffer {
        var digests: [Int64] = []
        digests.reserveCapacity(ids.count)
        ids.forEachPart { part in
            for digest in part.map({ digest(of: $0) }).sorted() where digest != digests.last { digests.append(digest) }
        }
        let bytes = ByteBuffer(capacity: ids.count * 6 + 64)
        digests.withUnsafeBufferPointer { DeltaEncoder.append($0, to: bytes) }
        return bytes
    }
}
