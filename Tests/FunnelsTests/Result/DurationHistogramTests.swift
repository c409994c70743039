import Testing

@testable import Funnels

@Suite struct DurationHistogramTests {
    private func histogram(_ durations: [Int64]) -> DurationHistogram { DurationHistogram(sorted: durations.sorted()) }

    @Test func `nothing has no stretches, and a sample of one has one`() {
        #expect(histogram([]).buckets.isEmpty)
        #expect(histogram([0]).buckets == [.init(lower: 0, upper: 1, count: 1)])
        #expect(histogram([90_000]).buckets == [.init(lower: 90_000, upper: 120_000, count: 1)])
        #expect(histogram([.max]).buckets.map(\.upper) == [.max])
    }

    @Test func `empty stretches between the shortest and the longest are there`() {
        let buckets = histogram([1, 1, 5, 6, 6, 9]).buckets
        #expect(buckets.map(\.lower) == [1, 2, 3, 4, 5, 7])
        #expect(buckets.map(\.count) == [2, 0, 0, 0, 3, 1])
        #expect(buckets.last?.upper == 10)
    }

    @Test func `bounds grow, by a factor that is never above two within a year, and are few`() {
        let bounds = DurationHistogram.bounds
        #expect(bounds[0] == 0 && bounds.count < 100)
        for (lower, upper) in zip(bounds, bounds.dropFirst()) {
            #expect(lower < upper)
            #expect(upper <= max(lower * 2, 1) || lower >= 31_536_000_000)
        }
        for (place, bound) in bounds.enumerated() {
            #expect(DurationHistogram.index(of: bound) == place)
            if place > 0 { #expect(DurationHistogram.index(of: bound - 1) == place - 1) }
        }
        #expect(DurationHistogram.index(of: .max) == bounds.count - 1)
    }

    @Test("bounds are round for people", arguments: [1500, 30_000, 60_000, 90_000, 3_600_000, 86_400_000, 604_800_000] as [Int64])
    func round(bound: Int64) { #expect(DurationHistogram.bounds.contains(bound)) }

    @Test func `every duration is in one stretch, the longest possible one too`() {
        var random = SystemRandomNumberGenerator()
        let drawn = (0..<2000).map { _ in Int64.random(in: 0...(.max), using: &random) >> Int64.random(in: 0...62, using: &random) }
        let durations = drawn + [.max, .max - 1, 0]
        let buckets = histogram(durations).buckets
        #expect(buckets.reduce(0) { $0 + $1.count } == 2003)
        for bucket in buckets {
            let within = durations.count { $0 >= bucket.lower && ($0 < bucket.upper || bucket.upper == .max) }
            #expect(bucket.count == within)
        }
    }

    @Test func `a distribution has the shape of its sample`() {
        var sample: [Int64] = [3, 1, 2, 2]
        #expect(Distribution(sorting: &sample)?.histogram.buckets.map(\.count) == [1, 2, 1])
    }
}
