/// How often which length of time was measured: percentiles within 2 % in bounded memory, for any number of values.
///
/// ```swift
/// var latencies = LatencyHistogram()
/// latencies.record(1_250)
/// latencies.percentile(99)        // nanoseconds
/// ```
/// **Error.** Values up to 63 ns are kept exactly. Above, each power of two is divided into 32 buckets of one width, and a percentile is
/// told as the middle of its bucket: at most 1/64, that is 1.6 %, off the exact percentile of the same values. ``count``, ``min``,
/// ``max`` and ``mean`` are exact.
///
/// **Memory.** Grows with the longest value, to 15 KiB at most; 4 KiB hold values to 1 ms.
///
/// **Merging.** Two histograms added are the same as one that took all the values, so those of several threads, processes or
/// files come together without loss.
public struct LatencyHistogram: Sendable, Equatable {
    /// 2^5 buckets in each power of two.
    private static let subBits = 5
    /// Below this a bucket is one value.
    private static let exactBelow: UInt64 = 1 << UInt64(subBits + 1)

    private var buckets: ContiguousArray<UInt64> = []

    /// How many values were recorded.
    public private(set) var count: UInt64 = 0
    /// The sum of all values in nanoseconds; it stays at 2^64-1, which is 584 years, once it gets there.
    public private(set) var total: UInt64 = 0
    private var least = UInt64.max
    private var greatest: UInt64 = 0

    /// An empty histogram. It takes no memory beyond itself until the first value.
    public init() {}

    public var isEmpty: Bool { count == 0 }

    /// The shortest value in nanoseconds; `nil` without values.
    public var min: UInt64? { isEmpty ? nil : least }

    /// The longest value in nanoseconds; `nil` without values.
    public var max: UInt64? { isEmpty ? nil : greatest }

    /// The arithmetic mean in nanoseconds; `nil` without values.
    public var mean: Double? { isEmpty ? nil : Double(total) / Double(count) }

    /// Takes one value.
    ///
    /// - Parameter nanoseconds: any value; all are told apart to within the error.
    /// - Complexity: O(1).
    public mutating func record(_ nanoseconds: UInt64) {
        let bucket = Self.bucket(of: nanoseconds)
        if bucket >= buckets.count { grow(toHold: bucket) }
        buckets[bucket] &+= 1
        count &+= 1
        let (sum, overflow) = total.addingReportingOverflow(nanoseconds)
        total = overflow ? .max : sum
        if nanoseconds < least { least = nanoseconds }
        if nanoseconds > greatest { greatest = nanoseconds }
    }

    /// Adds all values of another histogram.
    ///
    /// - Complexity: O(1), as there is a fixed number of buckets.
    public mutating func merge(_ other: LatencyHistogram) {
        guard !other.isEmpty else { return }
        if other.buckets.count > buckets.count { grow(toHold: other.buckets.count - 1) }
        for bucket in other.buckets.indices { buckets[bucket] &+= other.buckets[bucket] }
        count &+= other.count
        let (sum, overflow) = total.addingReportingOverflow(other.total)
        total = overflow ? .max : sum
        least = Swift.min(least, other.least)
        greatest = Swift.max(greatest, other.greatest)
    }

    /// The value that so many per cent of the values do not exceed, by the nearest-rank definition.
    ///
    /// - Parameter percent: 50 for the median. Below 0 counts as 0, the shortest value; above 100, as 100, the longest.
    /// - Returns: nanoseconds within 1.6 % of the exact answer and never outside ``min`` and ``max``; `nil` without values.
    /// - Complexity: O(1), as there is a fixed number of buckets.
    public func percentile(_ percent: Double) -> UInt64? {
        guard !isEmpty else { return nil }
        let rank = rank(of: percent)
        // The ends are known exactly.
        if rank == 1 { return least }
        if rank == count { return greatest }
        var passed: UInt64 = 0
        for bucket in buckets.indices {
            passed &+= buckets[bucket]
            if passed >= rank { return Swift.min(Swift.max(Self.middle(of: bucket), least), greatest) }
        }
        return greatest
    }

    /// From 1 to ``count``.
    private func rank(of percent: Double) -> UInt64 {
        // Not a number fails both comparisons and counts as 0.
        guard percent > 0 else { return 1 }
        guard percent < 100 else { return count }
        // Multiplied first: 7 / 100 * 100 is a little more than 7.
        let exact = (percent * Double(count) / 100).rounded(.up)
        return Swift.min(Swift.max(UInt64(exactly: exact) ?? count, 1), count)
    }

    /// In steps of a whole power of two, so that few records pay for it.
    private mutating func grow(toHold bucket: Int) {
        let perPower = 1 << Self.subBits
        let size = (bucket / perPower + 1) * perPower
        buckets.append(contentsOf: repeatElement(0, count: size - buckets.count))
    }

    /// The bucket's number is the value's highest six bits with the power of two before them.
    private static func bucket(of value: UInt64) -> Int {
        if value < exactBelow { return Int(value) }
        let shift = 63 - value.leadingZeroBitCount - subBits
        return (shift << subBits) + Int(truncatingIfNeeded: value >> UInt64(shift))
    }

    private static func middle(of bucket: Int) -> UInt64 {
        if bucket < Int(exactBelow) { return UInt64(bucket) }
        let shift = UInt64((bucket >> subBits) - 1)
        let top = UInt64((bucket & ((1 << subBits) - 1)) | (1 << subBits))
        return (top << shift) + ((1 << shift) / 2)
    }
}
