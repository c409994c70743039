package import Basics
import Deflate

/// Decompresses blocked members. Keeps its decompressors and reuses them; not `Sendable`, one thread at a time.
package final class BGZFInflater {
    package enum Outcome: Equatable, Sendable {
        /// The output holds all raw bytes of the member, and CRC and size agree.
        case whole
        /// The bytes end before the member does; the output holds what could be had, unproven by any CRC.
        case cut
        /// The compressed data, the CRC or the size is wrong; what was put into the output is not to be used.
        case damaged
    }

    private let whole = MemberCodec.Decompressor()
    private lazy var partial = ZlibInflater(.raw)

    package init() {}

    /// Appends the raw bytes of the member that begins at `bytes[0]`. More bytes may follow it, or its end may be missing where the file
    /// was cut. The output grows by at most 64 KiB, whatever the member claims: a blocked member cannot hold more.
    package func appendContents(of bytes: UnsafeRawBufferPointer, header: BGZF.Header, to output: ByteBuffer) -> Outcome {
        if bytes.count < header.bodyOffset { return .cut }
        let trailer = header.memberBytes - BGZF.trailerBytes
        let body = UnsafeRawBufferPointer(rebasing: bytes[header.bodyOffset..<max(min(bytes.count, trailer), header.bodyOffset)])
        output.reserve(BGZF.memberLimit)
        let room = UnsafeMutableRawBufferPointer(start: output.base + output.count, count: BGZF.memberLimit)
        if bytes.count < header.memberBytes {
            partial.reset()
            let step = partial.inflate(body, to: room)
            output.advance(by: step.produced)
            return step.status == .damaged ? .damaged : .cut
        }
        guard let length = whole.decompress(body, to: room), bytes.littleEndian32(at: trailer + 4) == UInt32(length),
            bytes.littleEndian32(at: trailer) == MemberCodec.checksum(of: UnsafeRawBufferPointer(rebasing: room[..<length]))
        else { return .damaged }
        output.advance(by: length)
        return .whole
    }
}
