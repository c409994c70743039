import Basics
import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// Folders and files that somebody takes away, moves or forbids, and clocks that somebody sets.
@Suite struct LostPlacesTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()

    init() throws { folder = try WriterTestFolder() }

    @Test(arguments: [false, true])
    func `a folder that is removed is reported, its events are counted, and the rest goes into a new one`(isMadeAgain: Bool) async throws {
        let errors = Collected<EventFileError>()
        let path = folder.path + "/events"
        let files = FaultyFileSystem()
        let writer = try EventFileWriter(
            folder: path, clock: clock.wall, monotonicClock: clock.monotonic, fileSystem: files.fileSystem, random: SeededRandom(seed: 1),
            onError: { errors.add($0) })
        writer.record(testEvent(1))
        try await writer.flush()
        try FileManager.default.removeItem(atPath: path)
        if isMadeAgain {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
        writer.record(testEvent(2))
        // The file has no name any more. It is open, and the system would take the bytes, but they would go with the process.
        await #expect(throws: EventFileError.self) { try await writer.flush() }
        writer.record(testEvent(3))
        try await writer.flush()
        try await writer.close()
        #expect(errors.all.contains { if case .segmentLost(_, let events) = $0 { events == 1 } else { false } })
        let statistics = writer.statistics
        #expect(statistics.written == 2 && statistics.droppedByReason == [.storage: 1])
        #expect(files.openDescriptors == 0)
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: path).first)
        let lines = try folder.decode("events/" + name).lines
        #expect(try sequences(lines) == [2, 3] && notes("dropped", in: lines).map { $0["count"] as? Int } == [1])
    }

    @Test func `a file that is moved while it is written is reported, and keeps what it has`() async throws {
        let errors = Collected<EventFileError>()
        let writer = try EventFileWriter(folder, clock: clock, onError: { errors.add($0) })
        for number in 1...3 { writer.record(testEvent(number)) }
        try await writer.flush()
        let name = folder.open[0]
        try FileManager.default.moveItem(atPath: folder.path + "/" + name, toPath: folder.path + "/elsewhere.ndjson.gz")
        writer.record(testEvent(4))
        try await writer.rotate()
        writer.record(testEvent(5))
        try await writer.close()
        #expect(errors.all == [.segmentLost(name: name, events: 3)])
        #expect(try sequences(folder.lines()) == [4, 5])
        #expect(try sequences(folder.decode("elsewhere.ndjson.gz").lines) == [1, 2, 3])
    }

    @Test(arguments: [FlushDurability.processKill, .durable])
    func `a flush fails if the file of earlier events was taken away`(durability: FlushDurability) async throws {
        let errors = Collected<EventFileError>()
        let writer = try EventFileWriter(folder, clock: clock, onError: { errors.add($0) })
        for number in 1...3 { writer.record(testEvent(number)) }
        try await writer.flush(durability)
        let name = folder.open[0]
        try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        writer.record(testEvent(4))
        let lost = EventFileError.segmentLost(name: name, events: 3)
        await #expect(throws: lost) { try await writer.flush(durability) }
        #expect(errors.all == [lost])
        #expect(lost.description == "\(name) was removed, moved or spoiled while it was written: 3 events in it may be lost.")
        #expect(EventFileError.segmentLost(name: name, events: 1).description.hasSuffix(": 1 event in it may be lost."))
        #expect(try sequences(folder.lines()) == [4], "what waited is in another file by then")
        #expect(try notes("dropped", in: folder.lines()).first?["count"] as? Int == 3)
        #expect(try notes("dropped", in: folder.lines()).first?["sessions"] as? [String: Int] == ["_other": 3])
        try await writer.flush(durability)
        try await writer.close()
        #expect(writer.statistics.written == 1 && writer.statistics.droppedByReason == [.storage: 3])
    }

    @Test func `another file under the name is not taken for the one that is written`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.record(testEvent(1))
        try await writer.flush()
        let name = folder.open[0]
        try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        try folder.put(Array("somebody's".utf8), name)
        await #expect(throws: EventFileError.segmentLost(name: name, events: 1)) { try await writer.flush() }
        writer.record(testEvent(2))
        try await writer.close()
        #expect(try folder.bytes(name) == Array("somebody's".utf8))
        #expect(folder.sealed.count == 1)
    }

    @Test(arguments: [EROFS, EACCES, EPERM])
    func `events wait while nobody may write into the folder, and are written later`(errno: Int32) async throws {
        let errors = Collected<EventFileError>()
        let files = FaultyFileSystem { $0.kind == .create ? .fail(errno) : nil }
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem, onError: { errors.add($0) })
        writer.record(testEvent(1))
        for _ in 0..<3 { await #expect(throws: EventFileError.self) { try await writer.flush() } }
        #expect(errors.all.count == 1 && folder.names.isEmpty)
        files.setRule { _ in nil }
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1])
    }

    @Test(.enabled(if: getuid() != 0, "root may write everywhere"))
    func `events wait while the folder is really read-only`() async throws {
        #expect(chmod(folder.path, 0o500) == 0)
        defer { chmod(folder.path, 0o700) }
        let writer = try EventFileWriter(folder, clock: clock)
        writer.record(testEvent(1))
        await #expect(throws: EventFileError.self) { try await writer.flush() }
        chmod(folder.path, 0o700)
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1])
    }

    @Test func `files age with the time that goes by, not with a clock that is set ahead`() async throws {
        let days = Lock(Int64(0))
        // The file system dates files by the machine's clock, so this one starts there.
        let wall = WallClock { WallClock.system.milliseconds + days.withLock { $0 } * 86_400_000 }
        let (writer, thread) = try EventFileWriter.withoutThread(
            folder: folder.path, options: smallRing, clock: wall, monotonicClock: clock.monotonic, fileSystem: quickFiles().fileSystem,
            random: SeededRandom(seed: 1))
        thread.begin()
        func rotate(_ number: Int) {
            writer.record(testEvent(number))
            writer.monitor.request(.rotate) { #expect($0 == nil) }
            while thread.turnIfDue() {}
        }
        rotate(1)
        days.withLock { $0 = 40 }
        for number in 2...3 { rotate(number) }
        #expect(try sequences(folder.lines()) == [1, 2, 3])
        clock.advance(.seconds(31 * 86_400))
        rotate(4)
        #expect(try sequences(folder.lines()) == [4], "the newest stays")
        writer.monitor.request(.close) { #expect($0 == nil) }
        while thread.turnIfDue() {}
    }

    @Test(arguments: [-3_600_000, -1, 315_360_000_000, Int64.min / 2, Int64.max / 2])
    func `a clock that is set by any amount leaves no hole and changes no order`(milliseconds: Int64) async throws {
        let offset = Lock(Int64(0))
        let wall = WallClock { [clock] in clock.milliseconds &+ offset.withLock { $0 } }
        var options = EventFileWriterOptions()
        options.retainAge = .seconds(3_600)
        let writer = try EventFileWriter(
            folder: folder.path, options: options, clock: wall, monotonicClock: clock.monotonic, random: SeededRandom(seed: 1))
        for round in 0..<4 {
            if round == 2 { offset.withLock { $0 = milliseconds } }
            for number in 1...5 { writer.record(testEvent(round * 5 + number)) }
            try await writer.rotate()
        }
        try await writer.close()
        let kept = try sequences(folder.lines())
        #expect(kept == Array(1...20).suffix(kept.count) && kept.count >= 5)
        let numbers = folder.sealed.compactMap { SegmentName.parse($0)?.name.number }
        // There is a fifth file if a line about expired files needs one.
        #expect(numbers.last.map { 4...5 ~= $0 } == true, "names are numbered, not dated")
    }
}
