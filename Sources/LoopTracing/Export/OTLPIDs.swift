import Basics

/// The ids of one system's traces and spans: they follow from the numbers that spans have, so nothing has to be remembered between an event and
/// its effects, and are as good as random, as their readers want.
struct OTLPIDs {
    private let seed: UInt64

    init(_ source: TraceSource) { seed = source.id }

    /// 16 bytes in hexadecimal: one for each event and what it led to.
    func trace(of number: Int) -> String {
        let number = UInt64(bitPattern: Int64(number))
        return Hexadecimal.text(Self.mixed(seed ^ 0x7472_6163_6500_6964)) + Hexadecimal.text(Self.mixed(seed &+ number))
    }

    /// 8 bytes in hexadecimal. Different ids of one system stay different.
    func span(_ id: UInt64) -> String { Hexadecimal.text(Self.mixed((seed ^ 0x7370_616E) &+ id)) }

    /// Splitmix64's function by Vigna (prng.di.unimi.it): one to one, so that no two numbers meet.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var z = number &+ 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        z ^= z >> 31
        // All zeros mean that there is no id.
        return z == 0 ? 1 : z
    }
}
