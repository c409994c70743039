/// Blocked gzip, the container of event files: independent gzip members of at most 64 KiB, each with its own size in an
/// extra field, so that damage stays inside one member and members decode in parallel.
///
/// The framing is that of the SAM specification §4.1 (samtools.github.io/hts-specs/SAMv1.pdf). Gzip tools see a gzip of many members.
package enum BGZF {
    /// The most raw bytes that a member holds. Even incompressible, they fit the 16-bit size field with their framing.
    package static let rawLimit = 65_280
    /// The most bytes a member can have, framing included: its size less one stands in 16 bits.
    package static let memberLimit = 65_536
    /// Bytes of the header that this package writes: 12 of gzip, 6 of the one extra subfield.
    package static let headerBytes = 18
    /// CRC-32 and size of the raw bytes, four bytes each, little-endian.
    package static let trailerBytes = 8
    /// The empty member that ends a sealed file. A file without it was cut between members, or is still being written.
    package static let endMember: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x04, 0, 0, 0, 0, 0, 0xFF, 0x06, 0, 0x42, 0x43, 0x02, 0, 0x1B, 0, 0x03, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]

    package struct Header: Equatable, Sendable {
        /// The whole member's bytes, header and trailer included.
        package var memberBytes: Int
        /// Where the compressed bytes begin, counted from the member's first byte.
        package var bodyOffset: Int
    }

    /// What can be said of the bytes where a member should begin.
    package enum Head: Equatable, Sendable {
        case member(Header)
        /// Too few bytes to say; what is there fits a blocked member's beginning.
        case cut
        /// A gzip header without the blocked extra field: another tool's file.
        case otherGzip
        case none
    }

    /// Whether the last bytes of a file, which end inside a member, are that member's beginning.
    ///
    /// A power loss can leave zeros where the rest should be. Zeros may decode, so a zero-filled tail is damage and not a cut.
    ///
    /// - Parameter tail: from the member's beginning to the end of the file.
    package static func isCut(_ tail: UnsafeRawBufferPointer) -> Bool {
        let isZeroFilled = tail.count >= 16 && tail.suffix(16).allSatisfy { $0 == 0 }
        return switch head(of: tail) {
        case .member(let header): header.memberBytes > tail.count && !isZeroFilled
        case .cut: !isZeroFilled
        case .otherGzip, .none: false
        }
    }

    /// Reads the header at the beginning of `bytes`.
    ///
    /// Any order and number of extra subfields is accepted, as the specification asks of readers.
    package static func head(of bytes: UnsafeRawBufferPointer) -> Head {
        guard zip(bytes, [0x1F, 0x8B, 0x08] as [UInt8]).allSatisfy({ $0 == $1 }) else { return .none }
        if bytes.count < 4 { return .cut }
        let flags = bytes[3]
        if flags & 0xE0 != 0 { return .none }
        // FEXTRA alone: a name, comment or header CRC is never part of a blocked header.
        if flags != 0x04 { return .otherGzip }
        if bytes.count < 12 { return .cut }
        let extraEnd = 12 + Int(bytes.littleEndian16(at: 10))
        var field = 12
        while field + 4 <= extraEnd {
            if bytes.count < field + 4 { return .cut }
            let length = Int(bytes.littleEndian16(at: field + 2))
            if bytes[field] == 0x42, bytes[field + 1] == 0x43, length == 2 {
                if bytes.count < field + 6 { return .cut }
                let size = Int(bytes.littleEndian16(at: field + 4)) + 1
                if size < extraEnd + trailerBytes { return .none }
                return .member(Header(memberBytes: size, bodyOffset: extraEnd))
            }
            field += 4 + length
        }
        return .otherGzip
    }
}

extension UnsafeRawBufferPointer {
    package func littleEndian16(at offset: Int) -> UInt16 { UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self)) }

    package func littleEndian32(at offset: Int) -> UInt32 { UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
}
