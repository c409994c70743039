import Basics
import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// Storage that fails for a while, and a process that dies between two calls.
@Suite struct StorageFaultTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()

    init() throws { folder = try WriterTestFolder() }

    @Test(arguments: [ENOSPC, EIO, EDQUOT, EACCES, EROFS])
    func `a write that fails is reported once, cut off, kept in memory, and made good`(errno: Int32) async throws {
        let errors = Collected<EventFileError>()
        let files = FaultyFileSystem()
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem, onError: { errors.add($0) })
        writer.record(testEvent(1))
        try await writer.flush()
        let good = try folder.bytes(folder.open[0])
        // Ten bytes of a member get through before the disk is full.
        let writes = Collected<Int>()
        files.setRule { call in
            if call.kind != .write { return nil }
            writes.add(call.number)
            return writes.all.count == 1 ? .short(10) : .fail(errno)
        }
        writer.record(testEvent(2))
        for _ in 0..<3 { await #expect(throws: EventFileError.self) { try await writer.flush() } }
        #expect(errors.all == [.storage(FileSystemError(.write, errno: errno, path: folder.open[0]))], "once an episode")
        #expect(try folder.bytes(folder.open[0]) == good, "no torn bytes are left")
        files.setRule { _ in nil }
        writer.record(testEvent(3))
        try await writer.flush()
        #expect(try sequences(folder.lines()) == [1, 2, 3])
        let recovered = try notes("storage_recovered", in: folder.lines())
        #expect(recovered.count == 1 && recovered[0]["errno"] as? Int32 == errno && recovered[0]["dropped"] as? Int == 0)
        files.setRule { $0.kind == .write ? .fail(errno) : nil }
        writer.record(testEvent(4))
        await #expect(throws: EventFileError.self) { try await writer.flush() }
        #expect(errors.all.count == 2, "a new episode is reported again")
        files.setRule { _ in nil }
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1, 2, 3, 4])
    }

    @Test func `interrupted calls and short writes are not reported`() async throws {
        let files = FaultyFileSystem { call in
            if call.kind == .write || call.kind == .read { return call.number % 3 == 0 ? .fail(EINTR) : .short(7) }
            return call.number % 2 == 0 && call.kind != .close ? .fail(EINTR) : nil
        }
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem, onError: { Issue.record("\($0)") })
        for number in 1...50 {
            writer.record(testEvent(number))
            if number % 10 == 0 { try await writer.flush(.durable) }
        }
        try await writer.close()
        #expect(try sequences(folder.lines()) == Array(1...50))
        #expect(folder.names == folder.sealed)
    }

    @Test func `closing while storage fails gives up, and the next writer adopts what is there`() async throws {
        let files = FaultyFileSystem()
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem)
        writer.record(testEvent(1))
        try await writer.flush()
        files.setRule { $0.kind == .write ? .fail(ENOSPC) : nil }
        writer.record(testEvent(2))
        writer.record(testEvent(3))
        await #expect(throws: EventFileError.self) { try await writer.close(deadline: .zero) }
        #expect(files.openDescriptors == 0)
        let statistics = writer.statistics
        #expect(statistics.dropped == 0 && statistics.written == 1 && statistics.waiting == 2)
        #expect(folder.rings.count == 1)
        let next = try EventFileWriter(folder, clock: clock, seed: 2)
        try await next.close()
        #expect(try sequences(folder.lines()) == [1, 2, 3], "what waited has a copy")
        #expect(folder.rings.isEmpty)
        #expect(folder.open.isEmpty)
    }

    @Test func `a failed sync is an error of the flush that asked for it`() async throws {
        let files = FaultyFileSystem { $0.kind == .synchronize ? .fail(EIO) : nil }
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem)
        writer.record(testEvent(1))
        await #expect(throws: EventFileError.self) { try await writer.flush(.durable) }
        try await writer.flush()
        files.setRule { _ in nil }
        try await writer.flush(.durable)
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1])
    }

    @Test(.notForever)
    func `a failure that leaves nothing to do is over with the next attempt`() async throws {
        let files = FaultyFileSystem { $0.kind == .synchronize ? .fail(EIO) : nil }
        let errors = Collected<EventFileError>()
        var options = EventFileWriterOptions()
        options.firstRetry = .milliseconds(1)
        let clock = WriterTestClock(runs: true)
        let writer = try EventFileWriter(folder, options: options, clock: clock, fileSystem: files.fileSystem, onError: { errors.add($0) })
        writer.record(testEvent(1))
        await #expect(throws: EventFileError.self) { try await writer.flush(.durable) }
        // The writer tries again by itself: nobody asks for a sync again.
        try await clock.until { try !notes("storage_recovered", in: folder.lines()).isEmpty }
        #expect(errors.all.count == 1)
        files.setRule { _ in nil }
        try await writer.close()
    }

    /// A life of a writer with members, flushes, a sync, and a rotation and a close that each pack small members again.
    ///
    /// - Returns: how many events were acknowledged.
    private static func live(in folder: WriterTestFolder, on files: FaultyFileSystem) async -> Int {
        var options = EventFileWriterOptions()
        options.retainFiles = 3
        guard let writer = try? EventFileWriter(folder, options: options, seed: 3, fileSystem: files.fileSystem) else { return 0 }
        var acknowledged = 0
        do {
            _ = try await writer.recovered()
            for number in 1...6 {
                writer.record(testEvent(number, session: "life"))
                try await writer.flush(number == 3 ? .durable : .processKill)
                acknowledged = number
                if number == 4 { try await writer.rotate() }
            }
        } catch {}
        try? await writer.close(deadline: .zero)
        return acknowledged
    }

    @Test func `the next process makes whole what a process killed before any of its calls leaves`() async throws {
        let orphan = SegmentName(stem: "events", writer: 9, number: 1)
        let output = ByteBuffer(capacity: BGZF.memberLimit)
        let lines = try (1...3).flatMap { try #require(EventLineEncoder().line(of: testEvent($0, session: "orphan"))) }
        lines.withUnsafeBufferPointer { BGZFDeflater(level: 1).appendMember(of: $0, to: output) }
        let torn = Array(output.bytes) + output.bytes.prefix(40)

        let trial = try WriterTestFolder()
        try trial.put(torn, orphan.open)
        let whole = FaultyFileSystem()
        #expect(await Self.live(in: trial, on: whole) == 6)
        let calls = whole.calls.count
        #expect(calls > 80)
        for kill in 1...calls {
            let folder = try WriterTestFolder()
            try folder.put(torn, orphan.open)
            let files = FaultyFileSystem { $0.number == kill ? .kill : $0.kind == .synchronize ? .short(0) : nil }
            let acknowledged = await Self.live(in: folder, on: files)
            // The next process is killed as well while it recovers, the one after it lives.
            for again in [kill % 40 + 1, .max] {
                let mortal = FaultyFileSystem { $0.number == again ? .kill : $0.kind == .synchronize ? .short(0) : nil }
                if let next = try? EventFileWriter(folder, seed: UInt64(kill), fileSystem: mortal.fileSystem) {
                    _ = try? await next.recovered()
                    try? await next.close(deadline: .zero)
                }
            }
            let names = folder.names
            #expect(names.allSatisfy { SegmentName.parse($0)?.state == .sealed || $0 == ".quarantine" }, "call \(kill): \(names)")
            for name in folder.sealed {
                let segment = try folder.decode(name)
                #expect(segment.hasEndMember && segment.torn == 0, "call \(kill)")
            }
            let all = try folder.lines()
            let numbers = try sequences(all, session: "life")
            #expect(numbers.count >= acknowledged && numbers == Array(1...6).prefix(numbers.count).map { $0 }, "call \(kill): \(numbers)")
            #expect(try sequences(all, session: "orphan") == [1, 2, 3], "call \(kill)")
        }
    }
}
