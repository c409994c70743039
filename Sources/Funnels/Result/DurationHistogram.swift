/// How durations are spread: a count for each stretch of time, stretches growing with the time.
///
/// From 4 ms on every doubling is cut into four equal stretches, below it each millisecond is one; so a bound is within a quarter of
/// any duration in its stretch, and however many durations there are and however long, there are at most 252 counts.
public struct DurationHistogram: Sendable, Hashable {
    /// One stretch of time and how many durations lie in it.
    public struct Bucket: Sendable, Hashable {
        /// Milliseconds; the first that belongs to it and the first that does not (the last possible one, at the very end of the range).
        public let lower: Int64
        public let upper: Int64
        public let count: Int
    }

    /// From the stretch of the shortest duration to that of the longest, without gaps: a stretch between that holds none is there with 0.
    public let buckets: [Bucket]

    /// - Parameter sorted: milliseconds, none negative, ascending.
    /// - Complexity: O(log n) for each bucket.
    init(sorted: [Int64]) {
        guard let first = sorted.first, let last = sorted.last else {
            buckets = []
            return
        }
        var buckets: [Bucket] = []
        var start = 0
        for place in Self.place(of: first)...Self.place(of: last) {
            let upper = Self.lowerBound(of: place + 1)
            var low = start
            var high = sorted.count
            while low < high {
                let middle = low + (high - low) / 2
                if sorted[middle] < upper || upper == .max { low = middle + 1 } else { high = middle }
            }
            buckets.append(Bucket(lower: Self.lowerBound(of: place), upper: upper, count: low - start))
            start = low
        }
        self.buckets = buckets
    }

    /// Which stretch a duration lies in, counted from that of 0 ms.
    static func place(of milliseconds: Int64) -> Int {
        if milliseconds < 4 { return Int(max(milliseconds, 0)) }
        let octave = 63 - milliseconds.leadingZeroBitCount
        return (octave - 1) * 4 + Int((milliseconds >> (octave - 2)) & 3)
    }

    /// The first millisecond of a stretch.
    static func lowerBound(of place: Int) -> Int64 {
        if place < 4 { return Int64(place) }
        let octave = place / 4 + 1
        if octave > 62 { return .max }
        return Int64(4 + place % 4) << (octave - 2)
    }
}
