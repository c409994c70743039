import Basics
internal import TrackingEvents

extension LatencyHistogram {
    /// The buckets that are not empty, the shortest times first: for exporters to other formats. A bucket is a range of nanoseconds that
    /// the histogram does not distinguish, and how many values lie in it. O(1).
    public var filledBuckets: [(range: ClosedRange<UInt64>, count: UInt64)] {
        buckets.sparse.map { (range: LatencyBuckets.lowest(of: LatencyBuckets.bucket(of: $0.upTo))...$0.upTo, count: $0.count) }
    }

    /// How many values are at or below each bound in nanoseconds; `bounds` rise. All values of a bucket count where its middle lies, so a
    /// value within 1.6 % of a bound may count on the bound's other side.
    func cumulative(upTo bounds: [UInt64]) -> [UInt64] {
        var (passed, bucket) = (UInt64(0), 0)
        return bounds.map { bound in
            // The shortest and the longest value are exact, so a histogram of one value has no error.
            if bound < buckets.least { return 0 }
            while bucket < buckets.counts.count, buckets.greatest <= bound || LatencyBuckets.middle(of: bucket) <= bound {
                passed = passed.addingClamped(buckets.counts[bucket])
                bucket += 1
            }
            return passed
        }
    }
}

/// Encoded as the numbers of a `timing` line: `{"sum_ns":1290,"min_ns":410,"max_ns":460,"le_ns":[415,463],"n":[1,2]}`. It reads back equal.
extension LatencyHistogram: Codable {
    private struct Numbers: Codable {
        let sum, min, max: UInt64
        let bounds, counts: [UInt64]

        enum CodingKeys: String, CodingKey { case sum = "sum_ns", min = "min_ns", max = "max_ns", bounds = "le_ns", counts = "n" }
    }

    public func encode(to encoder: any Encoder) throws {
        let filled = buckets.sparse
        try Numbers(sum: total, min: min ?? 0, max: max ?? 0, bounds: filled.map(\.upTo), counts: filled.map(\.count)).encode(to: encoder)
    }

    /// - Throws: `DecodingError` where a key is missing or the numbers contradict each other.
    public init(from decoder: any Decoder) throws {
        let numbers = try Numbers(from: decoder)
        let sparse = zip(numbers.bounds, numbers.counts).map { (upTo: $0, count: $1) }
        guard numbers.bounds.count == numbers.counts.count,
            let buckets = LatencyBuckets(total: numbers.sum, least: numbers.min, greatest: numbers.max, sparse: sparse)
        else {
            let problem = "n and le_ns differ in length, le_ns do not rise, or min_ns, max_ns and the counts contradict them"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: problem))
        }
        self.init(buckets)
    }
}
