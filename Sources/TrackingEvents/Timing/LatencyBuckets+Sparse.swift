extension LatencyBuckets {
    /// The buckets that are not empty: the largest value of each, and how many values fell into it.
    ///
    /// Values instead of bucket numbers, so that a reader need not know the numbering.
    package var sparse: [(upTo: UInt64, count: UInt64)] {
        counts.indices.lazy.filter { counts[$0] > 0 }.map { (Self.highest(of: $0), counts[$0]) }
    }

    /// A histogram from its ``sparse`` form, whose bounds rise, with the sum of all values, the shortest and the longest of them; `nil`
    /// if the numbers contradict each other.
    package init?(total: UInt64, least: UInt64, greatest: UInt64, sparse: some Sequence<(upTo: UInt64, count: UInt64)>) {
        var previous: UInt64?
        var first: UInt64?
        var beforeLast: UInt64?
        for (upTo, count) in sparse {
            if let previous, upTo <= previous { return nil }
            if count > 0 {
                first = first ?? upTo
                beforeLast = previous
            }
            previous = upTo
            let bucket = Self.bucket(of: upTo)
            grow(toHold: bucket)
            let (sum, overflow) = self.count.addingReportingOverflow(count)
            if overflow { return nil }
            self.count = sum
            counts[bucket] &+= count
        }
        guard let first else { return }
        guard least <= greatest, least <= first else { return nil }
        if let beforeLast, greatest <= beforeLast { return nil }
        self.total = total
        self.least = least
        self.greatest = greatest
    }
}
