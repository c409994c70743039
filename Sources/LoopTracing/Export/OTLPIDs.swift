import Basics

/// The ids of one system's traces and spans, derived from the spans' numbers, so that an effect finds its event's ids without a memory of it.
/// They look random, as collectors expect.
struct OTLPIDs {
    private let seed: UInt64

    init(_ source: TraceSource) { seed = source.id }

    /// 16 bytes in hexadecimal, one for each event and its effects.
    func trace(of number: Int) -> String {
        let number = UInt64(bitPattern: Int64(number))
        return Hexadecimal.text(Self.mixed(seed ^ 0x7472_6163_6500_6964)) + Hexadecimal.text(Self.mixed(seed &+ number))
    }

    /// 8 bytes in hexadecimal. Different ids of one system stay different.
    func span(_ id: UInt64) -> String { Hexadecimal.text(Self.mixed((seed ^ 0x7370_616E) &+ id)) }

    /// One to one, so ids never collide. All zeros would mean no id.
    private static func mixed(_ number: UInt64) -> UInt64 { max(1, SplitMix64.mixed(number &+ SplitMix64.step)) }
}
