import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// Each single call of a writer's life fails once: in the nightly run with each error of storage, otherwise the errors take turns.
@Suite struct EveryCallFailsTests {
    /// A life with members, a sync, a rotation with a repack, an orphan and retention. A request that fails is made again.
    private static func live(in folder: WriterTestFolder, on files: FaultyFileSystem) async throws -> EventFileWriterStatistics {
        var options = smallRing
        options.retainFiles = 5
        // Closing tries again by itself, after this pause.
        options.firstRetry = .milliseconds(1)
        let writer = try await insisting { () throws(EventFileError) in
            try EventFileWriter(folder: folder.path, options: options, fileSystem: files.fileSystem, random: SeededRandom(seed: 3))
        }
        _ = try await writer.recovered()
        for number in 1...6 {
            writer.record(testEvent(number, session: "life"))
            try await insisting { () async throws(EventFileError) in _ = try await writer.flush(number == 3 ? .durable : .processKill) }
            if number == 4 { try await insisting { () async throws(EventFileError) in try await writer.rotate() } }
        }
        try await writer.close(deadline: .seconds(60))
        return writer.statistics
    }

    private static func insisting<Result>(_ body: () async throws(EventFileError) -> Result) async throws(EventFileError) -> Result {
        for _ in 0..<3 { do throws(EventFileError) { return try await body() } catch {} }
        return try await body()
    }

    /// Syncs are skipped: this tests how the writer takes a call's answer, not the disk.
    private static func rule(
        _ fault: FaultyFileSystem.Fault, at number: Int
    ) -> @Sendable (FaultyFileSystem.Call) -> FaultyFileSystem.Fault? {
        { $0.number == number ? fault : $0.kind == .synchronize ? .short(0) : nil }
    }

    private static let faults: [FaultyFileSystem.Fault] = [
        .fail(EIO), .fail(ENOSPC), .fail(EDQUOT), .fail(EMFILE), .fail(EACCES), .fail(EINTR), .failAfter(EIO),
    ]

    @Test(arguments: zip(faults, faults.indices))
    func `one call that fails once costs no event, whichever it is`(fault: FaultyFileSystem.Fault, turn: Int) async throws {
        let orphan = SegmentName(stem: "events", writer: 9, number: 1)
        let torn = Array(Gzip.blocked([RepairTrial.text(1...3, session: "orphan")], end: false).dropLast(5))
        let trial = try WriterTestFolder()
        try trial.put(torn, orphan.open)
        let whole = quickFiles()
        _ = try await Self.live(in: trial, on: whole)
        let salvaged = try sequences(trial.lines(), session: "orphan")
        for number in 1...whole.calls.count where isNight || number % Self.faults.count == turn {
            let folder = try WriterTestFolder()
            try folder.put(torn, orphan.open)
            let files = FaultyFileSystem(rule: Self.rule(fault, at: number))
            let statistics = try await Self.live(in: folder, on: files)
            #expect(statistics.written == 6 && statistics.dropped == 0, "call \(number)")
            #expect(files.openDescriptors == 0, "call \(number)")
            // The next writer does what the failure postponed.
            let next = try EventFileWriter(folder, options: smallRing, seed: 4, fileSystem: quickFiles().fileSystem)
            try await next.close()
            let names = folder.names
            #expect(names.allSatisfy { SegmentName.parse($0)?.state == .sealed || $0 == ".quarantine" }, "call \(number): \(names)")
            let lines = try folder.lines()
            #expect(try sequences(lines, session: "life") == Array(1...6), "call \(number)")
            #expect(try sequences(lines, session: "orphan") == salvaged, "call \(number)")
            for name in folder.sealed { #expect(try folder.decode(name).hasEndMember, "call \(number)") }
        }
    }

    @Test func `a call that fails for ever costs what the ring cannot hold, and no more`() async throws {
        for kind in [FileSystemError.Call.create, .lock, .link, .write, .names] {
            let folder = try WriterTestFolder()
            var options = EventFileWriterOptions()
            options.ringEvents = 10
            options.reservedMetaPlaces = 0
            let files = FaultyFileSystem { $0.kind == kind ? .fail(EMFILE) : nil }
            let writer = try EventFileWriter(folder, options: options, fileSystem: files.fileSystem)
            for number in 1...25 {
                writer.record(testEvent(number))
                if number == 5 { await #expect(throws: EventFileError.self) { try await writer.flush() } }
            }
            #expect(writer.statistics.droppedByReason == [.storage: 15], "\(kind)")
            files.setRule { _ in nil }
            try await writer.close()
            let lines = try folder.lines()
            #expect(try sequences(lines) == Array(1...10), "\(kind)")
            #expect(try notes("dropped", in: lines).first?["sessions"] as? [String: Int] == ["s1": 15], "\(kind)")
            // The gap is at the end of the session, where no number shows it, but the file has the count.
            #expect(try notes("storage_recovered", in: lines).first?["dropped"] as? Int == 15, "\(kind)")
        }
    }
}
