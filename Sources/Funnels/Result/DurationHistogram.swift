import Basics

/// How durations are spread: a count for each stretch of time, each stretch longer than the one before by the same factor.
///
/// The bounds are the same for every sample, eight for each power of ten from 10 ms on: on a logarithmic axis these stretches are equally
/// wide. So there are at most 121 counts, however many durations there are and however long.
public struct DurationHistogram: Sendable, Hashable {
    /// One stretch of time and how many durations lie in it.
    public struct Bucket: Sendable, Hashable {
        /// The first millisecond that belongs to it, and the first one after it. The last stretch ends with `Int64.max`, inclusive.
        public let lower: Int64
        public let upper: Int64
        public let count: Int
    }

    /// From the stretch of the shortest duration to that of the longest; an empty one between them has the count 0.
    public let buckets: [Bucket]

    /// - Parameter sorted: milliseconds, none negative, ascending.
    /// - Complexity: O(log n) for each stretch.
    init(sorted: [Int64]) {
        let stretches = sorted.isEmpty ? 0..<0 : Self.index(of: sorted[0])..<Self.index(of: sorted[sorted.count - 1]) + 1
        var start = 0
        buckets = stretches.map { index in
            let upper = index + 1 < Self.bounds.count ? Self.bounds[index + 1] : .max
            let end = upper == .max ? sorted.count : sorted[start...].partitionPoint { $0 >= upper }
            defer { start = end }
            return Bucket(lower: Self.bounds[index], upper: upper, count: end - start)
        }
    }

    /// Where each stretch begins, in milliseconds. The first holds all below 10 ms, which whole milliseconds cannot divide evenly.
    static let bounds: [Int64] = [0] + (8..<128).map { Int64(pow(10, Double($0) / 8).rounded()) }

    static func index(of milliseconds: Int64) -> Int { max(bounds.partitionPoint { $0 > milliseconds } - 1, 0) }
}
