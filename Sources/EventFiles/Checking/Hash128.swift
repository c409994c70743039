/// 128-bit fingerprints of texts. Of a hundred million different ones two are equal by chance with odds below 10⁻²².
///
/// Two multiply-and-fold hashes with different constants. Not against texts made to collide: whoever can write the files can falsify
/// them more simply.
enum Hash128 {
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt128 {
        // Odd numbers with about half of their bits set, from the fractions of √2, √3, √5 and √7.
        let (startA, factorA): (UInt64, UInt64) = (0x6A09_E667_F3BC_C909, 0xBB67_AE85_84CA_A73B)
        let (startB, factorB): (UInt64, UInt64) = (0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1)
        var a = startA ^ UInt64(truncatingIfNeeded: bytes.count)
        var b = startB ^ UInt64(truncatingIfNeeded: bytes.count)
        var place = 0
        while place < bytes.count {
            var word: UInt64 = 0
            if place + 8 <= bytes.count {
                word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            } else {
                for byte in bytes[place...].reversed() { word = word << 8 | UInt64(byte) }
            }
            a = fold(a ^ word, factorA)
            b = fold(b ^ word, factorB) ^ word
            place += 8
        }
        return UInt128(fold(a, startB)) << 64 | UInt128(fold(b, startA))
    }

    static func of(_ text: String) -> UInt128 {
        var text = text
        return text.withUTF8 { of(UnsafeRawBufferPointer($0)) }
    }

    @inline(__always)
    private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let (high, low) = a.multipliedFullWidth(by: b)
        return high ^ low
    }
}

/// A set of fingerprints in as few bytes as they allow: 20 to 40 each. Only grows.
struct Hash128Set: ~Copyable {
    private var slots: UnsafeMutablePointer<UInt128>
    private var mask: Int
    private(set) var count = 0
    private var hasZero = false

    init() {
        mask = 1023
        slots = .allocate(capacity: mask + 1)
        slots.initialize(repeating: 0, count: mask + 1)
    }

    deinit { slots.deallocate() }

    /// Adds a fingerprint; says whether it is new.
    mutating func insert(_ hash: UInt128) -> Bool {
        if hash == 0 {
            // Zero marks a free slot.
            defer { hasZero = true }
            return !hasZero
        }
        guard Self.insert(hash, slots, mask) else { return false }
        count += 1
        if count * 5 > mask * 4 { grow() }
        return true
    }

    private static func insert(_ hash: UInt128, _ slots: UnsafeMutablePointer<UInt128>, _ mask: Int) -> Bool {
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if slots[slot] == hash { return false }
            slot = (slot + 1) & mask
        }
        slots[slot] = hash
        return true
    }

    private mutating func grow() {
        let capacity = (mask + 1) * 2
        let larger = UnsafeMutablePointer<UInt128>.allocate(capacity: capacity)
        larger.initialize(repeating: 0, count: capacity)
        for slot in 0...mask where slots[slot] != 0 { _ = Self.insert(slots[slot], larger, capacity - 1) }
        slots.deallocate()
        slots = larger
        mask = capacity - 1
    }
}
