package import Basics
internal import CZlib

/// Blocked gzip, the container of event files: independent gzip members of at most 64 KiB, each with its own size in an
/// extra field, so that damage stays inside one member and members decode in parallel.
///
/// The framing is that of the SAM specification §4.1 (samtools.github.io/hts-specs/SAMv1.pdf) over RFC 1952: every gzip
/// tool reads such a file as one gzip of many members.
package enum BGZF {
    /// The most raw bytes that a member holds. Even incompressible, they fit the 16-bit size field with their framing.
    package static let rawLimit = 65_280
    /// The most bytes a member can have, framing included: its size less one stands in 16 bits.
    package static let memberLimit = 65_536
    /// Bytes of the header that this package writes: 12 of gzip, 6 of the one extra subfield.
    package static let headerBytes = 18
    /// CRC-32 and size of the raw bytes, four bytes each, little-endian.
    package static let trailerBytes = 8
    /// The empty member that ends a sealed file; without it a file was cut between members.
    package static let endMember: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x04, 0, 0, 0, 0, 0, 0xFF, 0x06, 0, 0x42, 0x43, 0x02, 0, 0x1B, 0, 0x03, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]

    /// What a member's header says.
    package struct Header: Equatable, Sendable {
        /// The whole member's bytes, header and trailer included.
        package var memberBytes: Int
        /// Where the compressed bytes begin, counted from the member's first byte.
        package var bodyOffset: Int

        package init(memberBytes: Int, bodyOffset: Int) {
            self.memberBytes = memberBytes
            self.bodyOffset = bodyOffset
        }
    }

    /// What can be said of the bytes at the place where a member should begin.
    package enum Head: Equatable, Sendable {
        /// A blocked member's header.
        case member(Header)
        /// Too few bytes to say; what is there fits a blocked member's beginning.
        case cut
        /// A gzip header without the blocked extra field: another tool's file.
        case otherGzip
        /// No gzip header.
        case none
    }

    /// Reads the header at the beginning of `bytes`.
    ///
    /// Any order and number of extra subfields is accepted, as the specification asks of readers.
    package static func head(of bytes: UnsafeRawBufferPointer) -> Head {
        let magic: [UInt8] = [0x1F, 0x8B, 0x08]
        for (index, byte) in magic.enumerated() {
            if index >= bytes.count { return .cut }
            if bytes[index] != byte { return .none }
        }
        if bytes.count < 4 { return .cut }
        let flags = bytes[3]
        if flags & 0xE0 != 0 { return .none }
        // FEXTRA alone: a name, comment or header CRC is never part of a blocked header.
        if flags != 0x04 { return .otherGzip }
        if bytes.count < 12 { return .cut }
        let extraEnd = 12 + Int(bytes.littleEndian16(at: 10))
        var place = 12
        while place + 4 <= extraEnd {
            if bytes.count < place + 4 { return .cut }
            let length = Int(bytes.littleEndian16(at: place + 2))
            if bytes[place] == 0x42, bytes[place + 1] == 0x43, length == 2 {
                if bytes.count < place + 6 { return .cut }
                let size = Int(bytes.littleEndian16(at: place + 4)) + 1
                if size < extraEnd + trailerBytes { return .none }
                return .member(Header(memberBytes: size, bodyOffset: extraEnd))
            }
            place += 4 + length
        }
        return .otherGzip
    }
}

extension UnsafeRawBufferPointer {
    package func littleEndian16(at offset: Int) -> UInt16 {
        UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    package func littleEndian32(at offset: Int) -> UInt32 {
        UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}

/// Compresses runs of whole lines into blocked members. Keeps one zlib stream and reuses it; not `Sendable`, one thread at a time.
package final class BGZFDeflater {
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Parameter level: zlib's, 1 (fastest) to 9 (smallest).
    package init(level: Int32) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Raw deflate: the member's header and trailer are written here.
        let status = deflateInit2_(
            stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib could not start a deflate stream (status \(status)): out of memory or another zlib's header")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Appends one member that holds `raw`.
    ///
    /// - Parameters:
    ///   - raw: 1 to ``BGZF/rawLimit`` bytes.
    ///   - output: grows by at most ``BGZF/memberLimit`` bytes.
    package func appendMember(of raw: UnsafeBufferPointer<UInt8>, to output: ByteBuffer) {
        precondition(raw.count > 0 && raw.count <= BGZF.rawLimit, "a member holds 1 to \(BGZF.rawLimit) bytes, not \(raw.count)")
        let start = output.count
        output.reserve(BGZF.memberLimit)
        output.append([0x1F, 0x8B, 0x08, 0x04, 0, 0, 0, 0, 0, 0xFF, 0x06, 0, 0x42, 0x43, 0x02, 0, 0, 0])
        let room = BGZF.memberLimit - BGZF.headerBytes - BGZF.trailerBytes
        if let length = deflate(raw, to: output.base + output.count, room: room) {
            output.advance(by: length)
        } else {
            // Incompressible: deflate expanded it beyond the size field. One stored block always fits.
            output.append([0x01])
            append16(UInt16(raw.count), to: output)
            append16(~UInt16(raw.count), to: output)
            output.append(raw)
        }
        append32(FoldedCRC32.updated(0, with: UnsafeRawBufferPointer(raw)), to: output)
        append32(UInt32(raw.count), to: output)
        let size = UInt16(output.count - start - 1)
        output.base[start + 16] = UInt8(truncatingIfNeeded: size)
        output.base[start + 17] = UInt8(truncatingIfNeeded: size >> 8)
    }

    private func deflate(_ raw: UnsafeBufferPointer<UInt8>, to room: UnsafeMutablePointer<UInt8>, room bytes: Int) -> Int? {
        deflateReset(stream)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: raw.baseAddress)
        stream.pointee.avail_in = UInt32(raw.count)
        stream.pointee.next_out = room
        stream.pointee.avail_out = UInt32(bytes)
        let status = CZlib.deflate(stream, Z_FINISH)
        return status == Z_STREAM_END ? bytes - Int(stream.pointee.avail_out) : nil
    }

    private func append16(_ value: UInt16, to output: ByteBuffer) {
        output.append(UInt8(truncatingIfNeeded: value))
        output.append(UInt8(truncatingIfNeeded: value >> 8))
    }

    private func append32(_ value: UInt32, to output: ByteBuffer) {
        append16(UInt16(truncatingIfNeeded: value), to: output)
        append16(UInt16(truncatingIfNeeded: value >> 16), to: output)
    }
}

/// Decompresses members. Keeps one decoder and reuses it; not `Sendable`, one thread at a time.
package final class BGZFInflater {
    /// What became of one member.
    package enum Outcome: Equatable, Sendable {
        /// The output holds all its bytes, and CRC and size agree.
        case whole
        /// The member ends before its compressed data does; the output holds what could be had, unproven by any CRC.
        case cut
        /// The compressed data, the CRC or the size is wrong; what was put into the output is not to be used.
        case damaged
    }

    private let decoder = DeflateDecoder()

    package init() {}

    /// Appends the raw bytes of the member that begins at `bytes[0]`.
    ///
    /// - Parameters:
    ///   - bytes: the member; may hold more after it, or less where the file was cut.
    ///   - header: what ``BGZF/head(of:)`` said of it.
    ///   - output: grows by at most 64 KiB, whatever the member claims: a blocked member cannot hold more.
    package func appendContents(of bytes: UnsafeRawBufferPointer, header: BGZF.Header, to output: ByteBuffer) -> Outcome {
        let available = min(bytes.count, header.memberBytes)
        let bodyEnd = max(min(available, header.memberBytes - BGZF.trailerBytes), header.bodyOffset)
        if available < header.bodyOffset { return .cut }
        let start = output.count
        output.reserve(BGZF.memberLimit)
        decoder.reset()
        let step = decoder.decode(
            UnsafeRawBufferPointer(rebasing: bytes[header.bodyOffset..<bodyEnd]),
            to: UnsafeMutableRawBufferPointer(start: output.base + start, count: BGZF.memberLimit))
        let length = step.produced
        output.advance(by: length)
        if available < header.memberBytes { return step.status == .damaged ? .damaged : .cut }
        guard step.status == .ended, step.consumed == bodyEnd - header.bodyOffset else { return .damaged }
        let crc = FoldedCRC32.updated(0, with: UnsafeRawBufferPointer(start: output.base + start, count: length))
        let trailer = header.memberBytes - BGZF.trailerBytes
        return bytes.littleEndian32(at: trailer) == crc && bytes.littleEndian32(at: trailer + 4) == UInt32(length) ? .whole : .damaged
    }
}
