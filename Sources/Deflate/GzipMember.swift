/// One gzip member (RFC 1952) that holds all bytes, without a time or a name.
package enum GzipMember {
    package static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    package static let trailerBytes = 8

    package static func packed(
        _ bytes: UnsafeRawBufferPointer, by compressor: MemberCodec.Compressor = MemberCodec.Compressor(level: 9)
    ) -> [UInt8] {
        // What cannot be compressed grows by five bytes for each stored block.
        let most = bytes.count + bytes.count / 8 + 256
        return [UInt8](unsafeUninitializedCapacity: header.count + most + trailerBytes) { all, count in
            let room = UnsafeMutableRawBufferPointer(all)
            room.copyBytes(from: header)
            guard let length = compressor.compress(bytes, to: UnsafeMutableRawBufferPointer(rebasing: room[header.count...].prefix(most)))
            else { preconditionFailure("deflate needs no such room") }
            let end = header.count + length
            for (index, number) in [MemberCodec.checksum(of: bytes), UInt32(truncatingIfNeeded: bytes.count)].enumerated() {
                room.storeBytes(of: number.littleEndian, toByteOffset: end + 4 * index, as: UInt32.self)
            }
            count = end + trailerBytes
        }
    }
}
