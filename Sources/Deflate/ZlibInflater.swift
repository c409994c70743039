internal import CZlib

/// Decompresses with zlib, from pieces of any size into rooms of any size. Keeps one stream and reuses it; one thread at a time.
package final class ZlibInflater {
    package enum Framing: Int32 {
        /// A bare deflate stream (RFC 1951), such as the body of a gzip member.
        case raw = -15
        /// A whole gzip member (RFC 1952): zlib reads the header and checks CRC and size.
        case gzip = 31
    }

    package enum Status: Equatable {
        /// More input is wanted, or the room is full.
        case more
        case ended
        case damaged
    }

    /// zlib keeps the address, so the stream has memory of its own.
    private let stream: UnsafeMutablePointer<z_stream>

    package init(_ framing: Framing = .raw) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = inflateInit2_(stream, framing.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib cannot inflate (status \(status)): no memory, or built with the header of another zlib version")
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    package func reset() { inflateReset(stream) }

    /// Decompresses as much as input and room allow. `isAll` says that this call gets the whole stream: zlib then needs no window.
    package func inflate(
        _ input: UnsafeRawBufferPointer, to room: UnsafeMutableRawBufferPointer, isAll: Bool = false
    ) -> (status: Status, consumed: Int, produced: Int) {
        stream.take(input, room)
        let (inputBytes, roomBytes) = (stream.pointee.avail_in, stream.pointee.avail_out)
        let status: Status =
            switch CZlib.inflate(stream, isAll ? Z_FINISH : Z_NO_FLUSH) {
            case Z_OK, Z_BUF_ERROR: .more
            case Z_STREAM_END: .ended
            case Z_MEM_ERROR: preconditionFailure("zlib found no memory for its window of 32 KiB")
            default: .damaged
            }
        return (status, Int(inputBytes - stream.pointee.avail_in), Int(roomBytes - stream.pointee.avail_out))
    }

    /// Decompresses a stream that takes up all of `body`; how many bytes it gave. `nil` if it is damaged, or does not fit `room` or `body`.
    package func decompress(_ body: UnsafeRawBufferPointer, to room: UnsafeMutableRawBufferPointer) -> Int? {
        reset()
        let step = inflate(body, to: room, isAll: true)
        return step.status == .ended && step.consumed == body.count ? step.produced : nil
    }

    /// The CRC-32 of `bytes`, as a gzip member ends with it.
    package static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
        guard let base = bytes.baseAddress else { return 0 }
        return UInt32(truncatingIfNeeded: crc32_z(0, base.assumingMemoryBound(to: UInt8.self), bytes.count))
    }
}
