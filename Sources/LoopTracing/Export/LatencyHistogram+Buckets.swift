internal import TrackingEvents

extension LatencyHistogram {
    /// A range of lengths of time that are not told apart, and how many values lie in it.
    public struct Bucket: Sendable, Hashable {
        /// In nanoseconds, both ends included.
        public let range: ClosedRange<UInt64>
        public let count: UInt64
    }

    /// The buckets that hold something, the shortest times first: for exporters to formats that are not here.
    ///
    /// - Complexity: O(1), as there is a fixed number of buckets.
    public var filledBuckets: [Bucket] {
        buckets.sparse.map { Bucket(range: LatencyBuckets.lowest(of: LatencyBuckets.bucket(of: $0.upTo))...$0.upTo, count: $0.count) }
    }

    /// How many values lie up to each bound, counted from the shortest.
    ///
    /// A bucket counts where its middle is, so what is within 1.6 % of a bound may be told on the other side of it.
    ///
    /// - Parameter bounds: nanoseconds, rising.
    func cumulative(upTo bounds: [UInt64]) -> [UInt64] {
        var counts: [UInt64] = []
        counts.reserveCapacity(bounds.count)
        var passed: UInt64 = 0
        var bucket = 0
        for bound in bounds {
            // What is known of the ends is exact, so a histogram of one value is told without any error.
            guard buckets.least <= bound else {
                counts.append(0)
                continue
            }
            while bucket < buckets.counts.count, buckets.greatest <= bound || LatencyBuckets.middle(of: bucket) <= bound {
                passed = LatencyBuckets.sum(passed, buckets.counts[bucket])
                bucket += 1
            }
            counts.append(passed)
        }
        return counts
    }
}
