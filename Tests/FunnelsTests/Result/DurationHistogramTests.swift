import Testing
import TrackingEvents

@testable import Funnels

@Suite struct DurationHistogramTests {
    private func histogram(_ durations: [Int64]) -> DurationHistogram { DurationHistogram(sorted: durations.sorted()) }

    @Test func `nothing has no stretches, and a sample of one has one`() {
        #expect(histogram([]).buckets.isEmpty)
        #expect(histogram([0]).buckets == [.init(lower: 0, upper: 10, count: 1)])
        #expect(histogram([90_000]).buckets == [.init(lower: 74_989, upper: 100_000, count: 1)])
        #expect(histogram([.max]).buckets.map(\.upper) == [.max])
    }

    @Test func `empty stretches between the shortest and the longest are there`() {
        let buckets = histogram([1000, 1333, 1334, 2400, 2999]).buckets
        #expect(buckets.map(\.lower) == [1000, 1334, 1778, 2371])
        #expect(buckets.map(\.count) == [2, 1, 0, 2])
        #expect(buckets.last?.upper == 3162)
    }

    @Test func `bounds grow by one factor, so that bars are equally wide on a logarithmic axis, and are few`() {
        let bounds = DurationHistogram.bounds
        #expect(bounds[0] == 0 && bounds[1] == 10 && bounds.count < 125)
        for (lower, upper) in zip(bounds.dropFirst(), bounds.dropFirst(2)) {
            let factor = Double(upper) / Double(lower)
            let rounding = 1.2 / Double(lower) + 1e-7
            #expect(abs(factor - 1.3335214) < rounding)
        }
        for (place, bound) in bounds.enumerated() {
            #expect(DurationHistogram.index(of: bound) == place)
            if place > 0 { #expect(DurationHistogram.index(of: bound - 1) == place - 1) }
        }
        #expect(DurationHistogram.index(of: .max) == bounds.count - 1)
    }

    @Test func `every duration is in one stretch, the longest possible one too`() {
        var random = SeededRandom(seed: 3)
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
        var sample: [Int64] = [2000, 1000, 1500, 1500]
        #expect(Distribution(sorting: &sample)?.histogram.buckets.map(\.count) == [1, 2, 1])
    }
}
