import Basics

/// Chooses the sessions that are tracked when not all are. The choice follows from the session's id alone, so a session is whole or absent,
/// and a person with several may have some of them. The sessions of a smaller rate are among those of a larger.
enum SessionSampling {
    static func rate(_ rate: Double) -> Double { rate.isNaN ? 1 : min(max(rate, 0), 1) }

    static func includes(_ session: String, rate: Double) -> Bool { share(of: session) < rate }

    /// A number from 0 to below 1: the upper 53 bits of FNV-1a of the id's UTF-8, with the last mixing of splitmix64.
    static func share(of session: String) -> Double {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in session.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Double(SplitMix64.mixed(hash) >> 11) * 0x1p-53
    }
}
