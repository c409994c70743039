import Basics
import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// The third promise of `FormatAndContract.md`: what was flushed durably, or stands in a published file, survives a power loss.
@Suite struct PowerLossTests {
    let ground: WriterTestFolder
    let clock = WriterTestClock()

    init() throws { ground = try WriterTestFolder() }

    /// The folder as a disk would hold it, after the next process has recovered it.
    private func afterLoss(of files: PowerLossFiles, _ names: PowerLossFiles.Names) async throws -> WriterTestFolder {
        let left = try WriterTestFolder()
        try files.lose(keeping: names, into: left.path + "/ground")
        let events = try WriterTestFolder()
        let path = left.path + "/ground/events"
        // Without the folder nothing is left at all.
        if FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: events.path)
            try FileManager.default.moveItem(atPath: path, toPath: events.path)
        }
        for ring in events.rings { try events.makeOriginal(ring) }
        let next = try EventFileWriter(events, options: smallRing, seed: 99, fileSystem: quickFiles().fileSystem)
        _ = try await next.recovered()
        try await next.close()
        return events
    }

    private func makeWriter(
        _ files: any FileSystem, _ folder: String = "events", options: EventFileWriterOptions = smallRing,
        onError: (@Sendable (EventFileError) -> Void)? = nil
    ) throws -> EventFileWriter {
        try EventFileWriter(
            folder: ground.path + "/" + folder, options: options, clock: clock.wall, monotonicClock: clock.monotonic, fileSystem: files,
            random: SeededRandom(seed: 1), onError: onError)
    }

    @Test(arguments: PowerLossFiles.Names.allCases)
    func `a durable flush survives a power loss, also in a folder that was made just now`(names: PowerLossFiles.Names) async throws {
        let files = try PowerLossFiles(root: ground.path)
        let writer = try makeWriter(files)
        writer.record(testEvent(1))
        try await writer.flush(.durable)
        writer.record(testEvent(2))
        try await writer.flush()
        #expect(try await sequences(afterLoss(of: files, names).lines()) == [1], "and nothing else is promised")
        try await writer.close()
        #expect(try await sequences(afterLoss(of: files, names).lines()) == [1, 2])
    }

    @Test(arguments: PowerLossFiles.Names.allCases)
    func `an upload's line survives a power loss in a journal that was made just now`(names: PowerLossFiles.Names) throws {
        let files = try PowerLossFiles(root: ground.path)
        let folder = try EventFolder.open(ground.path, on: files, making: false)
        defer { folder.close() }
        guard case .taken(let lock) = try UploadLock.take(in: folder, making: true) else { return #expect(Bool(false), "it is free") }
        defer { lock.release() }
        try lock.begin("a.ndjson.gz")
        let left = try WriterTestFolder()
        try files.lose(keeping: names, into: left.path)
        #expect(try left.bytes(UploadLock.name) == Array("+a.ndjson.gz\n".utf8))
    }

    @Test(arguments: PowerLossFiles.Names.allCases)
    func `a folder whose maker was killed before it could sync the name survives a power loss`(names: PowerLossFiles.Names) async throws {
        let files = try PowerLossFiles(root: ground.path)
        let dying = FaultyFileSystem(on: files) { $0.kind == .synchronize ? .kill : nil }
        #expect(throws: EventFileError.self) { try self.makeWriter(dying.fileSystem) }
        let writer = try makeWriter(files)
        writer.record(testEvent(1))
        try await writer.flush(.durable)
        #expect(try await sequences(afterLoss(of: files, names).lines()) == [1])
        try await writer.close()
    }

    @Test(arguments: PowerLossFiles.Names.allCases)
    func `a durable flush keeps what a killed writer had left, whether it is recovered yet or not`(
        names: PowerLossFiles.Names
    ) async throws {
        let files = try PowerLossFiles(root: ground.path)
        // The threads work only when they are asked to, and recovery would come later.
        func makeWriter(_ seed: UInt64, _ fileSystem: any FileSystem) throws -> (EventFileWriter, WriterThread) {
            let (writer, thread) = try EventFileWriter.withoutThread(
                folder: ground.path + "/events", options: smallRing, clock: clock.wall, monotonicClock: clock.monotonic,
                fileSystem: fileSystem, random: SeededRandom(seed: seed))
            thread.begin()
            return (writer, thread)
        }
        let dying = FaultyFileSystem(on: files)
        let (killed, killedThread) = try makeWriter(1, dying.fileSystem)
        killed.record(testEvent(1))
        killed.monitor.request(.flush(.processKill)) { #expect($0 == nil) }
        killedThread.turnIfDue()
        killed.record(testEvent(2))
        dying.kill()
        let (writer, thread) = try makeWriter(2, files)
        writer.monitor.request(.flush(.durable)) { #expect($0 == nil) }
        thread.turnIfDue()
        #expect(try await sequences(afterLoss(of: files, names).lines()) == [1, 2])
    }

    @Test(arguments: PowerLossFiles.Names.allCases)
    func `every folder of the path survives a power loss`(names: PowerLossFiles.Names) async throws {
        let files = try PowerLossFiles(root: ground.path)
        let writer = try makeWriter(files, "events/a//b/")
        writer.record(testEvent(1))
        try await writer.flush(.durable)
        let left = try WriterTestFolder()
        try files.lose(keeping: names, into: left.path + "/ground")
        let inside = try FileManager.default.contentsOfDirectory(atPath: left.path + "/ground/events/a/b")
        #expect(inside.count { !$0.isOfRing } == 1)
        try await writer.close()
    }

    @Test func `a folder whose name could not be synced is made anew at the next attempt`() async throws {
        let disk = try PowerLossFiles(root: ground.path)
        let syncs = Lock(0)
        let files = FaultyFileSystem(on: disk) { call in
            guard call.kind == .synchronize else { return nil }
            syncs.withLock { $0 += 1 }
            return syncs.withLock { $0 } == 1 ? .fail(EIO) : nil
        }
        #expect(throws: EventFileError.self) { try makeWriter(files.fileSystem) }
        #expect(ground.names == [] && files.openDescriptors == 0)
        let writer = try makeWriter(files.fileSystem)
        writer.record(testEvent(1))
        try await writer.flush(.durable)
        #expect(try await sequences(afterLoss(of: disk, .synced).lines()) == [1])
        try await writer.close()
    }

    @Test(arguments: PowerLossFiles.Names.allCases)
    func `a durable flush survives a power loss while consent is pending, too`(names: PowerLossFiles.Names) async throws {
        let files = try PowerLossFiles(root: ground.path)
        let writer = try makeWriter(files)
        writer.setConsent(.pending)
        writer.record(testEvent(1))
        try await writer.flush(.durable)
        let events = try await afterLoss(of: files, names)
        let next = try EventFileWriter(events, seed: 5, fileSystem: quickFiles().fileSystem)
        next.setConsent(.granted)
        try await next.close()
        #expect(try sequences(events.lines()) == [1])
        try await writer.close()
    }

    @Test(arguments: PowerLossFiles.Names.allCases)
    func `after a sync that failed the bytes are written again before the next sync`(names: PowerLossFiles.Names) async throws {
        let files = try PowerLossFiles(root: ground.path)
        let writer = try makeWriter(files)
        writer.record(testEvent(1))
        try await writer.flush(.durable)
        writer.record(testEvent(2))
        files.failSyncs(1)
        await #expect(throws: EventFileError.self) { try await writer.flush(.durable) }
        writer.record(testEvent(3))
        try await writer.flush(.durable)
        #expect(try await sequences(afterLoss(of: files, names).lines()) == [1, 2, 3])
        files.failSyncs(3)
        writer.record(testEvent(4))
        for _ in 0..<3 { await #expect(throws: EventFileError.self) { try await writer.rotate() } }
        try await writer.rotate()
        #expect(try await sequences(afterLoss(of: files, names).lines()) == [1, 2, 3, 4])
        try await writer.close()
    }

    @Test(arguments: PowerLossFiles.Names.allCases)
    func `an orphan whose sync fails at its publication is copied`(names: PowerLossFiles.Names) async throws {
        try FileManager.default.createDirectory(
            atPath: ground.path + "/events", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        // Written by a process that was killed before it synced: all of it is in the system's memory alone.
        let orphan = SegmentName(stem: "events", writer: 9, number: 1)
        let files = try PowerLossFiles(root: ground.path)
        let place = try files.openFolder(atPath: ground.path + "/events")
        let file = try files.create(orphan.open, in: place)
        let bytes = Gzip.blocked([RepairTrial.text(1...3, session: "s1")], end: true)
        #expect(try bytes.withUnsafeBytes { try files.write($0, to: file, at: 0) } == bytes.count)
        files.close(file)
        files.close(place)
        files.failSyncs(1)
        let writer = try makeWriter(files)
        #expect(try await writer.recovered().adopted == 1)
        #expect(try await sequences(afterLoss(of: files, names).lines()) == [1, 2, 3])
        try await writer.close()
    }

    @Test func `what cannot be read back after a failed sync is reported as lost, and the next file begins`() async throws {
        let errors = Collected<EventFileError>()
        let events = try WriterTestFolder()
        let files = FaultyFileSystem()
        let writer = try EventFileWriter(events, clock: clock, fileSystem: files.fileSystem, onError: { errors.add($0) })
        writer.record(testEvent(1))
        try await writer.flush(.durable)
        for number in 2...3 { writer.record(testEvent(number)) }
        try await writer.flush()
        let name = try #require(events.open.first)
        let good = try events.bytes(name)
        files.setRule { $0.kind == .synchronize ? .fail(EIO) : nil }
        await #expect(throws: EventFileError.self) { try await writer.flush(.durable) }
        files.setRule { _ in nil }
        // The system has let go of its memory, and the disk never had the bytes.
        let handle = try #require(FileHandle(forWritingAtPath: events.path + "/" + name))
        try handle.seek(toOffset: UInt64(good.count - 30))
        try handle.write(contentsOf: [UInt8](repeating: 0, count: 30))
        try handle.close()
        await #expect(throws: EventFileError.storage(FileSystemError(.read, errno: EIO, path: name))) {
            try await writer.flush(.durable)
        }
        writer.record(testEvent(4))
        try await writer.flush(.durable)
        #expect(errors.all.last == .segmentLost(name: name, events: 2))
        #expect(writer.statistics.droppedByReason == [.storage: 2] && writer.statistics.written == 2)
        try await writer.close()
        let next = try EventFileWriter(events, seed: 2, fileSystem: quickFiles().fileSystem)
        try await next.close()
        #expect(try sequences(events.lines()) == [1, 4], "what was safe before stays")
        #expect(try notes("dropped", in: events.lines()).first?["count"] as? Int == 2)
    }

    /// A life with an orphan to recover, durable flushes, a rotation with a repack.
    ///
    /// - Returns: the last event that must survive.
    private static func live(in folder: String, on files: FaultyFileSystem) async -> Int {
        guard
            let writer = try? EventFileWriter(
                folder: folder, options: smallRing, clock: WriterTestClock().wall, monotonicClock: WriterTestClock().monotonic,
                fileSystem: files.fileSystem, random: SeededRandom(seed: 3))
        else { return 0 }
        var safe = 0
        do {
            _ = try await writer.recovered()
            for number in 1...6 {
                writer.record(testEvent(number, session: "life"))
                if number == 4 { try await writer.rotate() } else { try await writer.flush(number % 2 == 0 ? .durable : .processKill) }
                if number % 2 == 0 { safe = number }
            }
            try await writer.close(deadline: .zero)
            safe = 6
        } catch {
            try? await writer.close(deadline: .zero)
        }
        return safe
    }

    @Test func `the next process makes whole what a power loss before any call of a writer leaves`() async throws {
        let orphan = SegmentName(stem: "events", writer: 9, number: 1)
        let torn = SegmentName(stem: "events", writer: 9, number: 2)
        let whole = Gzip.blocked([RepairTrial.text(1...3, session: "orphan")], end: false)
        func prepare(_ ground: WriterTestFolder) throws -> PowerLossFiles {
            try FileManager.default.createDirectory(
                atPath: ground.path + "/events", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            try ground.put(whole + whole.prefix(40), "events/" + orphan.open)
            // Nothing in it can be read: it becomes no file, and all of it is kept.
            try ground.put([UInt8](repeating: 0x55, count: 50), "events/" + torn.open)
            return try PowerLossFiles(root: ground.path)
        }
        let trial = try WriterTestFolder()
        let counting = FaultyFileSystem(on: try prepare(trial))
        #expect(await Self.live(in: trial.path + "/events", on: counting) == 6)
        let calls = counting.calls.count
        #expect(calls > 100)
        // The nightly run loses power before every call, a push before every second.
        for call in stride(from: 1, through: calls, by: isNight ? 1 : 2) {
            let ground = try WriterTestFolder()
            let disk = try prepare(ground)
            let safe = await Self.live(in: ground.path + "/events", on: FaultyFileSystem(on: disk) { $0.number == call ? .kill : nil })
            for names in PowerLossFiles.Names.allCases {
                let events = try await afterLoss(of: disk, names)
                let lines = try events.lines()
                let numbers = try sequences(lines, session: "life")
                #expect(
                    numbers.count >= safe && numbers == Array(1...6).prefix(numbers.count).map { $0 }, "\(call) \(names): \(numbers)")
                #expect(try sequences(lines, session: "orphan") == [1, 2, 3], "\(call) \(names)")
                for name in events.sealed {
                    let segment = try events.decode(name)
                    #expect(segment.hasEndMember && segment.torn == 0, "\(call) \(names) \(name)")
                }
                #expect(events.names.allSatisfy { SegmentName.parse($0)?.state == .sealed || $0 == ".quarantine" }, "\(call) \(names)")
                let kept = try FileManager.default.contentsOfDirectory(atPath: events.path + "/.quarantine").sorted()
                #expect(kept == ["\(orphan.sealed).\(whole.count).torn", "\(torn.sealed).0.torn"], "\(call) \(names): \(kept)")
                #expect(try events.bytes(".quarantine/" + (kept.last ?? "")) == [UInt8](repeating: 0x55, count: 50), "\(call) \(names)")
            }
        }
    }
}
