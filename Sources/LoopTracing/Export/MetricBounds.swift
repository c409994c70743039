import Basics

/// Where the buckets of exported histograms end. The standard ones are fixed, so that two scrapes, or two machines, can be compared.
enum MetricBounds {
    /// From 1 µs to 30 s, three in each power of ten, and 16 ms for a frame of a screen: 24 bounds.
    static let standard = nanoseconds([
        .microseconds(1), .nanoseconds(2500), .microseconds(5), .microseconds(10), .microseconds(25), .microseconds(50), .microseconds(100),
        .microseconds(250), .microseconds(500), .milliseconds(1), .microseconds(2500), .milliseconds(5), .milliseconds(10),
        .milliseconds(16), .milliseconds(25), .milliseconds(50), .milliseconds(100), .milliseconds(250), .milliseconds(500), .seconds(1),
        .milliseconds(2500), .seconds(5), .seconds(10), .seconds(30),
    ])

    /// Bounds in any order as rising nanoseconds. Those that are not above zero, or repeat another to the nanosecond, are left out.
    static func nanoseconds(_ bounds: [Duration]) -> [UInt64] {
        Set(bounds.map { UInt64(max($0.clampedNanoseconds, 0)) }.filter { $0 > 0 }).sorted()
    }
}
