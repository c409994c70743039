import Basics
import Foundation
import LoopTesting
import Testing
import TrackingEvents

@testable import EventFiles

/// Which folders a writer accepts, and what the names of files mean.
@Suite struct EventFolderTests {
    let folder: WriterTestFolder

    init() throws { folder = try WriterTestFolder() }

    @Test(arguments: ["", "/", "//"])
    func `a folder that is a link is refused, with a slash at the end too`(end: String) throws {
        let link = folder.path + "/link"
        try FileManager.default.createDirectory(atPath: folder.path + "/real", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real")
        #expect(throws: EventFileError.notAFolder(path: link)) { try EventFileWriter(folder: link + end) }
    }

    @Test func `a file in the folder's place is refused`() throws {
        try folder.put([], "file")
        #expect(throws: EventFileError.notAFolder(path: folder.path + "/file")) { try EventFileWriter(folder: folder.path + "/file") }
    }

    @Test func `an empty path is refused, and nothing is made in the working folder`() {
        let (error, files) = (EventFileError.notAFolder(path: ""), FaultyFileSystem())
        #expect(throws: error) { try EventFileWriter(folder: "", fileSystem: files.fileSystem) }
        #expect(files.calls.isEmpty)
        #expect(error.description.contains("is empty: name a folder"))
    }

    @Test(arguments: [0o777, 0o1777, 0o702])
    func `a folder that everybody may write into is refused, and the message says what to do`(mode: Int) throws {
        #expect(chmod(folder.path, mode_t(mode)) == 0)
        let error = EventFileError.folderWritableByOthers(path: folder.path, permissions: UInt32(mode))
        #expect(throws: error) { try EventFileWriter(folder: folder.path) }
        #expect(error.description.contains("chmod o-w"))
    }

    @Test func `missing folders are made one by one, whatever mark stands on the slash between them`() throws {
        let path = folder.path + "/new/\u{301}inner"
        _ = try EventFolder.open(path, on: PosixFileSystem())
        #expect(try EventFolder.open(path, on: PosixFileSystem(), making: false).isOpen)
    }

    @Test func `a refused folder leaves no descriptor open`() throws {
        #expect(chmod(folder.path, 0o777) == 0)
        let files = FaultyFileSystem()
        #expect(throws: EventFileError.self) { try EventFileWriter(folder: folder.path, fileSystem: files.fileSystem) }
        #expect(files.openDescriptors == 0)
    }

    @Test(arguments: ["", ".hidden", "-flag", "a/b", "ä", "a b", String(repeating: "x", count: 65)])
    func `a stem that cannot begin a file name is refused`(stem: String) throws {
        var options = EventFileWriterOptions()
        options.stem = stem
        #expect(throws: EventFileError.badStem(stem)) { try EventFileWriter(folder: folder.path, options: options) }
    }

    @Test func `files land in the folder that was opened, also after it was moved`() async throws {
        let path = folder.path + "/a"
        let writer = try EventFileWriter(folder: path, random: SeededRandom(seed: 1))
        try FileManager.default.moveItem(atPath: path, toPath: folder.path + "/b")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/")
        writer.record(testEvent(1))
        try await writer.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/b").count == 1)
    }

    @Test(
        arguments: [
            ("events-0a1b2c3d-0000000001.ndjson.gz", "sealed"), ("events-0a1b2c3d-0000000001.ndjson.gz.open", "open"),
            (".events-0a1b2c3d-0000000001.ndjson.gz.tmp", "temporary"), ("my.app-x-0a1b2c3d-9999999999.ndjson.gz", "sealed"),
            ("events-0a1b2c3d-0000000001.ndjson", nil), ("events-0A1b2c3d-0000000001.ndjson.gz", nil),
            ("events-0a1b2c3-0000000001.ndjson.gz", nil), ("events-0a1b2c3d-000000001.ndjson.gz", nil),
            ("-0a1b2c3d-0000000001.ndjson.gz", nil), ("0a1b2c3d-0000000001.ndjson.gz", nil), (".events-0a1b2c3d-0000000001.ndjson.gz", nil),
            ("events-0a1b2c3d-0000000001.ndjson.gz.tmp", nil), ("events-0a1b2c3d-+000000001.ndjson.gz", nil),
            ("events-0a1b2c3d-0000000001.txt.gz", nil), ("", nil), (".ndjson.gz", nil), (".tmp", nil),
            ("é-0a1b2c3d-0000000001.ndjson.gz", nil), ("events-0a1b2c3d4e5f6071-0000000001.ndjson.gz", "sealed"),
            ("events-0a1b2c3d4e5f-0000000001.ndjson.gz", nil), ("events-0a1b2c3d-0000000001.ndjson.gz.parquet", "summary"),
            ("events-0a1b2c3d4e5f6071-0000000001.log.gz.parquet", "summary"),
            (".events-0a1b2c3d-0000000001.ndjson.gz.parquet.tmp", "temporary"),
            ("events-0a1b2c3d-0000000001.ndjson.gz.open.parquet", nil), ("events-0a1b2c3d-0000000001.ndjson.gz.parquet.open", nil),
            ("events-0a1b2c3d-0000000001.parquet", nil), ("events-0a1b2c3d-0000000001.ndjson.gz.parquet.parquet", nil),
            (".events-0a1b2c3d4e5f6071.ring", "ring"), (".my.app-x-0a1b2c3d.ring", "ring"), ("events-0a1b2c3d4e5f6071.ring", nil),
            (".ring", nil), ("..ring", nil), (".-0a1b2c3d.ring", nil), (".0a1b2c3d.ring", nil), ("..events-0a1b2c3d.ring", nil),
            (".events-0a1b2c3d-0000000001.ndjson.gz.open", nil), ("..events-0a1b2c3d-0000000001.ndjson.gz.tmp", nil),
            ("events-0a1b2c3d-0000000001.ndjson.gz\u{301}", nil), ("0000000001.ndjson.gz", nil), ("-0000000001.ndjson.gz", nil),
            ("0a1b2c3d4e5f6071-0000000001.ndjson.gz", nil), ("events--0a1b2c3d-0000000001.ndjson.gz", "sealed"),
        ] as [(String, String?)])
    func `a file name stands for a segment's file of one kind, or for none`(fileName: String, state: String?) {
        let parsed = SegmentName.parse(fileName)
        #expect(parsed.map { "\($0.state)".prefix { $0 != "(" } } == state.map { $0[...] })
        guard let parsed else { return }
        let name = parsed.name
        let spelled = [name.sealed, name.open, name.temporary, name.ring, name.summary, ".\(name.summary).tmp"]
        #expect(spelled.contains(fileName))
    }

    @Test(arguments: [false, true])
    func `a file that was renamed or replaced before it is locked is not taken over`(isReplaced: Bool) throws {
        let orphan = SegmentName(stem: "events", writer: 1, number: 1)
        try folder.put([1, 2, 3], orphan.open)
        let files = FaultyFileSystem { [folder] call in
            // The file's writer publishes it at this very moment.
            if call.kind == .lock {
                rename(folder.path + "/" + orphan.open, folder.path + "/" + orphan.sealed)
                if isReplaced { try? folder.put([4], orphan.open) }
            }
            return nil
        }
        let opened = try EventFolder.open(folder.path, on: files.fileSystem)
        defer { opened.close() }
        #expect(try opened.takeOver(orphan.open) == nil, "somebody else's file was taken")
        #expect(files.openDescriptors == 1, "the folder's")
        #expect(try folder.bytes(orphan.sealed) == [1, 2, 3])
    }

    @Test func `a new file that another process replaced before it was locked is that process's`() throws {
        let (name, other) = (".s.tmp", try EventFolder.open(folder.path, on: PosixFileSystem()))
        defer { other.close() }
        let made = Lock<FileDescriptor?>(nil)
        let files = FaultyFileSystem { call in
            if call.kind == .lock { made.withLock { $0 = $0 ?? (try? other.createHidden(name)) } }
            return nil
        }
        let opened = try EventFolder.open(folder.path, on: files.fileSystem)
        defer { opened.close() }
        #expect(try opened.createHidden(name) == nil, "two processes would give their files the same name")
        let file = try #require(made.withLock { $0 })
        defer { PosixFileSystem().close(file) }
        #expect(try other.status(name) == other.status(of: file, named: name))
    }

    @Test func `neither threads nor descriptors are left after closing`() async throws {
        let files = FaultyFileSystem()
        for seed in 1...20 as ClosedRange<UInt64> {
            let writer = try EventFileWriter(folder, seed: seed, fileSystem: files.fileSystem)
            writer.record(testEvent(1))
            if seed % 2 == 0 { try await writer.close() } else { try writer.closeAndWait() }
            // The thread was joined, so what it opened is closed by now.
            #expect(files.openDescriptors == 0)
        }
    }
}
