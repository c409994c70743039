internal import CZlib

/// Compresses with zlib. Keeps one stream and reuses it; one thread at a time.
package final class ZlibCompressor {
    /// zlib keeps the address, so the stream has a place of its own.
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Parameter level: 0 (stored as it is), 1 (fastest) to 9 (smallest).
    package init(level: Int32) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Raw deflate: the caller frames it.
        let status = deflateInit2_(stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib could not start a deflate stream (status \(status)): out of memory or another zlib's header")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses `raw` to one deflate stream.
    ///
    /// - Returns: the bytes written; `nil` if they do not fit.
    package func compress(_ raw: UnsafeRawBufferPointer, to room: UnsafeMutableRawBufferPointer) -> Int? {
        deflateReset(stream)
        stream.pointee.next_in = UnsafeMutableRawPointer(mutating: raw.baseAddress)?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(raw.count)
        stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(room.count)
        return deflate(stream, Z_FINISH) == Z_STREAM_END ? room.count - Int(stream.pointee.avail_out) : nil
    }
}
