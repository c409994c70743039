import Basics

/// A fast random generator with a state of 256 bits: xoshiro256** by Blackman and Vigna (prng.di.unimi.it), seeded by their splitmix64.
///
/// Event ids need uniqueness and speed, not secrecy: on Linux, the system's generator takes a system call for each number. A fixed seed
/// repeats the same numbers, for tests and simulations.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var a: UInt64
    private var b: UInt64
    private var c: UInt64
    private var d: UInt64

    /// A generator whose numbers follow from `seed` alone.
    public init(seed: UInt64) {
        var mixer = seed
        func next() -> UInt64 {
            mixer &+= SplitMix64.step
            return SplitMix64.mixed(mixer)
        }
        (a, b, c, d) = (next(), next(), next(), next())
    }

    /// A generator with 256 bits of the system's randomness.
    @usableFromInline package init() {
        var system = SystemRandomNumberGenerator()
        (a, b, c, d) = (system.next(), system.next(), system.next(), system.next() | 1)
    }

    public mutating func next() -> UInt64 {
        let product = b &* 5
        let result = (product << 7 | product >> 57) &* 9
        let t = b << 17
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= t
        d = d << 45 | d >> 19
        return result
    }
}
