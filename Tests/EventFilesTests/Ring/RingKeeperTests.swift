import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// When there is a ring file, how large it is, and what is said where there is none.
@Suite(.notForever) struct RingKeeperTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()

    init() throws { folder = try WriterTestFolder() }

    private func size(_ name: String?) throws -> Int? {
        try name.flatMap { try FileManager.default.attributesOfItem(atPath: folder.path + "/" + $0)[.size] as? Int }
    }

    @Test func `the ring is made at the beginning, for its owner alone, with every block, and goes with the writer`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        _ = try await writer.recovered()
        let ring = try #require(folder.rings.first)
        #expect(folder.rings.count == 1 && SegmentName.parse(ring)?.name.stem == "events")
        #expect(try folder.permissions(ring) == 0o600 && size(ring) == 4 * 1_048_576)
        var status = stat()
        #expect(stat(folder.path + "/" + ring, &status) == 0 && status.st_blocks * 512 >= 4 * 1_048_576)
        writer.record(testEvent(1))
        try await writer.close()
        #expect(folder.rings.isEmpty && folder.names == folder.sealed)
    }

    @Test func `another process that locks the ring's file while it is made does not prevent the ring`() async throws {
        let looking = PosixFileSystem()
        let looked = Collected<FileDescriptor>()
        let files = FaultyFileSystem { [path = folder.path] call in
            guard call.kind == .lock, looked.all.isEmpty, let held = try? looking.openFolder(atPath: path) else { return nil }
            defer { looking.close(held) }
            // Locks the ring like a recovery or an uploader that takes it for an orphan's.
            for name in (try? looking.names(in: held)) ?? [] {
                if let file = try? looking.open(name, in: held), (try? looking.lock(file)) == true { looked.add(file) }
            }
            return nil
        }
        let writer = try EventFileWriter(
            folder, options: smallRing, clock: clock, fileSystem: files.fileSystem, onError: { Issue.record("\($0)") })
        _ = try await writer.recovered()
        #expect(looked.all.count == 1 && folder.rings.count == 1)
        let held = try EventFolder.open(folder.path, on: looking)
        #expect(try held.writersWithOrphanedRing(held.names()).isEmpty, "its writer has locked it")
        for file in looked.all { looking.close(file) }
        held.close()
        try await writer.close()
        #expect(folder.names.isEmpty && folder.rings.isEmpty)
    }

    @Test(arguments: [(1, 1_048_576), (2, 256 * 1_024)])
    func `if there is no room for the first size, a smaller ring is made`(failures: Int, bytes: Int) async throws {
        let left = Collected<Void>()
        let files = FaultyFileSystem { call in
            guard call.kind == .map, left.all.count < failures else { return nil }
            left.add(())
            return .fail(ENOSPC)
        }
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem, onError: { Issue.record("\($0)") })
        _ = try await writer.recovered()
        #expect(folder.rings.count == 1)
        #expect(try size(folder.rings.first) == bytes)
        try await writer.close()
        #expect(files.openDescriptors == 0 && folder.rings.isEmpty)
    }

    @Test func `without room for any ring, events wait in memory, one error reports it, and the writer tries again later`() async throws {
        let errors = Collected<EventFileError>()
        let files = FaultyFileSystem { $0.kind == .map ? .fail(ENOSPC) : nil }
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem, onError: { errors.add($0) })
        for number in 1...3 {
            writer.record(testEvent(number))
            try await writer.flush()
        }
        #expect(folder.rings.isEmpty)
        guard errors.all.count == 1, case .ringInMemory(_, let reason) = try #require(errors.all.first) else {
            Issue.record("\(errors.all)")
            return
        }
        #expect(reason.errno == ENOSPC && errors.all[0].description.contains("No space left"))
        files.setRule { _ in nil }
        clock.advance(.seconds(61))
        writer.record(testEvent(4))
        try await writer.flush()
        #expect(folder.rings.count == 1)
        writer.record(testEvent(5))
        files.kill()
        try? await writer.close(deadline: .zero)
        let next = try EventFileWriter(folder, clock: clock, seed: 2)
        _ = try await next.recovered()
        try await next.close()
        #expect(try sequences(folder.lines()) == Array(1...5))
    }

    @Test func `on a file system without mapped files the ring is written, and the written events survive a kill`() async throws {
        let files = FaultyFileSystem(on: UnmappedFiles())
        let (writer, thread) = try EventFileWriter.withoutThread(
            folder: folder.path, options: smallRing, clock: clock.wall, monotonicClock: clock.monotonic, fileSystem: files.fileSystem,
            random: SeededRandom(seed: 1), onError: { Issue.record("\($0)") })
        thread.begin()
        for number in 1...2 {
            writer.record(testEvent(number))
            clock.advance(.milliseconds(number == 1 ? 2 : 1))
            while thread.turnIfDue() {}
        }
        #expect(folder.rings.count == 1)
        files.kill()
        let next = try EventFileWriter(folder, clock: clock, seed: 2)
        _ = try await next.recovered()
        try await next.close()
        #expect(try sequences(folder.lines()) == [1])
    }

    @Test func `a ring that somebody removes is made anew with the next flush`() async throws {
        let files = quickFiles()
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem)
        _ = try await writer.recovered()
        try FileManager.default.removeItem(atPath: folder.path + "/" + #require(folder.rings.first))
        try await writer.flush()
        #expect(folder.rings.count == 1)
        writer.record(testEvent(1))
        files.kill()
        try? await writer.close(deadline: .zero)
        let next = try EventFileWriter(folder, clock: clock, seed: 2)
        _ = try await next.recovered()
        try await next.close()
        #expect(try sequences(folder.lines()) == [1])
    }

    @Test func `a ring whose sync fails is removed, and nothing else fails`() async throws {
        let files = FaultyFileSystem()
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem)
        _ = try await writer.recovered()
        writer.record(testEvent(1))
        try await writer.flush()
        let failed = Collected<Void>()
        files.setRule { call in
            guard call.kind == .synchronize, failed.all.isEmpty else { return nil }
            failed.add(())
            return .fail(EIO)
        }
        try await writer.rotate()
        #expect(folder.rings.isEmpty && folder.sealed.count == 1)
        writer.record(testEvent(2))
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1, 2])
    }

    @Test func `a ring that can be neither written nor removed goes when the writer closes, and its lines come once`() async throws {
        let files = FaultyFileSystem()
        var options = smallRing
        options.ring = .writtenAtOnce
        let writer = try EventFileWriter(folder, options: options, clock: clock, fileSystem: files.fileSystem)
        _ = try await writer.recovered()
        writer.record(testEvent(1))
        let tries = Collected<FileSystemError.Call>()
        // The second event cannot be written to the ring, and the ring cannot be removed at first.
        files.setRule { call in
            guard [.write, .remove].contains(call.kind), !tries.all.contains(call.kind) else { return nil }
            tries.add(call.kind)
            return .fail(EIO)
        }
        writer.record(testEvent(2))
        try await writer.flush()
        #expect(tries.all == [.write, .remove] && folder.rings.count == 1)
        try await writer.close()
        #expect(folder.rings.isEmpty && files.openDescriptors == 0)
        #expect(try sequences(folder.lines()) == [1, 2])
    }

    @Test func `a ring that cannot be written when it is closed keeps the lines that its file had`() throws {
        let files = FaultyFileSystem()
        let held = try EventFolder.open(folder.path, on: files.fileSystem)
        var options = smallRing
        options.ring = .written(every: .seconds(1))
        let context = WriterContext(options: options)
        let keeper = RingKeeper(context)
        try keeper.make(for: .main, in: held, beside: SegmentWriter(folder: held, context: context, writer: 1), key: 1)
        let ring = try #require(keeper[.main])
        func append(_ text: String) { Array(text.utf8).withUnsafeBytes { ring.append($0) } }
        append("1\n")
        ring.writeAtOnce()
        append("2\n")
        let failed = Collected<Void>()
        files.setRule { call in
            guard call.kind == .write, failed.all.isEmpty else { return nil }
            failed.add(())
            return .fail(ENOSPC)
        }
        keeper.close(.main, isRemoved: false)
        #expect(failed.all.count == 1)
        #expect(try RingContents.all(inside: folder.path, on: PosixFileSystem()).map { $0.contents?.texts } == [["1\n"]])
    }

    @Test func `before a file is published, its ring's head is on the storage, but none of its lines`() async throws {
        let disk = try WriterTestFolder()
        let files = try PowerLossFiles(root: folder.path)
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files)
        _ = try await writer.recovered()
        for number in 1...5 { writer.record(testEvent(number)) }
        try await writer.rotate()
        writer.record(testEvent(6))
        let after = disk.path + "/after"
        try files.lose(keeping: .all, into: after)
        let name = try #require(folder.rings.first)
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: after + "/" + name)))
        let head = try #require(bytes.withUnsafeBytes { RingHead($0) })
        #expect(head.start > 0 && head.start == head.end, "the lines are in the published file")
        #expect(bytes.count == 4 * 1_048_576 && bytes[RingHead.bytes...].allSatisfy { $0 == 0 })
        try await writer.close()
    }

    @Test func `events that waited before an erasure are in no ring, and later ones are in a new ring`() async throws {
        let files = quickFiles()
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem)
        _ = try await writer.recovered()
        let before = folder.rings
        writer.record(testEvent(1))
        try await writer.erase()
        try await writer.flush()
        #expect(folder.rings.count == 1 && folder.rings != before)
        writer.record(testEvent(2))
        files.kill()
        try? await writer.close(deadline: .zero)
        let next = try EventFileWriter(folder, clock: clock, seed: 2)
        _ = try await next.recovered()
        try await next.close()
        #expect(try sequences(folder.lines()) == [2])
    }
}

/// The machine's file system behind a conformance that has no mapped files.
private struct UnmappedFiles: FileSystem {
    let base = PosixFileSystem()

    func openFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor {
        try base.openFolder(name, in: folder)
    }
    func makeFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) { try base.makeFolder(name, in: folder) }
    func entries(in folder: FileDescriptor) throws(FileSystemError) -> [FolderEntry] { try base.entries(in: folder) }
    func create(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor { try base.create(name, in: folder) }
    func open(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor { try base.open(name, in: folder) }
    func openToRead(atPath path: String) throws(FileSystemError) -> FileDescriptor { try base.openToRead(atPath: path) }
    func close(_ file: FileDescriptor) { base.close(file) }
    func lock(_ file: FileDescriptor) throws(FileSystemError) -> Bool { try base.lock(file) }
    func status(of file: FileDescriptor) throws(FileSystemError) -> FileStatus { try base.status(of: file) }
    func status(of name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileStatus? { try base.status(of: name, in: folder) }
    func read(into bytes: UnsafeMutableRawBufferPointer, from file: FileDescriptor, at offset: Int64) throws(FileSystemError) -> Int {
        try base.read(into: bytes, from: file, at: offset)
    }
    func readNext(into bytes: UnsafeMutableRawBufferPointer, from file: FileDescriptor) throws(FileSystemError) -> Int {
        try base.readNext(into: bytes, from: file)
    }
    func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, at offset: Int64) throws(FileSystemError) -> Int {
        try base.write(bytes, to: file, at: offset)
    }
    func truncate(_ file: FileDescriptor, to length: Int64) throws(FileSystemError) { try base.truncate(file, to: length) }
    func synchronize(_ file: FileDescriptor) throws(FileSystemError) { try base.synchronize(file) }
    func link(_ name: String, to newName: String, in folder: FileDescriptor) throws(FileSystemError) {
        try base.link(name, to: newName, in: folder)
    }
    func rename(_ name: String, in folder: FileDescriptor, to newName: String, in newFolder: FileDescriptor) throws(FileSystemError) {
        try base.rename(name, in: folder, to: newName, in: newFolder)
    }
    func remove(_ name: String, in folder: FileDescriptor) throws(FileSystemError) { try base.remove(name, in: folder) }
    func removeFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) { try base.removeFolder(name, in: folder) }
}
