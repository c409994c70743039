/// A sample of durations in few numbers.
public struct Distribution: Sendable, Hashable {
    /// How many durations there are; at least 1.
    public let n: Int
    /// All in milliseconds. Percentiles interpolate linearly between ranks: of 0 and 10, the p90 is 9.
    public let mean: Double
    public let p50: Double
    public let p90: Double
    public let p99: Double
    /// The shape of the sample.
    public let histogram: DurationHistogram

    /// The numbers of a sample in any order; `nil` if it is empty.
    ///
    /// - Parameter milliseconds: durations, none negative; they come back sorted.
    /// - Complexity: O(n log n).
    package init?(sorting milliseconds: inout [Int64]) {
        guard !milliseconds.isEmpty else { return nil }
        milliseconds.sort()
        let sorted = milliseconds
        // Summed exactly, so that the order of the keys cannot change a digit.
        let sum = sorted.reduce(UInt128(0)) { $0 + UInt128(UInt64($1)) }
        func percentile(_ share: Double) -> Double {
            let rank = share * Double(sorted.count - 1)
            let below = Int(rank)
            let low = Double(sorted[below])
            guard below + 1 < sorted.count else { return low }
            return low + (Double(sorted[below + 1]) - low) * (rank - Double(below))
        }
        n = sorted.count
        mean = Double(sum) / Double(n)
        p50 = percentile(0.5)
        p90 = percentile(0.9)
        p99 = percentile(0.99)
        histogram = DurationHistogram(sorted: sorted)
    }
}
