import Testing

@testable import TrackingEvents

@Suite struct LatencyBucketsTests {
    private func told(
        _ total: UInt64, _ ends: ClosedRange<UInt64>, _ sparse: [(upTo: UInt64, count: UInt64)]
    ) -> LatencyBuckets? {
        LatencyBuckets(total: total, least: ends.lowerBound, greatest: ends.upperBound, sparse: sparse)
    }

    /// Log-uniform over the whole range.
    private func values(_ count: Int, seed: UInt64) -> [UInt64] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in random.next() >> (random.next() % 64) }
    }

    @Test func `the buckets cover every value once, from the first to the last`() {
        for bucket in 0..<1920 {
            let (lowest, highest) = (LatencyBuckets.lowest(of: bucket), LatencyBuckets.highest(of: bucket))
            #expect(lowest <= LatencyBuckets.middle(of: bucket) && LatencyBuckets.middle(of: bucket) <= highest)
            #expect(LatencyBuckets.bucket(of: lowest) == bucket && LatencyBuckets.bucket(of: highest) == bucket)
            if bucket > 0 { #expect(LatencyBuckets.highest(of: bucket - 1) + 1 == lowest) }
        }
        #expect(LatencyBuckets.lowest(of: 0) == 0 && LatencyBuckets.highest(of: 1919) == .max)
    }

    @Test(arguments: [0, 1, 2, 31, 1000])
    func `buckets written as a sparse list come back equal`(count: Int) {
        let all = buckets(values(count, seed: UInt64(count)))
        let back = LatencyBuckets(total: all.total, least: all.least, greatest: all.greatest, sparse: all.sparse)
        #expect(back == all)
        #expect(all.sparse.allSatisfy { $0.count > 0 })
        #expect(all.sparse.map(\.upTo) == all.sparse.map(\.upTo).sorted())
    }

    @Test func `numbers that contradict each other are no histogram`() {
        #expect(LatencyBuckets(total: 1, least: 5, greatest: 4, sparse: [(4, 1)]) == nil)
        #expect(LatencyBuckets(total: 1, least: 1, greatest: 4, sparse: [(4, .max), (9, 1)]) == nil)
        #expect(LatencyBuckets(total: 0, least: 5, greatest: 4, sparse: [])?.count == 0)
        // Upper bounds that do not rise, and buckets that contradict the least or the greatest value.
        #expect(told(9, 1...5, [(5, 1), (4, 1)]) == nil)
        #expect(told(9, 4...5, [(5, 1), (5, 1)]) == nil)
        #expect(told(900, 500...600, [(415, 1), (463, 2)]) == nil)
        #expect(told(900, 400...415, [(415, 1), (463, 2)]) == nil)
        #expect(told(900, 400...416, [(415, 1), (463, 2), (900, 0)])?.count == 3)
    }

    @Test func `counts beyond the largest number stay at it, and the percentiles stay right`() throws {
        let half = try #require(told(1 << 63, 10...10, [(10, 1 << 63)]))
        let other = try #require(told(1 << 63, 20...20, [(20, .max)]))
        var all = half
        all.merge(half)
        #expect(all.count == .max && all.total == .max && all.percentile(50) == 10)
        all.merge(other)
        #expect(all.count == .max && all.percentile(1) == 10 && all.percentile(99) == 10 && all.percentile(100) == 20)
    }

    @Test(arguments: 1...8)
    func `the difference from an earlier copy, merged with that copy, is the whole`(seed: UInt64) {
        let all = values(600, seed: seed)
        var told = LatencyBuckets()
        var merged = LatencyBuckets()
        for end in [0, 1, 2, 100, 100, 350, 600] {
            let now = buckets(Array(all[..<end]))
            let new = now.since(told)
            #expect(new.count == now.count - told.count)
            if new.count > 0 { #expect(new.least <= new.greatest && new.least >= now.least && new.greatest <= now.greatest) }
            merged.merge(new)
            #expect(merged == now)
            told = now
        }
    }

    @Test func `the difference of a histogram that began again is the whole histogram`() {
        let told = buckets([10, 20, 30])
        #expect(buckets([10, 20]).since(told) == buckets([10, 20]))
        #expect(buckets([40, 41, 42, 43]).since(told) == buckets([40, 41, 42, 43]))
        #expect(buckets([10, 20, 31, 50]).since(told) == buckets([10, 20, 31, 50]))
        #expect(buckets([10, 20, 30]).since(told).count == 0)
    }
}
