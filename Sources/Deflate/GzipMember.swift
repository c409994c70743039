/// A whole text as one gzip member (RFC 1952), without a time or a name.
package enum GzipMember {
    /// - Parameter level: 1 (fastest) to 9 (smallest).
    package static func packed(_ bytes: UnsafeRawBufferPointer, level: Int32 = 9) -> [UInt8] {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + bytes.count / 8 + 64, alignment: 1)
        defer { room.deallocate() }
        guard let count = MemberCodec.Compressor(level: level).compress(bytes, to: room) else {
            preconditionFailure("deflate needs no such room")
        }
        let ends = [MemberCodec.checksum(of: bytes), UInt32(truncatingIfNeeded: bytes.count)]
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF] + room[..<count]
            + ends.flatMap { end in (0..<4).map { UInt8(truncatingIfNeeded: end >> UInt32(8 * $0)) } }
    }
}
