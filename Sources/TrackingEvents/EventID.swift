package import Basics

/// A 128-bit identifier, a UUID of version 7 (RFC 9562 §5.7). An id of a later millisecond is larger.
public struct EventID: Sendable, Hashable, Comparable, CustomStringConvertible {
    let high: UInt64
    let low: UInt64

    /// An id from the low 48 bits of a time in milliseconds since 1970 UTC, and 74 random bits.
    public init(milliseconds: Int64, random: inout some RandomNumberGenerator) {
        high = UInt64(truncatingIfNeeded: milliseconds) << 16 | 0x7000 | (random.next() & 0x0FFF)
        low = 0x8000_0000_0000_0000 | (random.next() & 0x3FFF_FFFF_FFFF_FFFF)
    }

    public static func < (a: EventID, b: EventID) -> Bool { (a.high, a.low) < (b.high, b.low) }

    static let textBytes = 36

    package func write(to bytes: ByteBuffer) {
        bytes.reserve(Self.textBytes)
        write(to: bytes.base + bytes.count)
        bytes.advance(by: Self.textBytes)
    }

    /// Writes the 36 bytes of the canonical text: groups of 8, 4, 4, 4 and 12 digits.
    @inline(__always)
    func write(to target: UnsafeMutablePointer<UInt8>) {
        Hexadecimal.write(UInt32(truncatingIfNeeded: high >> 32), to: target)
        target[8] = UInt8(ascii: "-")
        Hexadecimal.write(UInt16(truncatingIfNeeded: high >> 16), to: target + 9)
        target[13] = UInt8(ascii: "-")
        Hexadecimal.write(UInt16(truncatingIfNeeded: high), to: target + 14)
        target[18] = UInt8(ascii: "-")
        Hexadecimal.write(UInt16(truncatingIfNeeded: low >> 48), to: target + 19)
        target[23] = UInt8(ascii: "-")
        Hexadecimal.write(UInt16(truncatingIfNeeded: low >> 32), to: target + 24)
        Hexadecimal.write(UInt32(truncatingIfNeeded: low), to: target + 28)
    }

    /// The canonical form: `0193d5a0-7c11-7abc-8def-0123456789ab`.
    public var description: String { ByteBuffer.text(capacity: 36, write) }
}
