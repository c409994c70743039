internal import TrackingEvents

extension LatencyHistogram {
    /// The buckets that are not empty, the shortest times first: for exporters to other formats.
    ///
    /// A bucket is a range of nanoseconds that the histogram does not distinguish, and how many values lie in it.
    ///
    /// - Complexity: O(1), as there is a fixed number of buckets.
    public var filledBuckets: [(range: ClosedRange<UInt64>, count: UInt64)] {
        buckets.sparse.map { (range: LatencyBuckets.lowest(of: LatencyBuckets.bucket(of: $0.upTo))...$0.upTo, count: $0.count) }
    }

    /// How many values lie up to each bound, counted from the shortest.
    ///
    /// A bucket counts where its middle is, so a value within 1.6 % of a bound may count on its other side.
    ///
    /// - Parameter bounds: nanoseconds, rising.
    func cumulative(upTo bounds: [UInt64]) -> [UInt64] {
        var counts: [UInt64] = []
        counts.reserveCapacity(bounds.count)
        var passed: UInt64 = 0
        var bucket = 0
        for bound in bounds {
            // Both ends are exact, so a histogram of one value has no error.
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
