import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// Summaries that a writer makes of its sealed files.
@Suite struct SealedSummariesTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()

    init() throws { folder = try WriterTestFolder() }

    private func options(_ change: (inout EventFileWriterOptions) -> Void = { _ in }) -> EventFileWriterOptions {
        var options = EventFileWriterOptions()
        options.index = .atSeal
        change(&options)
        return options
    }

    private var summaries: [String] { folder.names.filter { $0.hasSuffix(".parquet") } }

    /// The number of events that the summary of each sealed file counts; 0 where there is none.
    private func rows() throws -> [Int] {
        try folder.sealed.map { name in
            let summary = try SegmentSummary.open(forSegmentAt: "\(folder.path)/\(name)", on: PosixFileSystem())
            return summary?.facts.events ?? 0
        }
    }

    @Test func `each sealed file has its summary when the writer is closed`() async throws {
        let writer = try EventFileWriter(folder, options: options(), clock: clock)
        for number in 1...30 {
            writer.record(testEvent(number))
            if number % 10 == 0 { try await writer.rotate() }
        }
        writer.record(testEvent(31))
        try await writer.close()
        #expect(try rows() == [10, 10, 10, 1])
        #expect(summaries == folder.sealed.map { $0 + ".parquet" })
        #expect(folder.names.count == 8, "nothing else is left")
    }

    @Test func `without the option there are no summaries`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.record(testEvent(1))
        try await writer.close()
        #expect(folder.sealed.count == 1 && summaries.isEmpty)
    }

    @Test func `files that were sealed before, and those that a recovery adopts, get summaries`() async throws {
        let (before, orphan) = (SegmentName(stem: "events", writer: 8, number: 1), SegmentName(stem: "events", writer: 9, number: 2))
        try folder.put(try member(1...3, session: "old") + BGZF.endMember, before.sealed)
        try folder.put(try member(1...5, session: "orphan"), orphan.open)
        let other = SegmentName(stem: "other", writer: 8, number: 1)
        try folder.put(try member(1...3, session: "other") + BGZF.endMember, other.sealed)
        let writer = try EventFileWriter(folder, options: options(), clock: clock)
        _ = try await writer.recovered()
        try await writer.close()
        #expect(folder.sealed == [before.sealed, orphan.sealed, other.sealed])
        #expect(try rows() == [3, 5, 0], "another stem's files are another writer's")
    }

    @Test func `a file of which no summary can be made does not stop the others`() async throws {
        let damaged = SegmentName(stem: "events", writer: 1, number: 1)
        var bytes = try member(1...3) + BGZF.endMember
        bytes[bytes.count / 2] ^= 0xFF
        try folder.put(bytes, damaged.sealed)
        let writer = try EventFileWriter(folder, options: options(), clock: clock)
        writer.record(testEvent(1))
        try await writer.rotate()
        writer.record(testEvent(2))
        try await writer.close()
        #expect(summaries == folder.sealed.filter { $0 != damaged.sealed }.map { $0 + ".parquet" })
    }

    @Test func `summaries go with files that are beyond the limits`() async throws {
        let writer = try EventFileWriter(folder, options: options { $0.retainFiles = 2 }, clock: clock)
        for number in 1...6 {
            writer.record(testEvent(number))
            try await writer.rotate()
        }
        try await writer.close()
        #expect(folder.sealed.count == 2)
        #expect(summaries == folder.sealed.map { $0 + ".parquet" })
    }

    @Test func `an erasure leaves nothing, whatever is under way`() async throws {
        let writer = try EventFileWriter(folder, options: options(), clock: clock)
        for number in 1...2_000 { writer.record(testEvent(number)) }
        try await writer.rotate()
        try await writer.erase()
        #expect(folder.names.isEmpty)
        writer.record(testEvent(2_001))
        try await writer.close()
        #expect(try rows() == [1], "summaries are made again after the erasure")
    }

    @Test func `promoted files get summaries, and those that wait for consent have none`() async throws {
        let writer = try EventFileWriter(folder, options: options(), clock: clock)
        writer.setConsent(.pending)
        writer.record(testEvent(1))
        try await writer.rotate()
        #expect(folder.names == [".pending"] && folder.names(in: ".pending")?.count == 1)
        writer.setConsent(.granted)
        writer.record(testEvent(2))
        try await writer.close()
        #expect(try rows() == [1, 1])
    }

    @Test func `a summary that cannot be written is missing, and nothing else is`() async throws {
        let files = FaultyFileSystem { $0.name.contains(".parquet") ? .fail(ENOSPC) : nil }
        let errors = Collected<EventFileError>()
        let writer = try EventFileWriter(folder, options: options(), clock: clock, fileSystem: files.fileSystem) { errors.add($0) }
        for number in 1...20 { writer.record(testEvent(number)) }
        try await writer.close()
        #expect(errors.all.isEmpty && summaries.isEmpty)
        #expect(try sequences(folder.lines()) == Array(1...20))
        let later = try EventFileWriter(folder, options: options(), clock: clock, seed: 2)
        try await later.close()
        #expect(try rows() == [20], "a later writer makes it")
    }
}
