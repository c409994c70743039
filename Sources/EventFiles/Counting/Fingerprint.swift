public import Basics

/// 128 bits that stand for an id, a key or a name: equal bytes have equal fingerprints in every run and on every machine. Of a hundred
/// million different texts two share one by chance with odds below 10⁻²². It is no defence against texts made to collide: whoever can write
/// the files can falsify the counts more simply. Without `@usableFromInline` other modules do not inline what is inlinable here (Swift
/// 6.3.1): a scan of lines takes a twentieth longer.
@usableFromInline
package struct Fingerprint: Sendable, Hashable, BitwiseCopyable {
    @usableFromInline package let high: UInt64
    @usableFromInline package let low: UInt64

    @inlinable @inline(__always)
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Both halves at once, inlined: sets compare fingerprints millions of times.
    @inlinable @inline(__always)
    package static func == (one: Fingerprint, other: Fingerprint) -> Bool { (one.high ^ other.high) | (one.low ^ other.low) == 0 }

    /// No text's fingerprint; marks what is absent.
    @inlinable @inline(__always)
    package static var none: Fingerprint { Fingerprint(high: 0, low: 0) }

    @inlinable @inline(__always)
    package var isNone: Bool { high | low == 0 }

    /// The fingerprint of some bytes; never ``none``. A 64 × 64 → 128 bit multiplication of each eight lets every bit reach every bit.
    @inlinable @inline(__always)
    package static func of(_ bytes: UnsafeRawBufferPointer) -> Fingerprint {
        // The length changes all bits: if it changed only the lowest, another text's bytes could make up for it.
        let length = UInt64(truncatingIfNeeded: bytes.count) &* 0x3C6E_F372_FE94_F82B
        var state = Fingerprint(high: 0x6A09_E667_F3BC_C909 ^ length, low: 0xA54F_F53A_5F1D_36F1 ^ length)
        bytes.forEachWord { state = state.folded(with: $0) }
        return state.finished
    }

    package static func of(_ text: String) -> Fingerprint {
        var text = text
        return text.withUTF8 { of(UnsafeRawBufferPointer($0)) }
    }

    /// 32 digits, lower case.
    var hexadecimal: String { Hexadecimal.text(high) + Hexadecimal.text(low) }

    init?(hexadecimal digits: String) {
        guard let high = Hexadecimal.number(digits.prefix(16), digits: 16), let low = Hexadecimal.number(digits.dropFirst(16), digits: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    /// One fingerprint of two; their order matters.
    @inlinable @inline(__always)
    package static func of(_ first: Fingerprint, _ second: Fingerprint) -> Fingerprint {
        first.finished.folded(with: second.high).folded(with: second.low).finished
    }

    // Odd factors with about half of their bits set, taken from the fractions of √3 and √13; the other constants from √2, √5 and √7.

    @inlinable @inline(__always)
    func folded(with word: UInt64) -> Fingerprint {
        Fingerprint(high: (high ^ word).folded(by: 0xBB67_AE85_84CA_A73B), low: (low ^ word).folded(by: 0x9B05_688C_2B3E_6C1F))
    }

    @inlinable @inline(__always)
    var finished: Fingerprint {
        let (high, low) = (high.folded(by: 0x6A09_E667_F3BC_C909), low.folded(by: 0x3C6E_F372_FE94_F82B))
        return Fingerprint(high: high, low: high | low == 0 ? 1 : low)
    }
}
