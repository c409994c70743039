import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// When files end, how they are published, which are kept.
@Suite(.notForever) struct RotationTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()

    init() throws { folder = try WriterTestFolder() }

    @Test func `a file ends at its size and nothing is lost between two`() async throws {
        var options = EventFileWriterOptions.lossless
        options.rotateBytes = 20_000
        options.repackLevel = nil
        let writer = try EventFileWriter(folder, options: options, clock: clock)
        for number in 1...10_000 { writer.record(testEvent(number, text: "sku-\(number &* 2_654_435_761 % 1_000_003)")) }
        try await writer.close()
        #expect(folder.sealed.count > 5 && folder.open.isEmpty)
        #expect(try sequences(folder.lines()) == Array(1...10_000))
        for name in folder.sealed.dropLast() {
            let size = try folder.bytes(name).count
            #expect(size >= 20_000 && size < 20_000 + BGZF.memberLimit)
        }
        #expect(writer.statistics.segments == folder.sealed.count)
    }

    @Test func `a file ends at its age by the monotonic clock`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.record(testEvent(1))
        try await writer.flush()
        clock.advance(.seconds(3_599))
        writer.record(testEvent(2))
        try await writer.flush()
        #expect(folder.sealed.isEmpty)
        clock.advance(.seconds(1))
        try await writer.flush()
        await clock.until { !folder.sealed.isEmpty }
        writer.record(testEvent(3))
        try await writer.close()
        #expect(try folder.sealed.map { try sequences(folder.decode($0).lines) } == [[1, 2], [3]])
    }

    @Test func `a rotation on request publishes at once`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.record(testEvent(1))
        try await writer.rotate()
        #expect(folder.names == folder.sealed && folder.sealed.count == 1)
        try await writer.rotate()
        #expect(folder.sealed.count == 1, "nothing new, no new file")
        try await writer.close()
    }

    @Test func `a segment is made locked under a hidden name and only then gets its own`() async throws {
        let files = FaultyFileSystem()
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem)
        _ = try await writer.recovered()
        let ring = files.calls.count
        writer.record(testEvent(1))
        try await writer.flush()
        let open = try #require(folder.open.first)
        // The thread may make one more call before. The calls for the file begin with its creation.
        let calls = files.calls.dropFirst(ring).drop { $0.kind != .create }
        let kinds = calls.filter { [.create, .lock, .link, .remove, .write].contains($0.kind) }
        #expect(kinds.map(\.kind) == [.create, .lock, .link, .remove, .write])
        #expect(kinds.map(\.name) == [".\(open.dropLast(5)).tmp", "", open, ".\(open.dropLast(5)).tmp", ""])
        try await writer.close()
    }

    @Test func `sealing syncs the bytes, publishes, syncs the folder, and closes the file last`() async throws {
        let files = FaultyFileSystem()
        var options = EventFileWriterOptions()
        options.repackLevel = nil
        let writer = try EventFileWriter(folder, options: options, clock: clock, fileSystem: files.fileSystem)
        writer.record(testEvent(1))
        try await writer.flush()
        let before = files.calls.count
        try await writer.rotate()
        let steps = files.calls.dropFirst(before).map(\.kind).filter { $0 != .status && $0 != .names }
        // The writer first checks that the ring is its own, and syncs it before anything can be removed.
        #expect(steps.prefix(9) == [.open, .lock, .close, .synchronize, .write, .synchronize, .rename, .synchronize, .close])
        try await writer.close()
    }

    @Test func `another writer cannot lock a file that is written`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.record(testEvent(1))
        try await writer.flush()
        let descriptor = open(folder.path + "/" + folder.open[0], O_RDWR)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == -1)
        try await writer.close()
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    }

    @Test(arguments: [(small: 3, large: 2, isRepacked: true), (2, 2, false), (1, 2, false), (1, 0, true), (0, 1, false)])
    func `small members are packed again, large ones are not`(small: Int, large: Int, isRepacked: Bool) async throws {
        var options = EventFileWriterOptions()
        options.unwrittenEvents = .max / 4
        options.unwrittenBytes = .max / 4
        let writer = try EventFileWriter(folder, options: options, clock: clock)
        var number = 0
        for member in 0..<small + large {
            for _ in 0..<(member < small ? 20 : 250) {
                number += 1
                writer.record(testEvent(number))
            }
            try await writer.flush()
        }
        let before = try folder.decode(folder.open[0])
        #expect(before.memberBytes.count { $0 <= 32 * 1024 } == small && before.members.count == small + large)
        let inode = try inodeNumber(folder.open[0])
        try await writer.close()
        let name = try #require(folder.sealed.first)
        #expect(folder.names == [name])
        let after = try folder.decode(name)
        #expect(after.lines == before.lines && after.hasEndMember && after.torn == 0)
        #expect((try inodeNumber(name) == inode) == !isRepacked)
        if isRepacked {
            #expect(after.members.count == (before.memberBytes.reduce(0, +) + BGZF.rawLimit - 1) / BGZF.rawLimit)
        } else {
            #expect(after.members == before.members)
        }
        #expect(try folder.permissions(name) == 0o600)
    }

    private func inodeNumber(_ name: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)[.systemFileNumber] as? Int)
    }

    @Test func `where there is no room to pack again the file is published as it is`() async throws {
        let files = FaultyFileSystem()
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem)
        writer.record(testEvent(1))
        try await writer.flush()
        files.setRule { $0.kind == .create ? .fail(ENOSPC) : nil }
        try await writer.rotate()
        #expect(folder.names == folder.sealed && folder.sealed.count == 1)
        #expect(try sequences(folder.lines()) == [1])
        try await writer.close()
    }

    @Test func `a published name is never taken from another file`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.record(testEvent(1))
        try await writer.flush()
        let sealed = String(folder.open[0].dropLast(5))
        try folder.put([1, 2, 3], sealed)
        await #expect(throws: EventFileError.self) { try await writer.rotate() }
        #expect(try folder.bytes(sealed) == [1, 2, 3])
        try FileManager.default.removeItem(atPath: folder.path + "/" + sealed)
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1])
    }

    @Test(arguments: ["link", "fifo", "folder", "hard link"])
    func `what stands at the next name is passed over and left alone`(kind: String) async throws {
        let victim = folder.path + "/victim"
        try folder.put(Array("precious".utf8), "victim")
        // The seed decides the writer's name.
        let first = try EventFileWriter(folder, clock: clock, seed: 7)
        first.record(testEvent(1))
        try await first.close()
        let name = try #require(SegmentName.parse(folder.sealed[0])?.name)
        try FileManager.default.removeItem(atPath: folder.path + "/" + name.sealed)
        let planted = folder.path + "/" + name.temporary
        // Planted once the number is chosen: numbers of files that are there before are not chosen.
        let files = FaultyFileSystem { call in
            if call.kind != .create || call.name != name.temporary { return nil }
            switch kind {
            case "link": try? FileManager.default.createSymbolicLink(atPath: planted, withDestinationPath: victim)
            case "fifo": _ = mkfifo(planted, 0o600)
            case "folder": try? FileManager.default.createDirectory(atPath: planted, withIntermediateDirectories: false)
            default: try? FileManager.default.linkItem(atPath: victim, toPath: planted)
            }
            return nil
        }
        let second = try EventFileWriter(folder, clock: clock, seed: 7, fileSystem: files.fileSystem)
        second.record(testEvent(2))
        try await second.close()
        #expect(folder.sealed.compactMap { SegmentName.parse($0)?.name.number } == [name.number + 1])
        #expect(try folder.bytes("victim") == Array("precious".utf8))
        #expect(try sequences(folder.lines()) == [2])
    }
}
