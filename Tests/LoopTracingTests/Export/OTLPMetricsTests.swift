import LoopCore
import Foundation
import LoopTesting
@testable import LoopTracing
import Testing
import TrackingEvents

@Suite struct OTLPMetricsTests {
    private let time = ManualWallClock(milliseconds: 1_767_225_600_000)

    private func metrics(_ measurements: Measurements, service: String = "shop", attributes: [String: String] = [:]) throws -> [String: Any]
    {
        let metrics = OTLPMetrics(
            service: service, attributes: attributes, bounds: [.microseconds(1), .milliseconds(1)], clock: time.clock)
        time.advance(by: .seconds(60))
        let line = metrics.line(of: measurements)
        #expect(line.hasSuffix("\n") && line.filter { $0 == "\n" }.count == 1)
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    private func inside(_ json: Any?, _ path: Any...) throws -> Any {
        try path.reduce(try #require(json)) { value, step in
            switch step {
            case let key as String: try #require((value as? [String: Any])?[key], "\(key)")
            case let place as Int: try #require((value as? [Any])?[place])
            default: value
            }
        }
    }

    @Test func `a histogram follows OTLP's JSON mapping: wide numbers are texts, enumerations are numbers`() throws {
        let measurements = Measurements(clock: time.clock)
        Measured.note("open", reduce: 500, system: "shop", in: measurements)
        Measured.note("open", reduce: 2_000, system: "shop", in: measurements)
        Measured.note("open", reduce: 3_000_000, system: "shop", in: measurements, .failed(CancellationError()))
        let json = try metrics(measurements)
        let metric = try inside(json, "resourceMetrics", 0, "scopeMetrics", 0, "metrics", 0)
        #expect(try inside(metric, "name") as? String == "looptrail.step.duration" && inside(metric, "unit") as? String == "s")
        #expect(try inside(metric, "histogram", "aggregationTemporality") as? Int == 2)
        let points = try #require(try inside(metric, "histogram", "dataPoints") as? [[String: Any]])
        let reduce = try #require(points.first { point in "\(point)".contains("reduce") })
        #expect(reduce["count"] as? String == "3" && reduce["bucketCounts"] as? [String] == ["1", "1", "1"])
        #expect(reduce["explicitBounds"] as? [Double] == [1e-6, 1e-3] && reduce["sum"] as? Double == 0.0030025)
        #expect(reduce["min"] as? Double == 5e-7 && reduce["max"] as? Double == 0.003)
        #expect(
            reduce["startTimeUnixNano"] as? String == "1767225600000000000" && reduce["timeUnixNano"] as? String == "1767225660000000000")
        #expect(try inside(reduce, "attributes", 0, "key") as? String == "system")
        #expect(try inside(reduce, "attributes", 1, "value", "stringValue") as? String == "open")
        #expect(try inside(reduce, "attributes", 2, "value", "stringValue") as? String == "reduce")

        let sum = try inside(json, "resourceMetrics", 0, "scopeMetrics", 0, "metrics", 1, "sum")
        #expect(try inside(sum, "isMonotonic") as? Bool == true)
        let counts = try #require(try inside(sum, "dataPoints") as? [[String: Any]]).map { $0["asInt"] as? String }
        #expect(counts == ["2", "1", "0"])
    }

    @Test func `counts begin with the measurements, however often they are exported, and anew after a reset`() throws {
        let measurements = Measurements(clock: time.clock)
        Measured.note("open", reduce: 500, in: measurements)
        func starts() throws -> [String?] {
            let json = try metrics(measurements)
            let points = try inside(json, "resourceMetrics", 0, "scopeMetrics", 0, "metrics", 1, "sum", "dataPoints")
            return try #require(points as? [[String: Any]]).map { $0["startTimeUnixNano"] as? String }
        }
        #expect(try starts() == Array(repeating: "1767225600000000000", count: 3))
        #expect(try starts() == Array(repeating: "1767225600000000000", count: 3), "a second export is no reset")
        measurements.reset()
        Measured.note("open", reduce: 500, in: measurements)
        #expect(try starts() == Array(repeating: "1767225720000000000", count: 3))
    }

    @Test func `a reset while a line is made does not date new counts from the old beginning`() {
        let measurements = Measurements(clock: time.clock)
        Measured.note("open", reduce: 500, in: measurements)
        let clock = WallClock { [time] in
            time.advance(by: .seconds(1))
            measurements.reset()
            return time.milliseconds
        }
        let line = OTLPMetrics(service: "shop", clock: clock).line(of: measurements)
        #expect(line.contains(#""startTimeUnixNano":"1767225600000000000""#) && line.contains(#""asInt":"1""#))
    }

    @Test func `the service and its attributes name the resource`() throws {
        let json = try metrics(
            Measurements(), service: "shop \"1\"\n", attributes: ["service.version": "2", "service.name": "other"])
        let attributes = try inside(json, "resourceMetrics", 0, "resource", "attributes")
        #expect((attributes as? [[String: Any]])?.map { $0["key"] as? String } == ["service.name", "service.version"])
        #expect(try inside(attributes, 0, "value", "stringValue") as? String == "shop \"1\"\n")
    }

    @Test(arguments: Sample.allCases)
    func `the buckets of a point hold all values`(sample: Sample) throws {
        let json = try metrics(Measured.times(sample.values(1_000)))
        let points = try inside(json, "resourceMetrics", 0, "scopeMetrics", 0, "metrics", 0, "histogram", "dataPoints")
        for point in try #require(points as? [[String: Any]]) {
            let counts = try #require(point["bucketCounts"] as? [String]).map { Int($0) ?? -1 }
            #expect(counts.reduce(0, +) == 1_000 && counts.allSatisfy { $0 >= 0 } && counts.count == 3)
        }
    }

    @Test func `a clock that was set back does not end a time before it began`() throws {
        let metrics = OTLPMetrics(service: "shop", clock: time.clock)
        let measurements = Measurements(clock: time.clock)
        Measured.note("tick", reduce: 1, in: measurements)
        time.advance(by: .seconds(-3600))
        #expect(metrics.line(of: measurements).contains(#""timeUnixNano":"1767225600000000000""#))
    }
}
