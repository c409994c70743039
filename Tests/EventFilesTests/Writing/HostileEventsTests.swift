import Foundation
import Testing
import TrackingEvents

@testable import EventFiles

/// Events that no program should make, through the writer and back: the file stays sound, and a strict parser reads every line.
@Suite struct HostileEventsTests {
    private static func nested(_ depth: Int) -> TrackingValue { (0..<depth).reduce(.int(1)) { value, _ in .array([value]) } }

    private static let events: [(String, TrackingProperties)] = [
        ("1 MiB in one text", ["x": .string(String(repeating: "é", count: 1 << 19))]),
        ("1 MiB in many texts", TrackingProperties((0..<1_024).map { ("k\($0)", .string(String(repeating: "x", count: 1_024))) })),
        ("a million keys", TrackingProperties((0..<1_000_000).map { ("k\($0)", .int($0)) })),
        ("depth 1,000", ["x": nested(1_000)]),
        ("NUL", ["a\0b": "c\0d"]),
        ("every control character", ["x": .string(String(String.UnicodeScalarView((0..<32).map { UnicodeScalar(UInt8($0)) })))]),
        ("half a surrogate pair", ["x": .string(String(decoding: [0x61, 0xD800, 0x62] as [UInt16], as: UTF16.self))]),
        ("bytes that are no UTF-8", ["x": .string(String(decoding: [0x61, 0xFF, 0xC3] as [UInt8], as: UTF8.self))]),
        ("numbers that are none", ["a": .double(.nan), "b": .double(.infinity), "c": .double(-.infinity), "d": .double(-0.0)]),
        ("the largest numbers", ["a": UInt64.max, "b": .int(Int64.min), "c": .double(.greatestFiniteMagnitude)]),
        ("a line feed in the name of a key", ["a\nb": "c\r\nd\u{2028}"]),
        ("nothing", [:]),
        ("names of the format itself", ["v": 2, "t_ms": "x", "props": .object(["props": .null])]),
    ]

    @Test func `a file with all of these events is sound`() async throws {
        let folder = try WriterTestFolder()
        let writer = try EventFileWriter(folder, options: .lossless)
        for (place, event) in Self.events.enumerated() {
            var random = SeededRandom(seed: UInt64(place))
            writer.record(
                StampedEvent(
                    timeMilliseconds: Int64(place), event: TrackingEvent(event.0, event.1), user: "u", session: "s",
                    sequence: Int64(place + 1), id: EventID(milliseconds: 1, random: &random)))
        }
        try await writer.close()
        let report = try EventFileCheck(EventFileReader(paths: [folder.path])).run()
        #expect(report.isSound, "\(report.faults)")
        let statistics = writer.statistics
        #expect(statistics.written + statistics.dropped == Self.events.count)
        #expect(statistics.droppedByReason.keys.allSatisfy { $0 == .tooLarge })
        for line in try folder.lines() {
            #expect(line.utf8.count < 32 * 1_024)
            #expect(throws: Never.self, "\(line.prefix(200))") { try object(line) }
        }
        let written = Set(try folder.lines().map { try #require(object($0)["name"] as? String) })
        for event in Self.events where !written.contains(event.0) {
            #expect(written.contains(MetaEventName.tooLarge), "\(event.0) is neither written nor reported")
        }
    }

    @Test(arguments: ["", String(repeating: "n", count: 100_000), "\0", "*", "\u{FFFD}"])
    func `an event name of any kind leaves the file sound`(name: String) async throws {
        let folder = try WriterTestFolder()
        let writer = try EventFileWriter(folder)
        writer.record(testEvent(1, name: name))
        writer.record(testEvent(2))
        try await writer.close()
        #expect(try sequences(folder.lines()).contains(2))
        for file in folder.sealed { #expect(try folder.decode(file).hasEndMember) }
        for line in try folder.lines() { #expect(try object(line)["name"] as? String != nil) }
    }
}
