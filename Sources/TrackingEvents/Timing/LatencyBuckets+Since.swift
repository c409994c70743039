extension LatencyBuckets {
    /// The values recorded after an earlier copy of this histogram; all values if this does not continue that copy.
    ///
    /// Counts and sum are exact. The shortest and longest value are exact if they are new extremes; else they are the ends of the buckets
    /// that the new values fell into. So consecutive differences, merged, equal this histogram.
    package func since(_ earlier: LatencyBuckets) -> LatencyBuckets {
        guard continues(earlier) else { return self }
        var rest = LatencyBuckets()
        rest.count = count - earlier.count
        guard rest.count > 0 else { return rest }
        rest.total = total - earlier.total
        rest.counts = counts
        for bucket in earlier.counts.indices { rest.counts[bucket] -= earlier.counts[bucket] }
        let first = rest.counts.firstIndex { $0 > 0 } ?? 0
        let last = rest.counts.lastIndex { $0 > 0 } ?? 0
        rest.least = least < earlier.least ? least : max(Self.lowest(of: first), least)
        rest.greatest = greatest > earlier.greatest ? greatest : min(Self.highest(of: last), greatest)
        return rest
    }

    /// Whether no count is lower than in the earlier copy.
    private func continues(_ earlier: LatencyBuckets) -> Bool {
        guard count >= earlier.count, total >= earlier.total, counts.count >= earlier.counts.count, least <= earlier.least,
            greatest >= earlier.greatest
        else { return false }
        return earlier.counts.indices.allSatisfy { counts[$0] >= earlier.counts[$0] }
    }
}
