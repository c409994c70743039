import Testing

@testable import Funnels

@Suite struct DurationHistogramTests {
    private func histogram(_ durations: [Int64]) -> DurationHistogram { DurationHistogram(sorted: durations.sorted()) }

    @Test func `nothing has no stretches, and a sample of one has one`() {
        #expect(histogram([]).buckets.isEmpty)
        #expect(histogram([0]).buckets == [.init(lower: 0, upper: 1, count: 1)])
        #expect(histogram([1000]).buckets == [.init(lower: 896, upper: 1024, count: 1)])
    }

    @Test func `empty stretches between the shortest and the longest are there`() {
        let buckets = histogram([1, 1, 5, 6, 6, 9]).buckets
        #expect(buckets.map(\.lower) == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(buckets.map(\.count) == [2, 0, 0, 0, 1, 2, 0, 1])
        #expect(buckets.last?.upper == 10)
    }

    @Test func `stretches follow each other without a gap over the whole range`() {
        #expect(DurationHistogram.lowerBound(of: 0) == 0)
        for place in 0..<248 {
            let lower = DurationHistogram.lowerBound(of: place)
            let upper = DurationHistogram.lowerBound(of: place + 1)
            #expect(lower < upper)
            #expect(DurationHistogram.place(of: lower) == place)
            #expect(DurationHistogram.place(of: upper == .max ? upper : upper - 1) == place)
            #expect(Double(upper) <= Double(max(lower, 1)) * 1.25 || lower < 4)
        }
        #expect(DurationHistogram.place(of: .max) == 247 && DurationHistogram.lowerBound(of: 248) == .max)
    }

    @Test func `every duration is in one stretch, the longest possible one too`() {
        var random = SystemRandomNumberGenerator()
        let durations = (0..<2000).map { _ in Int64.random(in: 0...(.max), using: &random) >> Int64.random(in: 0...62, using: &random) }
        let buckets = histogram(durations + [.max, .max - 1, 0]).buckets
        #expect(buckets.count <= 252)
        #expect(buckets.reduce(0) { $0 + $1.count } == 2003)
        for bucket in buckets {
            let within = (durations + [.max, .max - 1, 0]).count { $0 >= bucket.lower && ($0 < bucket.upper || bucket.upper == .max) }
            #expect(bucket.count == within)
        }
    }

    @Test func `a distribution has the shape of its sample`() {
        var sample: [Int64] = [3, 1, 2, 2]
        #expect(Distribution(sorting: &sample)?.histogram.buckets.map(\.count) == [1, 2, 1])
    }
}
