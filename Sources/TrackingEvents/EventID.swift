package import Basics

/// A 128-bit identifier, a UUID of version 7 (RFC 9562 §5.7). Ids of later events are larger.
public struct EventID: Sendable, Hashable, Comparable {
    let high: UInt64
    let low: UInt64

    /// An id from a time and 74 random bits.
    ///
    /// - Parameters:
    ///   - milliseconds: since 1970 UTC; the low 48 bits are used.
    ///   - random: the source of the 74 random bits.
    public init(milliseconds: Int64, random: inout some RandomNumberGenerator) {
        self.init(milliseconds: milliseconds, randomHigh: random.next(), randomLow: random.next())
    }

    init(milliseconds: Int64, randomHigh: UInt64, randomLow: UInt64) {
        high = UInt64(truncatingIfNeeded: milliseconds) << 16 | 0x7000 | (randomHigh & 0x0FFF)
        low = 0x8000_0000_0000_0000 | (randomLow & 0x3FFF_FFFF_FFFF_FFFF)
    }

    public static func < (a: EventID, b: EventID) -> Bool { (a.high, a.low) < (b.high, b.low) }

    /// Appends the 36 bytes of the canonical text.
    package func write(to bytes: ByteBuffer) {
        bytes.reserve(36)
        var shift: UInt64 = 60
        for position in 0..<32 {
            if position == 8 || position == 12 || position == 16 || position == 20 { bytes.appendUnchecked(UInt8(ascii: "-")) }
            let word = position < 16 ? high : low
            let nibble = UInt8(truncatingIfNeeded: word >> shift) & 0xF
            bytes.appendUnchecked(nibble < 10 ? nibble + UInt8(ascii: "0") : nibble - 10 + UInt8(ascii: "a"))
            shift = shift == 0 ? 60 : shift - 4
        }
    }
}

extension EventID: CustomStringConvertible {
    /// The canonical form: `0193d5a0-7c11-7abc-8def-0123456789ab`.
    public var description: String {
        let bytes = ByteBuffer(capacity: 36)
        write(to: bytes)
        return bytes.text
    }
}
