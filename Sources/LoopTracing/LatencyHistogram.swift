import Basics
import TrackingEvents

/// A histogram of lengths of time: percentiles within 2 % in bounded memory, for any number of values.
///
/// **Error.** Values up to 63 ns are kept exactly. Above, each power of two has 32 buckets of equal width, and a percentile is the middle
/// of its bucket: at most 1/64, that is 1.6 %, off the exact one of the same values. ``count``, ``min``, ``max`` and ``mean`` are exact.
///
/// **Memory.** Grows with the longest value, to at most 15 KiB; 4 KiB hold values up to 1 ms.
///
/// **Merging.** Two merged histograms equal one that recorded all values: those of threads, processes or files combine without loss.
public struct LatencyHistogram: Sendable, Equatable, CustomStringConvertible {
    /// The counts, in the form that event files and the command share.
    private(set) var buckets = LatencyBuckets()

    /// An empty histogram. It allocates nothing until the first value.
    public init() {}

    init(_ buckets: LatencyBuckets) { self.buckets = buckets }

    /// How many values were recorded.
    public var count: UInt64 { buckets.count }

    /// The sum of all values in nanoseconds; it stays at 2^64-1, which is 584 years, once it gets there.
    public var total: UInt64 { buckets.total }

    package var isEmpty: Bool { buckets.count == 0 }

    /// The shortest value in nanoseconds; `nil` without values.
    public var min: UInt64? { isEmpty ? nil : buckets.least }

    /// The longest value in nanoseconds; `nil` without values.
    public var max: UInt64? { isEmpty ? nil : buckets.greatest }

    /// The arithmetic mean in nanoseconds; `nil` without values.
    public var mean: Double? { isEmpty ? nil : Double(total) / Double(count) }

    /// Records one value in O(1).
    package mutating func record(_ nanoseconds: UInt64) { buckets.record(nanoseconds) }

    /// Adds all values of another histogram in O(1), as there is a fixed number of buckets.
    public mutating func merge(_ other: LatencyHistogram) { buckets.merge(other.buckets) }

    /// A percentile by the nearest-rank definition, in O(1): nanoseconds within 1.6 % of the exact one, between ``min`` and ``max``.
    ///
    /// - Parameter percent: 50 for the median. Below 0 counts as 0, the shortest value; above 100, as 100, the longest.
    /// - Returns: `nil` without values.
    public func percentile(_ percent: Double) -> UInt64? { buckets.percentile(percent) }

    /// One line: `1,204 values, p50 41 ns, p99 184 ns, max 512 ns`.
    public var description: String { GroupedNumber.counted(count, "value") + (isEmpty ? "" : ", \(times)") }

    /// `p50 41 ns, p99 184 ns, max 512 ns`; empty without values.
    var times: String {
        [("p50", percentile(50)), ("p99", percentile(99)), ("max", max)]
            .compactMap { name, time in time.map { "\(name) \(NanosecondText.of($0))" } }.joined(separator: ", ")
    }
}
