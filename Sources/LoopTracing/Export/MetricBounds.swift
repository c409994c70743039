/// Where the buckets of exported histograms end: fixed, so that the series of two scrapes, or of two machines, can be compared.
public struct MetricBounds: Sendable, Hashable {
    /// In nanoseconds, rising.
    let nanoseconds: [UInt64]

    /// From 1 µs to 30 s, three in each power of ten, and 16 ms for a frame of a screen: 24 bounds.
    public static let standard = MetricBounds([
        .microseconds(1), .nanoseconds(2500), .microseconds(5), .microseconds(10), .microseconds(25), .microseconds(50), .microseconds(100),
        .microseconds(250), .microseconds(500), .milliseconds(1), .microseconds(2500), .milliseconds(5), .milliseconds(10),
        .milliseconds(16), .milliseconds(25), .milliseconds(50), .milliseconds(100), .milliseconds(250), .milliseconds(500), .seconds(1),
        .milliseconds(2500), .seconds(5), .seconds(10), .seconds(30),
    ])

    /// Bounds of one's own, in any order; those that are not above zero, or equal to another to the nanosecond, are left out.
    ///
    /// Each is a series for each event and phase: few are better. Change them only when the history may end.
    public init(_ bounds: [Duration]) {
        nanoseconds = Set(bounds.compactMap(Self.nanoseconds)).sorted()
    }

    var seconds: [Double] { nanoseconds.map { Double($0) / 1e9 } }

    private static func nanoseconds(_ duration: Duration) -> UInt64? {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0, seconds < 1 << 33 else { return nil }
        let all = UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
        return all > 0 ? all : nil
    }
}
