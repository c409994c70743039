/// SHA-256 as FIPS 180-4 defines it, and HMAC over it as RFC 2104 does: the same code on all systems. A copy of the value goes on from
/// where the original was. ``update(_:)`` and ``finish()`` allocate nothing.
package struct SHA256: Sendable, Equatable {
    static let blockBytes = 64
    package typealias Digest = SIMD32<UInt8>

    private var state = SIMD8<UInt32>(
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19)
    /// The bytes that do not fill a block yet.
    private var block = SIMD64<UInt8>()
    private var filled = 0
    private var length: UInt64 = 0

    package init() {}

    package static func digest(of message: some Collection<UInt8>) -> Digest {
        var hash = SHA256()
        Array(message).withUnsafeBytes { hash.update($0) }
        return hash.finish()
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        length += UInt64(bytes.count)
        var rest = bytes[...]
        while filled > 0, let byte = rest.popFirst() { put(byte) }
        while rest.count >= Self.blockBytes {
            compress(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.blockBytes)))
            rest = rest.dropFirst(Self.blockBytes)
        }
        while let byte = rest.popFirst() { put(byte) }
    }

    /// Ends the message (FIPS 180-4 §5.1.1: a one, zeros, the length in bits).
    package mutating func finish() -> Digest {
        let bits = length &* 8
        put(0x80)
        while filled != 56 { put(0) }
        for shift in stride(from: 56, through: 0, by: -8) { put(UInt8(truncatingIfNeeded: bits >> UInt64(shift))) }
        var digest = Digest()
        for index in 0..<32 { digest[index] = UInt8(truncatingIfNeeded: state[index / 4] >> UInt32(24 - index % 4 * 8)) }
        return digest
    }

    private mutating func put(_ byte: UInt8) {
        block[filled] = byte
        filled += 1
        if filled < Self.blockBytes { return }
        filled = 0
        let full = block
        withUnsafeBytes(of: full) { compress($0) }
    }

    /// FIPS 180-4 §6.2.2. It works on eight separate words, because the elements of a vector are slow to reach, above all in debug builds.
    private mutating func compress(_ bytes: UnsafeRawBufferPointer) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            var index = 0
            while index < 16 {
                schedule[index] = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
                index += 1
            }
            while index < 64 {
                let (a, b) = (schedule[index - 15], schedule[index - 2])
                let small = Self.rotated(a, 7) ^ Self.rotated(a, 18) ^ (a >> 3)
                let large = Self.rotated(b, 17) ^ Self.rotated(b, 19) ^ (b >> 10)
                schedule[index] = schedule[index - 16] &+ small &+ schedule[index - 7] &+ large
                index += 1
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            Self.constants.withUnsafeBufferPointer { constants in
                index = 0
                while index < 64 {
                    let choice = (e & f) ^ (~e & g)
                    let majority = (a & b) ^ (a & c) ^ (b & c)
                    let first =
                        h &+ (Self.rotated(e, 6) ^ Self.rotated(e, 11) ^ Self.rotated(e, 25)) &+ choice &+ constants[index]
                        &+ schedule[index]
                    let second = (Self.rotated(a, 2) ^ Self.rotated(a, 13) ^ Self.rotated(a, 22)) &+ majority
                    (h, g, f, e) = (g, f, e, d &+ first)
                    (d, c, b, a) = (c, b, a, first &+ second)
                    index += 1
                }
            }
            state = state &+ SIMD8(a, b, c, d, e, f, g, h)
        }
    }

    @inline(__always)
    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    /// FIPS 180-4 §4.2.2: the fractions of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01,
        0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC,
        0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147,
        0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116, 0x1E37_6C08,
        0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3, 0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208,
        0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}

/// A keyed hash (RFC 2104). The key's two blocks are hashed only once, in `init`.
struct HMACSHA256: Sendable, Equatable {
    private let inner: SHA256
    private let outer: SHA256

    init(key: [UInt8]) {
        var block = SIMD64<UInt8>()
        let bytes = key.count > SHA256.blockBytes ? withUnsafeBytes(of: SHA256.digest(of: key), Array.init) : key
        for (index, byte) in bytes.enumerated() { block[index] = byte }
        inner = Self.begun(with: block ^ SIMD64(repeating: 0x36))
        outer = Self.begun(with: block ^ SIMD64(repeating: 0x5C))
    }

    func code(of message: UnsafeRawBufferPointer) -> SHA256.Digest {
        var inner = inner
        inner.update(message)
        let digest = inner.finish()
        var outer = outer
        withUnsafeBytes(of: digest) { outer.update($0) }
        return outer.finish()
    }

    private static func begun(with block: SIMD64<UInt8>) -> SHA256 {
        var hash = SHA256()
        withUnsafeBytes(of: block) { hash.update($0) }
        return hash
    }
}
