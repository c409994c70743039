import Basics
internal import TrackingEvents

extension LatencyHistogram {
    /// The buckets that are not empty, the shortest times first: for exporters to other formats. A bucket is a range of nanoseconds that
    /// the histogram does not distinguish, and how many values lie in it. O(1).
    public var filledBuckets: [(range: ClosedRange<UInt64>, count: UInt64)] {
        buckets.sparse.map { (range: LatencyBuckets.lowest(of: LatencyBuckets.bucket(of: $0.upTo))...$0.upTo, count: $0.count) }
    }

    /// How many values lie up to each bound in nanoseconds; the bounds rise. A bucket counts where its middle is, so a value within 1.6 %
    /// of a bound may count on its other side.
    func cumulative(upTo bounds: [UInt64]) -> [UInt64] {
        var (passed, bucket) = (UInt64(0), 0)
        return bounds.map { bound in
            // Both ends are exact, so a histogram of one value has no error.
            if bound < buckets.least { return 0 }
            while bucket < buckets.counts.count, buckets.greatest <= bound || LatencyBuckets.middle(of: bucket) <= bound {
                passed = passed.addingClamped(buckets.counts[bucket])
                bucket += 1
            }
            return passed
        }
    }
}
