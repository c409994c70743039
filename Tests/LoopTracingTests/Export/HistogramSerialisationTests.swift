import Foundation
import LoopTracing
import Testing

@Suite struct HistogramSerialisationTests {
    private func histogram(_ values: [UInt64]) -> LatencyHistogram {
        var histogram = LatencyHistogram()
        for value in values { histogram.record(value) }
        return histogram
    }

    @Test(arguments: Sample.allCases)
    func `files of many, merged, are one histogram of all`(sample: Sample) throws {
        let parts = (1...5).map { sample.values(4_000, seed: $0) }
        let files = try parts.map { try JSONEncoder().encode(histogram($0)) }
        var merged = LatencyHistogram()
        for file in files { merged.merge(try JSONDecoder().decode(LatencyHistogram.self, from: file)) }
        let all = histogram(parts.flatMap { $0 })
        #expect(merged == all)
        for percent in [0, 1, 50, 90, 99, 99.9, 100] { #expect(merged.percentile(percent) == all.percentile(percent)) }
    }

    @Test func `an empty histogram comes back empty, and takes values`() throws {
        var back = try JSONDecoder().decode(LatencyHistogram.self, from: JSONEncoder().encode(LatencyHistogram()))
        #expect(back == LatencyHistogram() && back.isEmpty && back.min == nil)
        back.record(5)
        #expect(back.min == 5 && back.max == 5)
    }

    @Test(
        "what contradicts itself is an error",
        arguments: [
            #"{"sum_ns":1,"min_ns":1,"max_ns":1,"le_ns":[1,2],"n":[1]}"#, #"{"sum_ns":1,"min_ns":2,"max_ns":1,"le_ns":[1],"n":[1]}"#,
            #"{"sum_ns":1,"min_ns":1,"le_ns":[1],"n":[1]}"#, #"{"sum_ns":-1,"min_ns":1,"max_ns":1,"le_ns":[1],"n":[1]}"#,
        ])
    func contradiction(json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(LatencyHistogram.self, from: Data(json.utf8)) }
    }

    @Test(arguments: Sample.allCases)
    func `the filled buckets hold all values, each in its range`(sample: Sample) {
        let values = sample.values(2_000)
        let buckets = histogram(values).filledBuckets
        #expect(buckets.reduce(0) { $0 + $1.count } == 2_000)
        for bucket in buckets { #expect(bucket.count == UInt64(values.count { bucket.range.contains($0) })) }
        for (lower, upper) in zip(buckets, buckets.dropFirst()) { #expect(lower.range.upperBound < upper.range.lowerBound) }
    }
}
