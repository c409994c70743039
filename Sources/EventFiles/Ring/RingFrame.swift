import Basics

/// How a line stands in a ring file: eight bytes, the line, and up to seven bytes that fill it up to a multiple of eight.
///
/// The eight bytes are one number, little-endian: the line's length in the lower half, a check value in the upper. The check value covers
/// the frame's position, so that a line that an earlier round of the ring left in the file is never taken for a waiting one.
enum RingFrame {
    static let headBytes = 8
    /// Set in the length of a line that was dropped after all. No other part of the frame changes.
    static let droppedMark: UInt64 = 1 << 31

    @inline(__always)
    static func bytes(of length: Int) -> Int { (length &+ headBytes &+ 7) & ~7 }

    @inline(__always)
    static func head(length: Int, check: UInt32) -> UInt64 { UInt64(truncatingIfNeeded: length) | UInt64(check) &<< 32 }

    static func length(_ head: UInt64) -> Int { Int(head & (droppedMark - 1)) }
    static func isDropped(_ head: UInt64) -> Bool { head & droppedMark != 0 }
    static func check(_ head: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: head >> 32) }

    /// The check value of a line in the frame that begins at a position (``RingHead``): 32 bits of a 64-bit hash. Each multiplication
    /// takes 16 bytes, and two run side by side. With `copyingTo` the bytes are copied in the same pass.
    ///
    /// A CRC of zlib would cost a fifth of all that `record()` costs, and Swift cannot use the processor's own CRC.
    @inline(__always)
    static func check(
        of line: UnsafeRawBufferPointer, at position: Int, key: UInt64, copyingTo copy: UnsafeMutableRawPointer? = nil
    ) -> UInt32 {
        let count = line.count
        var first = key ^ UInt64(truncatingIfNeeded: position) &* 0x9E37_79B9_7F4A_7C15
        var second = first &+ UInt64(truncatingIfNeeded: count) &* 0xBB67_AE85_84CA_A73B
        guard let base = line.baseAddress else { return 0 }
        @inline(__always) func word(_ offset: Int) -> UInt64 {
            let word = base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            copy?.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
            return UInt64(littleEndian: word)
        }
        var offset = 0
        while offset &+ 32 <= count {
            first = (first ^ word(offset)).folded(by: 0xA54F_F53A_5F1D_36F1 ^ word(offset &+ 8))
            second = (second ^ word(offset &+ 16)).folded(by: 0x510E_527F_ADE6_82D1 ^ word(offset &+ 24))
            offset &+= 32
        }
        if count >= 32 {
            // The last 32 bytes, some of which were hashed already: that costs less than to hash the rest byte by byte.
            first = (first ^ word(count &- 32)).folded(by: 0x9B05_688C_2B3E_6C1F ^ word(count &- 24))
            second = (second ^ word(count &- 16)).folded(by: 0x1F83_D9AB_FB41_BD6B ^ word(count &- 8))
        } else {
            copy?.copyMemory(from: base, byteCount: count)
            for byte in line { first = (first ^ UInt64(byte)).folded(by: 0x9B05_688C_2B3E_6C1F) }
        }
        let all = (first ^ 0x6A09_E667_F3BC_C909).folded(by: second ^ 0x3C6E_F372_FE94_F82B)
        return UInt32(truncatingIfNeeded: all ^ all &>> 32)
    }
}
