/// How durations are spread: a count for each stretch of time, stretches growing with the time.
///
/// The bounds are the same for every sample and are round for people, `1m30s`, `2m`, `3m`; each is at most twice the one before, mostly
/// half as much again. So there are less than a hundred counts, however many durations there are and however long.
public struct DurationHistogram: Sendable, Hashable {
    /// One stretch of time and how many durations lie in it.
    public struct Bucket: Sendable, Hashable {
        /// Milliseconds: the first that belongs to it, and the first that does not; beyond the last bound there is `Int64.max`, which belongs.
        public let lower: Int64
        public let upper: Int64
        public let count: Int
    }

    /// From the stretch of the shortest duration to that of the longest; one between that holds none is there with 0.
    public let buckets: [Bucket]

    /// - Parameter sorted: milliseconds, none negative, ascending.
    /// - Complexity: O(log n) for each stretch.
    init(sorted: [Int64]) {
        guard let first = sorted.first, let last = sorted.last else {
            buckets = []
            return
        }
        var buckets: [Bucket] = []
        var start = 0
        for index in Self.index(of: first)...Self.index(of: last) {
            let upper = index + 1 < Self.bounds.count ? Self.bounds[index + 1] : .max
            let end = upper == .max ? sorted.count : Self.firstPlace(in: sorted, from: start) { $0 >= upper }
            buckets.append(Bucket(lower: Self.bounds[index], upper: upper, count: end - start))
            start = end
        }
        self.buckets = buckets
    }

    /// Where each stretch begins, in milliseconds.
    static let bounds: [Int64] = {
        let (second, minute, hour, day, year): (Int64, Int64, Int64, Int64, Int64) = (1000, 60_000, 3_600_000, 86_400_000, 31_536_000_000)
        var bounds: [Int64] = [0]
        for power in [1, 10, 100] as [Int64] { bounds += [10, 15, 20, 30, 40, 50, 70].map { $0 * power / 10 } }
        bounds += [10, 15, 20, 30, 40, 50, 70, 100, 150, 200, 300, 400, 500].map { $0 * second / 10 }
        bounds += [10, 15, 20, 30, 40, 50, 70, 100, 150, 200, 300, 400, 500].map { $0 * minute / 10 }
        bounds += [10, 15, 20, 30, 40, 60, 80, 120, 180].map { $0 * hour / 10 }
        bounds += [10, 15, 20, 30, 40, 50, 70, 100, 140, 210, 300, 450, 600, 900, 1200, 1800, 2700].map { $0 * day / 10 }
        bounds += [1, 2, 3, 5, 10, 20, 30, 50, 100, 1000, 10_000].map { $0 * year }
        // 1.5 ms is cut down to the 1 ms that is there.
        return bounds.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }()

    /// Which stretch a duration lies in.
    static func index(of milliseconds: Int64) -> Int {
        max(firstPlace(in: bounds, from: 0) { $0 > milliseconds } - 1, 0)
    }

    /// The first index whose value fulfils a condition that holds for all values from some index on; the count if there is none.
    private static func firstPlace(in values: [Int64], from start: Int, where condition: (Int64) -> Bool) -> Int {
        var (low, high) = (start, values.count)
        while low < high {
            let middle = low + (high - low) / 2
            if condition(values[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
