/// Decides which library compresses, decompresses and checks whole streams: zlib, or libdeflate with the package trait `Libdeflate`.
/// Ordinary gzip and members that were cut always go through ``ZlibInflater``: libdeflate needs the whole of a stream.
package enum MemberCodec {
    #if Libdeflate
    package typealias Compressor = LibdeflateCompressor
    package typealias Decompressor = LibdeflateDecompressor
    #else
    package typealias Compressor = ZlibCompressor
    package typealias Decompressor = ZlibInflater
    #endif

    /// The CRC-32 of gzip (RFC 1952 §8).
    package static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 { Decompressor.checksum(of: bytes) }
}
