import Foundation
import LoopTracing
import Testing
import TrackingEvents

/// Values of the shapes in which latencies come, the same at every run.
enum Sample: String, CaseIterable, CustomTestStringConvertible {
    case logNormal, bimodal, constant, heavyTailed, uniform, tiny, huge

    var testDescription: String { rawValue }

    func values(_ count: Int = 20_000, seed: UInt64 = 1) -> [UInt64] {
        var random = SeededRandom(seed: seed)
        func unit() -> Double { (Double(random.next() >> 11) + 0.5) / 9_007_199_254_740_992 }
        func normal() -> Double { (-2 * log(unit())).squareRoot() * cos(2 * .pi * unit()) }
        return (0..<count).map { _ in
            switch self {
            case .logNormal: UInt64(exp(10 + 2 * normal()))
            case .bimodal: UInt64(max(unit() < 0.7 ? 800 + 40 * normal() : 2_000_000 + 90_000 * normal(), 0))
            case .constant: 123_457
            // Pareto with an infinite mean.
            case .heavyTailed: UInt64(min(500 / pow(unit(), 1 / 0.8), 1e18))
            case .uniform: UInt64(unit() * 1_000_000)
            case .tiny: UInt64(unit() * 200)
            case .huge: UInt64.max - UInt64(unit() * 1e18)
            }
        }
    }
}

@Suite struct LatencyHistogramTests {
    private let percents: [Double] = [0, 0.1, 1, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100]

    private func histogram(_ values: [UInt64]) -> LatencyHistogram {
        var histogram = LatencyHistogram()
        for value in values { histogram.record(value) }
        return histogram
    }

    /// The exact percentile, by nearest rank.
    private func exact(_ percent: Double, _ sorted: [UInt64]) -> UInt64 {
        sorted[min(max(Int((percent * Double(sorted.count) / 100).rounded(.up)), 1), sorted.count) - 1]
    }

    @Test(arguments: Sample.allCases)
    func `every percentile is within 2 % of the exact one`(sample: Sample) throws {
        let values = sample.values()
        let sorted = values.sorted()
        let histogram = histogram(values)
        for percent in percents {
            let exact = Double(exact(percent, sorted))
            let told = Double(try #require(histogram.percentile(percent)))
            #expect(abs(told - exact) <= 0.02 * exact, "p\(percent): \(told) for \(exact)")
        }
    }

    @Test func `the promised error of 1 in 64 holds over the whole range, at the edges of buckets too`() throws {
        for power in 0..<64 {
            for offset in [-1, 0, 1, 2] {
                let value = UInt64(1) << UInt64(power) &+ UInt64(bitPattern: Int64(offset))
                // Two others around it, so that it is neither the shortest nor the longest.
                let told = try #require(histogram([0, value, .max]).percentile(50))
                #expect(told.distance(from: value) <= value / 64, "\(value) was told as \(told)")
            }
        }
    }

    @Test func `values below 64 ns are exact`() {
        for value in UInt64(0)..<64 { #expect(histogram([0, value, 1_000]).percentile(50) == value) }
    }

    @Test(arguments: Sample.allCases)
    func `count, min, max and mean are exact`(sample: Sample) throws {
        let values = sample.values(1_000)
        let histogram = histogram(values)
        #expect(histogram.count == 1_000)
        #expect(histogram.min == values.min())
        #expect(histogram.max == values.max())
        if sample != .huge {
            #expect(histogram.total == values.reduce(0, +))
            let total = Double(values.reduce(0, +))
            #expect(histogram.mean == total / 1_000)
        }
    }

    @Test(arguments: Sample.allCases)
    func `merging the parts equals one histogram of all`(sample: Sample) {
        let values = sample.values(5_000)
        for parts in [1, 2, 3, 7] {
            var merged = LatencyHistogram()
            for part in 0..<parts {
                merged.merge(histogram(values.enumerated().filter { $0.offset % parts == part }.map(\.element)))
            }
            #expect(merged == histogram(values))
        }
    }

    @Test func `merging different shapes equals one histogram of all, in either order`() {
        let all = Sample.allCases.map { $0.values(500) }
        var forward = LatencyHistogram()
        for values in all { forward.merge(histogram(values)) }
        var backward = LatencyHistogram()
        for values in all.reversed() { backward.merge(histogram(values)) }
        #expect(forward == histogram(all.flatMap { $0 }))
        #expect(forward == backward)
    }

    @Test func `merging with an empty histogram changes nothing`() {
        let some = histogram([5, 600, 70_000])
        var left = some
        left.merge(LatencyHistogram())
        var right = LatencyHistogram()
        right.merge(some)
        #expect(left == some)
        #expect(right == some)
    }

    @Test func `an empty histogram has no values to tell`() {
        let empty = LatencyHistogram()
        #expect(empty.isEmpty)
        #expect(empty.count == 0)
        #expect(empty.min == nil)
        #expect(empty.max == nil)
        #expect(empty.mean == nil)
        for percent in percents { #expect(empty.percentile(percent) == nil) }
    }

    @Test(arguments: [(-5.0, 10 as UInt64), (0, 10), (100, 30), (250, 30), (.infinity, 30), (-.infinity, 10), (.nan, 10)])
    func `a percentage that makes no sense gives the nearest end`(percent: Double, told: UInt64) {
        #expect(histogram([10, 20, 30]).percentile(percent) == told)
    }

    @Test(arguments: [(1.0, 1 as UInt64), (7, 7), (50, 50), (50.1, 51), (99, 99), (99.5, 100)])
    func `ranks are counted exactly`(percent: Double, told: UInt64) {
        // 100 values, one for each rank: 1 to 63 ns, then 64 to 100 ms.
        let values = Array(1...63) + stride(from: 64 as UInt64, through: 100, by: 1).map { $0 * 1_000_000 }
        let exact = told <= 63 ? told : told * 1_000_000
        #expect(histogram(values).percentile(percent)?.distance(from: exact) ?? .max <= exact / 64)
    }

    @Test func `percentiles never leave the measured range and never fall`() throws {
        for sample in Sample.allCases {
            let histogram = histogram(sample.values(300, seed: 9))
            var before = try #require(histogram.min)
            for percent in stride(from: 0.0, through: 100, by: 0.5) {
                let value = try #require(histogram.percentile(percent))
                #expect(value >= before)
                before = value
            }
            #expect(before == histogram.max)
        }
    }

    @Test func `a sum beyond 2^64 stays there and nothing overflows`() {
        var histogram = histogram([.max, .max, 3])
        #expect(histogram.total == .max)
        histogram.merge(histogram)
        #expect(histogram.total == .max)
        #expect(histogram.count == 6)
    }

    @Test func `a copy keeps its own values`() {
        var first = histogram([1])
        let copy = first
        first.record(2)
        #expect(copy.count == 1)
        #expect(first.count == 2)
    }
}

extension UInt64 {
    fileprivate func distance(from other: UInt64) -> UInt64 { self > other ? self - other : other - self }
}
