import Testing

@testable import Funnels

@Suite("Distribution")
struct DistributionTests {
    @Test(
        "percentiles interpolate linearly between ranks",
        arguments: [
            ([7], 7, 7, 7, 7), ([0, 10], 5, 5, 9, 9.9), ([30, 10, 20], 20, 20, 28, 29.8), ([0, 0, 0], 0, 0, 0, 0),
            ([1, 2, 3, 4], 2.5, 2.5, 3.7, 3.97),
        ] as [([Int64], Double, Double, Double, Double)])
    func percentiles(sample: [Int64], mean: Double, p50: Double, p90: Double, p99: Double) throws {
        var sample = sample
        let distribution = try #require(Distribution(sorting: &sample))
        #expect(distribution.n == sample.count && distribution.mean == mean && distribution.p50 == p50)
        #expect(abs(distribution.p90 - p90) < 1e-9 && abs(distribution.p99 - p99) < 1e-9)
    }

    @Test func `nothing has no distribution`() {
        var nothing: [Int64] = []
        #expect(Distribution(sorting: &nothing) == nil)
    }

    @Test func `the largest durations overflow nothing`() throws {
        var sample: [Int64] = [.max, .max, .max]
        let distribution = try #require(Distribution(sorting: &sample))
        #expect(distribution.mean == Double(Int64.max) && distribution.p99 == Double(Int64.max))
    }
}
