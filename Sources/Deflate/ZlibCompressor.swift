internal import CZlib

/// Compresses with zlib. Keeps one stream and reuses it; one thread at a time.
package final class ZlibCompressor {
    /// zlib keeps the address, so the stream has memory of its own.
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Parameters:
    ///   - level: 0 (stored as it is), 1 (fastest) to 9 (smallest).
    ///   - findsRepeats: whether it looks for repeats, and not only for frequent bytes (Huffman coding).
    package init(level: Int32, findsRepeats: Bool = true) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Raw deflate: the caller frames it.
        let strategy = findsRepeats ? Z_DEFAULT_STRATEGY : Z_HUFFMAN_ONLY
        let status = deflateInit2_(stream, level, Z_DEFLATED, -15, 8, strategy, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib could not start a deflate stream (status \(status)): out of memory or another zlib's header")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses `raw` to one deflate stream; gives how many bytes it has, `nil` if they do not fit.
    package func compress(_ raw: UnsafeRawBufferPointer, to room: UnsafeMutableRawBufferPointer) -> Int? {
        deflateReset(stream)
        stream.take(raw, room)
        return deflate(stream, Z_FINISH) == Z_STREAM_END ? room.count - Int(stream.pointee.avail_out) : nil
    }
}

extension UnsafeMutablePointer<z_stream> {
    /// Sets what a call is to read and where it is to write, 4 GiB of each at most.
    func take(_ input: UnsafeRawBufferPointer, _ room: UnsafeMutableRawBufferPointer) {
        pointee.next_in = UnsafeMutableRawPointer(mutating: input.baseAddress)?.assumingMemoryBound(to: UInt8.self)
        pointee.avail_in = UInt32(clamping: input.count)
        pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        pointee.avail_out = UInt32(clamping: room.count)
    }
}
