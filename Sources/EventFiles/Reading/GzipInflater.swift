internal import CZlib

/// Decompresses ordinary gzip members piece by piece, header, CRC and size checked by zlib.
final class GzipInflater {
    enum Outcome: Equatable {
        /// It goes on: more input is wanted or the room is full.
        case more
        /// A member has ended; its CRC and size are right.
        case memberEnd
        /// The data, the CRC or the size is wrong.
        case damaged
    }

    private let stream: UnsafeMutablePointer<z_stream>

    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 16 + 15: gzip framing, the largest window.
        let status = inflateInit2_(stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib could not start an inflate stream (status \(status)): out of memory or another zlib's header")
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Makes ready for the next member.
    func reset() { inflateReset(stream) }

    /// Decompresses as much as input and room allow.
    func inflate(_ input: UnsafeRawBufferPointer, to room: UnsafeMutableRawBufferPointer) -> (
        outcome: Outcome, consumed: Int, produced: Int
    ) {
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(clamping: input.count)
        stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(clamping: room.count)
        let given = (Int(stream.pointee.avail_in), Int(stream.pointee.avail_out))
        let status = CZlib.inflate(stream, Z_NO_FLUSH)
        let outcome: Outcome =
            switch status {
            case Z_OK, Z_BUF_ERROR: .more
            case Z_STREAM_END: .memberEnd
            default: .damaged
            }
        return (outcome, given.0 - Int(stream.pointee.avail_in), given.1 - Int(stream.pointee.avail_out))
    }

    /// What can be said of a place where a member may begin.
    enum Proof { case member, none, needsMore }

    /// As many sound bytes, compressed or not, as rule out chance.
    private static let proofBytes = 128 * 1024

    /// Whether a gzip member begins here that holds together: it ends with the right CRC, or goes on soundly for so long that chance is
    /// ruled out. For places that damage makes doubtful.
    func proof(of bytes: UnsafeRawBufferPointer) -> Proof {
        reset()
        defer { reset() }
        var place = 0
        var produced = 0
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 16)
        defer { room.deallocate() }
        while produced < Self.proofBytes && place < Self.proofBytes {
            let step = inflate(UnsafeRawBufferPointer(rebasing: bytes[place...]), to: room)
            place += step.consumed
            produced += step.produced
            switch step.outcome {
            case .memberEnd: return .member
            case .damaged: return .none
            case .more: if step.consumed == 0 && step.produced == 0 { return .needsMore }
            }
        }
        return .member
    }
}
