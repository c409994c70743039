internal import TrackingEvents

/// Encoded as the numbers of a `timing` line: `{"sum_ns":1290,"min_ns":410,"max_ns":460,"le_ns":[415,463],"n":[1,2]}`.
///
/// A decoded histogram equals the encoded one, so merging decoded histograms equals merging the originals.
extension LatencyHistogram: Codable {
    private enum CodingKeys: String, CodingKey {
        case sum = "sum_ns"
        case min = "min_ns"
        case max = "max_ns"
        case bounds = "le_ns"
        case counts = "n"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let filled = buckets.sparse
        try container.encode(total, forKey: .sum)
        try container.encode(min ?? 0, forKey: .min)
        try container.encode(max ?? 0, forKey: .max)
        try container.encode(filled.map(\.upTo), forKey: .bounds)
        try container.encode(filled.map(\.count), forKey: .counts)
    }

    /// - Throws: `DecodingError` where a key is missing or the numbers contradict each other.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let bounds = try container.decode([UInt64].self, forKey: .bounds)
        let counts = try container.decode([UInt64].self, forKey: .counts)
        guard bounds.count == counts.count else {
            throw DecodingError.dataCorruptedError(
                forKey: .counts, in: container, debugDescription: "\(counts.count) counts for \(bounds.count) buckets")
        }
        let buckets = try LatencyBuckets(
            total: container.decode(UInt64.self, forKey: .sum), least: container.decode(UInt64.self, forKey: .min),
            greatest: container.decode(UInt64.self, forKey: .max), sparse: zip(bounds, counts).map { (upTo: $0, count: $1) })
        guard let buckets else {
            throw DecodingError.dataCorruptedError(
                forKey: .counts, in: container,
                debugDescription: "the counts exceed what can be counted, le_ns do not rise, or min_ns and max_ns are not where they say")
        }
        self.init(buckets)
    }
}
