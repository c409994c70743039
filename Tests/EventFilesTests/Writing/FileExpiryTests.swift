import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// Which files go, and in which order.
@Suite struct FileExpiryTests {
    let folder: WriterTestFolder
    let now: Int64 = 1_767_225_600_000

    init() throws { folder = try WriterTestFolder() }

    private func name(_ number: Int64, stem: String = "events", writer: UInt64 = 1) -> SegmentName {
        SegmentName(stem: stem, writer: writer, number: number)
    }

    private func put(_ name: String, bytes: Int = 100, daysOld: Double = 0) throws {
        try folder.put([UInt8](repeating: 0, count: bytes), name)
        try folder.setModified(name, milliseconds: now - Int64(daysOld * 86_400_000))
    }

    private func apply(_ change: (inout EventFileWriterOptions) -> Void, now later: Int64 = 0) throws -> [Int64] {
        var options = EventFileWriterOptions()
        change(&options)
        let opened = try EventFolder.open(folder.path, on: PosixFileSystem())
        defer { opened.close() }
        return try apply(FileExpiry(folder: opened, options: options), now: now + later)
    }

    /// Removes what is chosen.
    private func apply(_ expiry: FileExpiry, now: Int64) throws -> [Int64] {
        try (expiry.expired(now: now) + expiry.doomed()).filter { try expiry.remove($0) }.map(\.name.number)
    }

    @Test func `the oldest by number go first until the bytes fit`() throws {
        for number in [5, 2, 9, 3] as [Int64] { try put(name(number).sealed, daysOld: Double(number)) }
        #expect(try apply { $0.retainBytes = 250 } == [2, 3])
        #expect(folder.sealed.compactMap { SegmentName.parse($0)?.name.number } == [5, 9])
    }

    @Test func `all files that are older than the limit go, except the newest`() throws {
        for number in 1...4 as ClosedRange<Int64> { try put(name(number).sealed, daysOld: number == 2 ? 1 : 31) }
        #expect(try apply({ _ in }, now: -3_650 * 86_400_000) == [])
        #expect(try apply({ _ in }) == [1, 3])
        #expect(try apply({ _ in }, now: 3_650 * 86_400_000) == [2])
        #expect(try apply({ _ in }, now: 3_650 * 86_400_000) == [])
    }

    /// A device may find this after two months offline.
    @Test func `hundreds of expired files go at the start, are reported as dropped, and do not delay writing`() async throws {
        let clock = WriterTestClock()
        var options = EventFileWriterOptions()
        options.retainFiles = .max
        options.repackLevel = nil
        for number in 1...300 { try folder.put(sealedFile([line(number, of: "us1", session: "s1")]), name(Int64(number)).sealed) }
        let old = folder.sealed
        for name in old { try folder.setModified(name, milliseconds: clock.milliseconds - 60 * 86_400_000) }
        let files = quickFiles()
        let writer = Collected<EventFileWriter>()
        let writtenAfter = Collected<Int>()
        let removals = Collected<String>()
        files.setRule { call in
            if call.kind == .remove, old.contains(call.name) {
                // The writer's thread may come here before the writer is in the test's hands.
                while writer.all.isEmpty { sched_yield() }
                // Records an event when the first file goes, and notes how many files went before it was written.
                if removals.all.isEmpty {
                    writer.all[0].record(testEvent(1, session: "late"))
                    writer.all[0].monitor.request(.flush(.processKill)) { _ in writtenAfter.add(removals.all.count) }
                }
                removals.add(call.name)
            }
            return call.kind == .synchronize ? .short(0) : nil
        }
        writer.add(
            try EventFileWriter(folder, options: options, clock: clock, seed: 2, fileSystem: files.fileSystem))
        await clock.until { removals.all.count == 299 && writer.all[0].statistics.removedSegments == 299 }
        #expect(writtenAfter.all == [8], "one step of eight files at most comes before it")
        try await writer.all[0].close()
        #expect(folder.sealed.filter(old.contains) == [try #require(old.last)])
        let report = try EventFileCheck(EventFileReader(paths: [folder.path]), complete: true).run()
        #expect(report.isSound && report.earlierSequences == 299 && report.droppedEvents == 299, "\(report.faults)")
    }

    @Test func `a folder far beyond its limits shrinks by some files at each seal`() async throws {
        let clock = WriterTestClock()
        for number in 1...60 as ClosedRange<Int64> { try put(name(number, writer: 2).sealed) }
        var options = EventFileWriterOptions()
        options.retainFiles = 10
        options.retainAge = .seconds(1 << 40)
        let writer = try EventFileWriter(folder, options: options, clock: clock, fileSystem: quickFiles().fileSystem)
        for left in [45, 30, 15, 10, 10] {
            writer.record(testEvent(left))
            try await writer.rotate()
            #expect(folder.sealed.count == left)
        }
        try await writer.close()
    }

    @Test func `files that cannot be removed do not stop the removal of others, however many they are`() async throws {
        let clock = WriterTestClock()
        for number in 1...40 as ClosedRange<Int64> { try put(name(number, writer: 2).sealed) }
        var options = EventFileWriterOptions()
        options.retainBytes = 3_000
        options.retainAge = .seconds(1 << 40)
        let stuck = Set((1...20).map { name($0, writer: 2).sealed })
        let files = FaultyFileSystem { call in
            call.kind == .remove && stuck.contains(call.name) ? .fail(EPERM) : call.kind == .synchronize ? .short(0) : nil
        }
        let writer = try EventFileWriter(folder, options: options, clock: clock, fileSystem: files.fileSystem)
        for round in 1...6 {
            writer.record(testEvent(round))
            try await writer.rotate()
        }
        try await writer.close()
        #expect(stuck.isSubset(of: folder.sealed) && !folder.sealed.contains(name(21, writer: 2).sealed))
    }

    @Test func `files beyond the count go, and the newest stay`() throws {
        for number in 1...6 as ClosedRange<Int64> { try put(name(number).sealed) }
        #expect(try apply { $0.retainFiles = 2 } == [1, 2, 3, 4])
    }

    @Test func `a summary goes with its segment, and its bytes count`() throws {
        for number in 1...3 as ClosedRange<Int64> {
            try put(name(number).sealed)
            try put(name(number).summary, bytes: 50)
        }
        #expect(try apply { $0.retainBytes = 450 } == [])
        #expect(try apply { $0.retainBytes = 449 } == [1])
        #expect(folder.names == [2, 3].flatMap { [name($0).sealed, name($0).summary] })
        #expect(try apply { $0.retainFiles = 1 } == [2])
        #expect(folder.names == [name(3).sealed, name(3).summary])
    }

    @Test func `a summary without its segment is removed, others' summaries stay`() throws {
        try put(name(1).summary)
        try put(name(2).sealed)
        try put(name(2).summary)
        try put(name(3).open)
        try put(name(3).summary)
        try put(name(4, stem: "other").summary)
        #expect(try apply({ _ in }) == [])
        #expect(
            folder.names
                == [name(2).sealed, name(2).summary, name(3).open, name(4, stem: "other").summary].sorted())
    }

    @Test func `where a summary cannot be removed, its segment stays for the next time`() throws {
        for number in 1...2 as ClosedRange<Int64> { try put(name(number).sealed) }
        try put(name(1).summary)
        let files = FaultyFileSystem { $0.kind == .remove && $0.name.hasSuffix(".parquet") ? .fail(EPERM) : nil }
        let opened = try EventFolder.open(folder.path, on: files.fileSystem)
        defer { opened.close() }
        var options = EventFileWriterOptions()
        options.retainFiles = 1
        let retention = FileExpiry(folder: opened, options: options)
        #expect(throws: FileSystemError.self) { try apply(retention, now: now) }
        #expect(folder.sealed == [name(1).sealed, name(2).sealed])
        files.setRule { _ in nil }
        options.retainFiles = 0
        _ = try apply(FileExpiry(folder: opened, options: options), now: now)
        #expect(folder.names == [])
    }

    @Test func `the active file, links, other stems and other names stay`() throws {
        try put(name(1).open)
        try put(name(2, stem: "other").sealed)
        try put("events-00000001-3.ndjson.gz")
        try put("notes.txt")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/" + name(4).sealed, withDestinationPath: "notes.txt")
        try put(name(5).sealed)
        let removed = try apply {
            $0.retainBytes = 0
            $0.retainFiles = 0
        }
        #expect(removed == [5])
        #expect(folder.names.count == 5)
    }

    @Test func `a file that may not be removed does not stop the removal of others, and is reported once`() async throws {
        for number in 1...4 as ClosedRange<Int64> { try put(name(number).sealed) }
        let stuck = name(2).sealed
        let files = FaultyFileSystem { $0.kind == .remove && $0.name == stuck ? .fail(EPERM) : $0.kind == .synchronize ? .short(0) : nil }
        let errors = Collected<EventFileError>()
        var options = EventFileWriterOptions()
        options.retainFiles = 2
        let writer = try EventFileWriter(folder, options: options, fileSystem: files.fileSystem, onError: { errors.add($0) })
        for number in 1...3 {
            writer.record(testEvent(number))
            try await writer.rotate()
        }
        #expect(folder.sealed.compactMap { SegmentName.parse($0)?.name.number } == [2, 6, 7])
        let refusal = EventFileError.storage(FileSystemError(.remove, errno: EPERM, path: stuck))
        #expect(errors.all == [refusal])
        files.setRule { $0.kind == .synchronize ? .short(0) : nil }
        writer.record(testEvent(4))
        try await writer.rotate()
        #expect(folder.sealed.count == 2)
        files.setRule { $0.kind == .remove && !$0.name.hasSuffix(".tmp") ? .fail(EPERM) : nil }
        writer.record(testEvent(5))
        await #expect(throws: EventFileError.self) { try await writer.rotate() }
        files.setRule { _ in nil }
        try await writer.close()
        #expect(try sequences(folder.lines()) == [5], "the last file says that storage works again")
    }

    @Test func `limits that are zero, negative or beyond everything hold`() throws {
        for number in 1...3 as ClosedRange<Int64> { try put(name(number).sealed) }
        #expect(try apply { $0 = .lossless } == [])
        #expect(try apply({ _ in }, now: .max - now) == [1, 2], "the newest stays to the end of time")
        #expect(try apply { $0.retainBytes = 0 } == [3])
        try put(name(4).sealed)
        #expect(try apply { $0.retainFiles = -1 } == [4])
        try put(name(5).sealed)
        #expect(try apply { $0.retainBytes = .min } == [5])
    }

    /// CI makes 200 rotations; `LOOPTRAIL_ROTATIONS=10000` asks for more.
    @Test func `hundreds of rotations stay within the quota, on the way too`() async throws {
        let rotations = ProcessInfo.processInfo.environment["LOOPTRAIL_ROTATIONS"].flatMap { Int($0) } ?? 200
        var options = EventFileWriterOptions()
        options.retainFiles = 10
        options.repackLevel = nil
        let writer = try EventFileWriter(folder, options: options, fileSystem: quickFiles().fileSystem)
        for number in 1...rotations {
            writer.record(testEvent(number))
            try await writer.rotate()
            if number % 20 == 0 { #expect(folder.names.count <= 10) }
        }
        try await writer.close()
        #expect(folder.names.count == 10)
        #expect(try sequences(folder.lines()) == Array(rotations - 9...rotations))
    }
}
