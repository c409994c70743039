import Basics
import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// The writer works with options that nobody should choose, and with clocks that nobody should have.
@Suite(.notForever) struct OddLimitsTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()

    init() throws { folder = try WriterTestFolder() }

    private static let sizes: [(String, @Sendable (inout EventFileWriterOptions, Int) -> Void)] = [
        ("ringEvents", { $0.ringEvents = $1 }), ("ringBytes", { $0.ringBytes = $1 }),
        ("reservedMetaPlaces", { $0.reservedMetaPlaces = $1 }), ("unwrittenEvents", { $0.unwrittenEvents = $1 }),
        ("unwrittenBytes", { $0.unwrittenBytes = $1 }), ("compressionLevel", { $0.compressionLevel = $1 }),
        ("repackLevel", { $0.repackLevel = $1 }), ("rotateBytes", { $0.rotateBytes = Int64($1) }),
        ("retainBytes", { $0.retainBytes = Int64($1) }), ("retainFiles", { $0.retainFiles = $1 }),
        ("quarantineBytes", { $0.quarantineBytes = Int64($1) }),
    ]

    private static let durations: [(String, @Sendable (inout EventFileWriterOptions, Duration) -> Void)] = [
        ("idle", { $0.idle = $1 }), ("rotateAge", { $0.rotateAge = $1 }), ("retainAge", { $0.retainAge = $1 }),
        ("firstRetry", { $0.firstRetry = $1 }), ("longestRetry", { $0.longestRetry = $1 }),
        ("overflow", { $0.overflow = .block(upTo: $1) }),
    ]

    /// A life with events, notes, an orphan and rotations. The counts add up, whatever is kept.
    private func live(_ options: EventFileWriterOptions, _ label: String) async throws {
        let folder = try WriterTestFolder()
        try folder.put(try member(1...3, session: "orphan") + [1, 2, 3], SegmentName(stem: "events", writer: 9, number: 1).open)
        let writer = try EventFileWriter(folder, options: options, clock: clock, fileSystem: quickFiles().fileSystem)
        _ = try await writer.recovered()
        for round in 1...3 {
            writer.record(testEvent(3 * round - 2, name: "session_started", kind: .meta))
            writer.record(testEvent(3 * round - 1))
            writer.record(testEvent(3 * round, name: String(repeating: "n", count: 300)))
            try await writer.flush()
            try await writer.rotate()
        }
        try await writer.close()
        let statistics = writer.statistics
        #expect(statistics.recorded == 9 && statistics.written + statistics.dropped == 9 && statistics.waiting == 0, "\(label)")
        #expect(folder.names.allSatisfy { SegmentName.parse($0)?.state == .sealed || $0 == ".quarantine" }, "\(label)")
        for name in folder.sealed { #expect(try folder.decode(name).hasEndMember, "\(label)") }
    }

    @Test(arguments: [Int.min, -1, 0, 1, .max / 2, .max])
    func `a writer counts each event with sizes of any value`(size: Int) async throws {
        for (name, set) in Self.sizes {
            var options = EventFileWriterOptions()
            set(&options, size)
            try await live(options, "\(name) \(size)")
        }
    }

    @Test(arguments: [Duration.seconds(Int64.min), .seconds(-1), .zero, .nanoseconds(1), .seconds(Int64.max)])
    func `a writer counts each event with durations of any length`(duration: Duration) async throws {
        for (name, set) in Self.durations {
            var options = EventFileWriterOptions()
            set(&options, duration)
            try await live(options, "\(name) \(duration)")
        }
    }

    @Test(arguments: [Duration.seconds(Int64.min), .seconds(-1), .zero, .seconds(Int64.max)])
    func `closing with any deadline writes what waits while storage works`(deadline: Duration) async throws {
        for isAsync in [true, false] {
            let folder = try WriterTestFolder()
            let writer = try EventFileWriter(folder, clock: clock)
            for number in 1...100 { writer.record(testEvent(number)) }
            if isAsync { try await writer.close(deadline: deadline) } else { try writer.closeAndWait(deadline: deadline) }
            #expect(try sequences(folder.lines()) == Array(1...100))
        }
    }

    @Test(arguments: [Int64.min, -1, 0, .max])
    func `a writer works with clocks that stand at either end of time`(now: Int64) async throws {
        let writer = try EventFileWriter(
            folder: folder.path, clock: WallClock(milliseconds: { now }), monotonicClock: MonotonicClock { now },
            random: SeededRandom(seed: 1))
        writer.record(testEvent(1))
        try await writer.rotate()
        writer.record(testEvent(2))
        try await writer.close()
        #expect(try sequences(folder.lines()).last == 2)
    }

    @Test func `a writer works with clocks that jump from one end of time to the other`() async throws {
        let places = Lock([Int64.min, .max, 0, .max, .min, -1])
        let next: @Sendable () -> Int64 = {
            places.withLock { places in
                places.append(places.removeFirst())
                return places[0]
            }
        }
        let writer = try EventFileWriter(
            folder: folder.path, clock: WallClock(milliseconds: next), monotonicClock: MonotonicClock(nanoseconds: next),
            random: SeededRandom(seed: 1))
        for number in 1...20 {
            var start = testEvent(number, name: "session_started", kind: .meta)
            start.event.properties = ["sample_rate": 0.5]
            writer.record(number % 5 == 1 ? start : testEvent(number))
            if number % 7 == 0 { try await writer.rotate() }
        }
        try await writer.close()
        let numbers = try sequences(folder.lines())
        #expect(numbers == Array(1...20).suffix(numbers.count) && numbers.count >= 6)
    }

    @Test(arguments: [20_000, 70_000, 100_000] as [Int64])
    func `a quota that is smaller than a file ends files earlier, and keeps the latest events`(quota: Int64) async throws {
        var options = EventFileWriterOptions()
        options.retainBytes = quota
        options.repackLevel = nil
        options.overflow = .block(upTo: .seconds(3_600))
        let writer = try EventFileWriter(folder, options: options, clock: clock, fileSystem: quickFiles().fileSystem)
        for number in 1...20_000 {
            writer.record(testEvent(number, text: "sku-\(number &* 2_654_435_761 % 1_000_003)"))
            if number % 50 == 0 { try await writer.flush() }
        }
        try await writer.close()
        let bytes = try folder.sealed.reduce(0) { try $0 + folder.bytes($1).count }
        #expect(bytes <= Int(quota))
        let kept = try sequences(folder.lines())
        #expect(kept.last == 20_000 && kept == Array(20_001 - kept.count...20_000))
        #expect(bytes > Int(quota) / 4, "and not next to nothing")
    }
}
