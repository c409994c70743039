package import Basics
import Deflate

/// Compresses runs of whole lines into blocked members. Keeps one compressor and reuses it; not `Sendable`, one thread at a time.
package final class BGZFDeflater {
    private static let header: [UInt8] = [0x1F, 0x8B, 0x08, 0x04, 0, 0, 0, 0, 0, 0xFF, 0x06, 0, 0x42, 0x43, 0x02, 0, 0, 0]

    private let compressor: MemberCodec.Compressor

    /// - Parameter level: 1 (fastest) to 9 (smallest).
    package init(level: Int32) { compressor = MemberCodec.Compressor(level: level) }

    /// Appends one member that holds 1 to ``BGZF/rawLimit`` bytes, and takes at most ``BGZF/memberLimit``.
    package func appendMember(of raw: UnsafeBufferPointer<UInt8>, to output: ByteBuffer) {
        precondition(raw.count > 0 && raw.count <= BGZF.rawLimit, "a member holds 1 to \(BGZF.rawLimit) bytes, not \(raw.count)")
        let start = output.count
        output.reserve(BGZF.memberLimit)
        output.append(Self.header)
        let room = UnsafeMutableRawBufferPointer(
            start: output.base + output.count, count: BGZF.memberLimit - BGZF.headerBytes - BGZF.trailerBytes)
        if let length = compressor.compress(UnsafeRawBufferPointer(raw), to: room) {
            output.advance(by: length)
        } else {
            // Incompressible: it would be larger than the size field can say. One stored block always fits.
            output.append([0x01])
            output.append(littleEndian: UInt16(raw.count))
            output.append(littleEndian: ~UInt16(raw.count))
            output.append(raw)
        }
        output.append(littleEndian: MemberCodec.checksum(of: UnsafeRawBufferPointer(raw)))
        output.append(littleEndian: UInt32(raw.count))
        let size = UInt16(output.count - start - 1)
        output.base[start + 16] = UInt8(truncatingIfNeeded: size)
        output.base[start + 17] = UInt8(truncatingIfNeeded: size >> 8)
    }
}
