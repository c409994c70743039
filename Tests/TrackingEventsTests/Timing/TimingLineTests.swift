import Foundation
import Testing

@testable import TrackingEvents

@Suite struct TimingLineTests {
    /// The lines as they would stand in a file.
    private func encoded(_ line: TimingLine) throws -> [[UInt8]] {
        var random = SeededRandom(seed: 1)
        return try line.events.map { event in
            let tracked = StampedEvent(
                timeMilliseconds: 1_767_225_660_000, event: event, id: EventID(milliseconds: 1_767_225_660_000, random: &random),
                kind: .timing,
                system: "shop")
            return try #require(EventLineEncoder().line(of: tracked))
        }
    }

    private func decoded(_ bytes: [UInt8]) throws -> TimingLine? {
        try bytes.withUnsafeBytes { line in
            let event = try EventLineScanner(.wholeLine).scan(UnsafeRawBufferPointer(rebasing: line.dropLast()))
            #expect(event.kind == .timing)
            return TimingLine(properties: event.properties.bytes(in: UnsafeRawBufferPointer(rebasing: line.dropLast())))
        }
    }

    private func decoded(properties: String) -> TimingLine? {
        Array(properties.utf8).withUnsafeBytes { TimingLine(properties: $0) }
    }

    @Test func `a line has what was measured, in the documented form`() throws {
        let lines = try encoded(TimingLine(event: "openProduct", phase: "reduce", buckets: buckets([410, 420, 460])))
        let text = String(decoding: try #require(lines.first), as: UTF8.self)
        #expect(lines.count == 1 && text.hasPrefix(#"{"v":1,"t_ms":1767225660000,"name":"step_timing","id":""#))
        #expect(text.contains(#","type":"timing","system":"shop","props":{"event":"openProduct","phase":"reduce","#))
        #expect(text.hasSuffix(#""count":3,"sum_ns":1290,"min_ns":410,"max_ns":460,"le_ns":[415,423,463],"n":[1,1,1]}}"# + "\n"))
    }

    @Test(
        "what is written is read back, with any name",
        arguments: ["a", "with \"quotes\" \\ and \u{1}", "日本 🛒", "}{][", String(repeating: "n", count: 300)])
    func roundTrip(event: String) throws {
        let line = TimingLine(event: event, phase: "queue_wait", buckets: buckets([0, 5, 77, 1_000_000, 1 << 40]))
        #expect(try encoded(line).map { try decoded($0) } == [line])
    }

    @Test func `numbers beyond 2^53 are texts in the file and come back`() throws {
        let line = TimingLine(event: "a", phase: "total", buckets: buckets([.max, 1 << 60, 3]))
        let lines = try encoded(line)
        #expect(String(decoding: lines[0], as: UTF8.self).contains(#""max_ns":"18446744073709551615""#))
        #expect(try lines.map { try decoded($0) } == [line])
    }

    @Test func `without values there is no line`() {
        #expect(TimingLine(event: "a", phase: "reduce", buckets: LatencyBuckets()).events.isEmpty)
    }

    @Test func `buckets that are too many for one line are in several lines, which add up to the same`() throws {
        var random = SeededRandom(seed: 7)
        var all = LatencyBuckets()
        for _ in 0..<200_000 { all.record(random.next() >> (random.next() % 64)) }
        #expect(all.sparse.count > 1800)
        let event = String(repeating: "\u{1}", count: 1024)
        let lines = try encoded(TimingLine(event: event, phase: "effect", buckets: all))
        #expect(lines.count == (all.sparse.count + TimingLine.maxBuckets - 1) / TimingLine.maxBuckets)
        // Even with this event name, the longest there is, half the limit is left.
        for line in lines { #expect(line.count < EventLineLimits.lineBytes / 2) }
        var merged = LatencyBuckets()
        for line in lines {
            let text = String(decoding: line, as: UTF8.self)
            #expect(!text.contains("_cut"))
            merged.merge(try #require(try decoded(line)).buckets)
        }
        #expect(merged == all)
    }

    @Test(
        "a line that is malformed or contradicts itself is not read",
        arguments: [
            "{}", #"{"event":"a"}"#,
            #"{"event":1,"phase":"p","count":1,"sum_ns":1,"min_ns":1,"max_ns":1,"le_ns":[1],"n":[1]}"#,
            #"{"event":"a","phase":"p","count":2,"sum_ns":1,"min_ns":1,"max_ns":1,"le_ns":[1],"n":[1]}"#,
            #"{"event":"a","phase":"p","count":1,"sum_ns":1,"min_ns":2,"max_ns":1,"le_ns":[1],"n":[1]}"#,
            #"{"event":"a","phase":"p","count":2,"sum_ns":9,"min_ns":1,"max_ns":9,"le_ns":[9,1],"n":[1,1]}"#,
            #"{"event":"a","phase":"p","count":1,"sum_ns":9,"min_ns":10,"max_ns":12,"le_ns":[9],"n":[1]}"#,
            #"{"event":"a","phase":"p","count":1,"sum_ns":-1,"min_ns":1,"max_ns":1,"le_ns":[1],"n":[1]}"#,
            #"{"event":"a","phase":"p","count":1,"sum_ns":1.5,"min_ns":1,"max_ns":1,"le_ns":[1],"n":[1]}"#,
            #"{"event":"a","phase":"p","count":1,"sum_ns":1,"min_ns":1,"max_ns":1,"le_ns":[1,2],"n":[1]}"#,
            #"{"event":"a","phase":"p","count":1,"sum_ns":1,"min_ns":1,"max_ns":1,"le_ns":[[1]],"n":[1]}"#,
            #"{"event":"a","phase":"p","count":1,"sum_ns":1,"min_ns":1,"max_ns":1,"le_ns":[null],"n":[1]}"#,
            #"{"event":"a","phase":"p","count":1,"sum_ns":1,"min_ns":1,"max_ns":1,"le_ns":[99999999999999999999999],"n":[1]}"#,
            #"{"event":"a","phase":"p","count":1,"sum_ns":1,"min_ns":1,"max_ns":1,"le_ns":{"1":1},"n":[1]}"#,
            #"{"event":"a","phase":"p","count":1,"sum_ns":1,"min_ns":1,"max_ns":1,"le_ns":[1],"n":[1"#, "[]", "",
        ])
    func unsound(properties: String) {
        #expect(decoded(properties: properties) == nil)
    }

    @Test func `white space, further keys and any order do no harm`() {
        let line = decoded(
            properties:
                #"{ "n" : [ 2 , 1 ], "le_ns" : [ 7 , 9 ] , "more":{"x":[1]}, "max_ns":"9","min_ns":7,"sum_ns":23,"count":3,"phase":"p","event":"a"}"#
        )
        #expect(line == TimingLine(event: "a", phase: "p", buckets: buckets([7, 7, 9])))
    }
}
