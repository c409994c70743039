/// The numbers of splitmix64 by Vigna (prng.di.unimi.it): fast, well mixed, and no secret.
package enum SplitMix64 {
    /// The difference of two successive numbers of a sequence, before mixing. Odd, and without a pattern in its bits.
    package static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// A number in which each bit depends on all bits of `number`. Different numbers give different ones.
    @inlinable
    package static func mixed(_ number: UInt64) -> UInt64 {
        var z = number
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
