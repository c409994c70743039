internal import CZlib

/// Decompresses with zlib, from pieces of any size into rooms of any size. Keeps one stream and reuses it; one thread at a time.
package final class ZlibInflater {
    package enum Framing: Int32 {
        /// A bare deflate stream (RFC 1951), as inside a member.
        case raw = -15
        /// A whole gzip member (RFC 1952): zlib reads the header and checks CRC and size.
        case gzip = 31
    }

    package enum Status: Equatable {
        /// More input is wanted, or the room is full.
        case more
        /// The stream has ended.
        case ended
        /// The stream is wrong from here on.
        case damaged
    }

    package static let library = "zlib"

    /// zlib keeps the address, so the stream has a place of its own.
    private let stream: UnsafeMutablePointer<z_stream>

    package init(_ framing: Framing = .raw) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = inflateInit2_(stream, framing.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib could not start an inflate stream (status \(status)): out of memory or another zlib's header")
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Makes ready for the next stream.
    package func reset() { inflateReset(stream) }

    /// Decompresses as much as input and room allow.
    ///
    /// - Parameter isAll: whether there is no more input and no more room to come; zlib then needs no window of its own.
    package func inflate(
        _ input: UnsafeRawBufferPointer, to room: UnsafeMutableRawBufferPointer, isAll: Bool = false
    ) -> (status: Status, consumed: Int, produced: Int) {
        let inputBytes = UInt32(clamping: input.count)
        let roomBytes = UInt32(clamping: room.count)
        stream.pointee.next_in = UnsafeMutableRawPointer(mutating: input.baseAddress)?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = inputBytes
        stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = roomBytes
        let status: Status =
            switch CZlib.inflate(stream, isAll ? Z_FINISH : Z_NO_FLUSH) {
            case Z_OK, Z_BUF_ERROR: .more
            case Z_STREAM_END: .ended
            case Z_MEM_ERROR: preconditionFailure("zlib found no memory for its window of 32 KiB")
            default: .damaged
            }
        return (status, Int(inputBytes - stream.pointee.avail_in), Int(roomBytes - stream.pointee.avail_out))
    }

    /// Decompresses a stream that fills `body` to its last byte.
    ///
    /// - Returns: the bytes written; `nil` if the stream is wrong, does not end with `body`, or does not fit.
    package func decompress(_ body: UnsafeRawBufferPointer, to room: UnsafeMutableRawBufferPointer) -> Int? {
        reset()
        let step = inflate(body, to: room, isAll: true)
        return step.status == .ended && step.consumed == body.count ? step.produced : nil
    }

    package static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
        guard let base = bytes.baseAddress else { return 0 }
        return UInt32(truncatingIfNeeded: crc32_z(0, base.assumingMemoryBound(to: UInt8.self), bytes.count))
    }
}
