import Basics
import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// A ring whose file is written and not mapped.
@Suite(.notForever) struct WrittenRingTests {
    /// Options for a ring that is written.
    private static func options(_ ring: EventFileWriterOptions.RingFile) -> EventFileWriterOptions {
        var options = smallRing
        options.ring = ring
        return options
    }

    @Test func `written at once, what was recorded is in the file when the call returns`() async throws {
        let folder = try WriterTestFolder()
        let files = quickFiles()
        let writer = try EventFileWriter(folder, options: Self.options(.writtenAtOnce), fileSystem: files.fileSystem)
        _ = try await writer.recovered()
        for number in 1...300 { writer.record(testEvent(number)) }
        files.kill()
        try? await writer.close(deadline: .zero)
        let next = try EventFileWriter(folder, options: smallRing, seed: 2)
        _ = try await next.recovered()
        try await next.close()
        #expect(try sequences(folder.lines()) == Array(1...300))
    }

    @Test func `written by the thread, it begins so long after a line, whatever waits, and where storage fails too`() async throws {
        let folder = try WriterTestFolder()
        let clock = WriterTestClock()
        let files = quickFiles()
        let (writer, thread) = try EventFileWriter.withoutThread(
            folder: folder.path, options: Self.options(.written(every: .milliseconds(2))), clock: clock.wall,
            monotonicClock: clock.monotonic,
            fileSystem: files.fileSystem, random: SeededRandom(seed: 1))
        thread.begin()
        func work() { while case .taken = thread.turnIfDue() {} }
        func lines() throws -> [String] { try TrialRing.contents(folder.bytes(folder.rings[0]), inode: inode()).texts }
        func inode() throws -> UInt64 {
            try #require(FileManager.default.attributesOfItem(atPath: folder.path + "/" + folder.rings[0])[.systemFileNumber] as? UInt64)
        }
        work()
        writer.record(testEvent(1))
        clock.advance(.milliseconds(1))
        work()
        #expect(try lines().isEmpty)
        clock.advance(.milliseconds(1))
        work()
        #expect(try lines().count == 1 && folder.open.isEmpty)
        files.setRule { $0.kind == .write && !$0.name.hasSuffix(".ring") ? .fail(EIO) : nil }
        clock.advance(.seconds(1))
        files.kill()
        let next = try EventFileWriter(folder, options: smallRing, seed: 2)
        _ = try await next.recovered()
        try await next.close()
        #expect(try sequences(folder.lines()) == [1])
    }

    @Test func `the thread is woken for the first line that is not in the file`() async throws {
        let folder = try WriterTestFolder()
        let files = quickFiles()
        let clock = WriterTestClock(runs: true)
        let writer = try EventFileWriter(
            folder, options: Self.options(.written(every: .milliseconds(2))), clock: clock, fileSystem: files.fileSystem)
        _ = try await writer.recovered()
        func end() throws -> Int { try folder.bytes(folder.rings[0]).withUnsafeBytes { RingHead($0)?.end ?? 0 } }
        for number in 1...5 {
            let last = try end()
            writer.record(testEvent(number))
            try await clock.until { try end() > last }
        }
        files.kill()
        try? await writer.close(deadline: .zero)
        let next = try EventFileWriter(folder, options: smallRing, seed: 2)
        _ = try await next.recovered()
        try await next.close()
        let found = try sequences(folder.lines())
        #expect(!found.isEmpty && found == Array(1..<found.count + 1))
    }

    @Test(arguments: [EventFileWriterOptions.RingFile.writtenAtOnce, .written(every: .zero)])
    func `a ring whose file fails goes, and nothing is there twice`(ring: EventFileWriterOptions.RingFile) async throws {
        let folder = try WriterTestFolder()
        let errors = Collected<EventFileError>()
        let left = Announced(6)
        let files = FaultyFileSystem { call in
            call.kind == .write
                && left.change { left in
                    left -= 1
                    return left < 0
                } ? .fail(ENOSPC) : nil
        }
        let writer = try EventFileWriter(folder, options: Self.options(ring), fileSystem: files.fileSystem, onError: { errors.add($0) })
        _ = try await writer.recovered()
        for number in 1...50 { writer.record(testEvent(number)) }
        _ = try? await writer.flush()
        files.setRule { _ in nil }
        try await writer.flush()
        files.kill()
        try? await writer.close(deadline: .zero)
        let next = try EventFileWriter(folder, options: smallRing, seed: 2)
        _ = try await next.recovered()
        try await next.close()
        #expect(try sequences(folder.lines()) == Array(1...50))
        #expect(!errors.all.isEmpty)
    }
}
