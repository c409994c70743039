import Basics
import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// An erasure removes everything that writers put into a folder, and nothing else.
@Suite struct ErasureTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()

    init() throws { folder = try WriterTestFolder() }

    private static let old = SegmentName(stem: "events", writer: 9, number: 1)
    private static let orphan = SegmentName(stem: "other", writer: 8, number: 2)

    /// One of everything that a folder can hold.
    private static func fill(_ folder: WriterTestFolder) throws {
        try folder.put(try member(1...3, session: "old") + BGZF.endMember, old.sealed)
        try folder.put(try member(1...3, session: "orphan"), orphan.open)
        try folder.put([1, 2, 3], SegmentName(stem: "events", writer: 7, number: 3).temporary)
        try folder.put([1, 2, 3], old.summary)
        try folder.put([1, 2, 3], orphan.summary)
        try folder.put([1, 2, 3], ".\(old.summary).tmp")
        try folder.put([1, 2, 3], old.summary, in: ".pending")
        try folder.put([1, 2, 3], "\(old.sealed).17.torn", in: ".quarantine")
        try folder.put([1, 2, 3], SegmentName(stem: "events", writer: 9, number: 4).sealed, in: ".sent")
        try folder.put([1, 2, 3], SegmentName(stem: "events", writer: 9, number: 4).summary, in: ".sent")
        try folder.put(try member(1...3, session: "spooled") + BGZF.endMember, old.sealed, in: ".pending")
        try folder.put([1, 2, 3], "\(orphan.sealed).0.torn", in: ".pending/.quarantine")
    }

    @Test func `an erasure removes all files and waiting events, and later events are written`() async throws {
        try Self.fill(folder)
        let writer = try EventFileWriter(folder, clock: clock)
        _ = try await writer.recovered()
        writer.record(testEvent(1))
        try await writer.flush()
        writer.setConsent(.pending)
        writer.record(testEvent(2))
        try await writer.flush()
        writer.record(testEvent(3))
        async let erased: Void = writer.erase()
        try await erased
        #expect(folder.everything == [])
        writer.setConsent(.granted)
        writer.record(testEvent(4))
        try await writer.close()
        #expect(try sequences(folder.lines()) == [4])
        #expect(folder.everything == folder.sealed)
        #expect(writer.statistics.erased == 1 && writer.statistics.recorded == 4 && writer.statistics.written == 3)
    }

    @Test func `files that are no event files stay, and so do links and other folders`() async throws {
        try Self.fill(folder)
        try folder.put([1], "notes.txt")
        try folder.put([1], "events.log.gz")
        try folder.put([1], "notes.txt", in: ".quarantine")
        try folder.put([1], "notes.txt", in: "inside")
        let link = SegmentName(stem: "events", writer: 6, number: 6).sealed
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/" + link, withDestinationPath: "notes.txt")
        let writer = try EventFileWriter(folder, clock: clock)
        try await writer.erase()
        try await writer.close()
        #expect(
            folder.everything
                == [".quarantine", ".quarantine/notes.txt", "events.log.gz", "inside", "inside/notes.txt", "notes.txt", link].sorted())
    }

    @Test func `two erasures of an empty folder at once do nothing`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        async let one: Void = writer.erase()
        async let two: Void = writer.erase()
        try await one
        try await two
        try await writer.close()
        #expect(folder.names == [])
        await #expect(throws: EventFileError.closed) { try await writer.erase() }
    }

    @Test func `an erasure can be waited for without a task`() throws {
        try Self.fill(folder)
        let writer = try EventFileWriter(folder, clock: clock)
        try writer.eraseAndWait()
        #expect(folder.everything == [])
        try writer.closeAndWait()
    }

    @Test func `a file that cannot be removed is reported, and events are written once it is removed`() async throws {
        try Self.fill(folder)
        let files = FaultyFileSystem { $0.kind == .remove && $0.name == Self.old.sealed ? .fail(EACCES) : nil }
        let errors = Collected<EventFileError>()
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem, onError: { errors.add($0) })
        _ = try await writer.recovered()
        await #expect(throws: EventFileError.storage(FileSystemError(.remove, errno: EACCES, path: Self.old.sealed))) {
            try await writer.erase()
        }
        writer.record(testEvent(1))
        await #expect(throws: EventFileError.self) { try await writer.flush() }
        #expect(folder.open.isEmpty && errors.all.count == 1)
        #expect(folder.rings.isEmpty, "the end of the erasure would remove a ring with later events")
        files.setRule { _ in nil }
        try await writer.flush()
        #expect(folder.everything == folder.open)
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1])
    }

    @Test func `a full disk does not stop an erasure`() async throws {
        try Self.fill(folder)
        let hasRoom = Lock(false)
        let files = FaultyFileSystem { call in
            // What is removed makes room for an empty file.
            if call.kind == .remove && call.name == Self.old.sealed { hasRoom.withLock { $0 = true } }
            let fits = call.name == Erasure.markerName && hasRoom.withLock { $0 }
            return [.create, .makeFolder, .write].contains(call.kind) && !fits ? .fail(ENOSPC) : nil
        }
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem)
        try await writer.erase()
        #expect(folder.everything == [])
        try await writer.close()
    }

    @Test func `another writer's file is removed, too, and that writer reports the loss and begins a new file`() async throws {
        let errors = Collected<EventFileError>()
        let other = try EventFileWriter(folder, clock: clock, seed: 2, onError: { errors.add($0) })
        other.record(testEvent(1, session: "other"))
        try await other.flush()
        let name = folder.open[0]
        let writer = try EventFileWriter(folder, clock: clock)
        try await writer.erase()
        try await writer.close()
        #expect(folder.everything == [])
        try await other.rotate()
        #expect(errors.all == [.segmentLost(name: name, events: 1)])
        other.record(testEvent(2, session: "other"))
        try await other.close()
        #expect(try sequences(folder.lines(), session: "other") == [2])
    }

    @Test func `an event that another writer records afterwards survives a kill without a flush`() async throws {
        let dying = FaultyFileSystem()
        let (other, thread) = try EventFileWriter.withoutThread(
            folder: folder.path, options: smallRing, clock: clock.wall, monotonicClock: clock.monotonic, fileSystem: dying.fileSystem,
            random: SeededRandom(seed: 2))
        thread.begin()
        other.record(testEvent(1))
        other.monitor.request(.flush(.processKill)) { #expect($0 == nil) }
        while thread.turnIfDue() {}
        let writer = try EventFileWriter(folder, clock: clock)
        try await writer.erase()
        other.record(testEvent(2))
        // The event is old enough now to be written without a request.
        clock.advance(.seconds(2))
        while thread.turnIfDue() {}
        dying.kill()
        try await writer.close()
        let next = try EventFileWriter(folder, clock: clock, seed: 3)
        _ = try await next.recovered()
        try await next.close()
        #expect(try sequences(folder.lines()) == [2])
    }

    @Test func `finishing an erasure that is over changes nothing`() async throws {
        try Self.fill(folder)
        let opened = try EventFolder.open(folder.path, on: PosixFileSystem())
        defer { opened.close() }
        let before = folder.everything
        try Erasure(folder: opened).finish()
        #expect(folder.everything == before)
        try Erasure(folder: opened).run()
        #expect(folder.everything == [])
    }

    /// The nightly run makes each call fail with each error. Otherwise the errors take turns.
    @Test(arguments: zip([EIO, EACCES, EINTR, EMFILE], 0..<4))
    func `one call that fails once leaves nothing behind, whichever call it is`(errno: Int32, turn: Int) async throws {
        let trial = try WriterTestFolder()
        try Self.fill(trial)
        let whole = quickFiles()
        try await Self.erase(trial, on: whole)
        for number in 1...whole.calls.count where isNight || number % 4 == turn {
            let folder = try WriterTestFolder()
            try Self.fill(folder)
            let files = FaultyFileSystem { $0.number == number ? .fail(errno) : $0.kind == .synchronize ? .short(0) : nil }
            try await Self.erase(folder, on: files)
            // The next writer removes a name that this one could not remove.
            let next = try EventFileWriter(folder, seed: 4, fileSystem: quickFiles().fileSystem)
            try await next.close()
            #expect(folder.everything == folder.sealed, "call \(number)")
            #expect(try folder.lines().filter { $0.contains("after") }.count == 1, "call \(number)")
            #expect(
                try !(folder.lines().contains { $0.contains("old") || $0.contains("spooled") || $0.contains("before") }), "call \(number)")
            #expect(files.openDescriptors == 0, "call \(number)")
        }
    }

    /// Erases, and writes one event afterwards. A request that fails is made again.
    private static func erase(_ folder: WriterTestFolder, on files: FaultyFileSystem) async throws {
        var options = EventFileWriterOptions()
        options.firstRetry = .milliseconds(1)
        func insisting<Result>(_ body: () async throws(EventFileError) -> Result) async throws -> Result {
            for _ in 0..<3 { do throws(EventFileError) { return try await body() } catch {} }
            return try await body()
        }
        let writer = try await insisting { () throws(EventFileError) in
            try EventFileWriter(folder: folder.path, options: options, fileSystem: files.fileSystem, random: SeededRandom(seed: 3))
        }
        _ = try await writer.recovered()
        writer.record(testEvent(1, session: "before"))
        try await insisting { () async throws(EventFileError) in try await writer.erase() }
        writer.record(testEvent(1, session: "after"))
        try await writer.close(deadline: .seconds(60))
    }
}
