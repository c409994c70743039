#if Libdeflate
internal import CLibdeflate

/// Compresses with libdeflate. Keeps one compressor and reuses it; one thread at a time.
package final class LibdeflateCompressor {
    private let compressor: OpaquePointer

    /// - Parameters:
    ///   - level: 0 (stored as it is), 1 (fastest) to 9 (smallest); the numbers mean about what they mean to zlib.
    ///   - findsRepeats: of no effect: libdeflate always looks for repeats.
    package init(level: Int32, findsRepeats: Bool = true) {
        guard let compressor = libdeflate_alloc_compressor(level) else { preconditionFailure("no memory for a libdeflate compressor") }
        self.compressor = compressor
    }

    deinit { libdeflate_free_compressor(compressor) }

    /// Compresses `raw` to one deflate stream; gives how many bytes it has, `nil` if they do not fit.
    package func compress(_ raw: UnsafeRawBufferPointer, to room: UnsafeMutableRawBufferPointer) -> Int? {
        let count = libdeflate_deflate_compress(compressor, raw.baseAddress, raw.count, room.baseAddress, room.count)
        return count > 0 ? count : nil
    }
}

/// Decompresses with libdeflate. Keeps one decompressor and reuses it; one thread at a time.
package final class LibdeflateDecompressor {
    private let decompressor: OpaquePointer

    package init() {
        guard let decompressor = libdeflate_alloc_decompressor() else { preconditionFailure("no memory for a libdeflate decompressor") }
        self.decompressor = decompressor
    }

    deinit { libdeflate_free_decompressor(decompressor) }

    /// Decompresses a stream that takes up all of `body`. Gives the number of bytes in `room`; `nil` if the stream is wrong or too long.
    package func decompress(_ body: UnsafeRawBufferPointer, to room: UnsafeMutableRawBufferPointer) -> Int? {
        var (consumed, produced) = (0, 0)
        let result = libdeflate_deflate_decompress_ex(
            decompressor, body.baseAddress, body.count, room.baseAddress, room.count, &consumed, &produced)
        return result == LIBDEFLATE_SUCCESS && consumed == body.count ? produced : nil
    }

    package static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
        guard let base = bytes.baseAddress else { return 0 }
        return libdeflate_crc32(0, base, bytes.count)
    }
}
#endif
