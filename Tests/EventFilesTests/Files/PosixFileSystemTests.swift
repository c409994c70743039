import Basics
import Foundation
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// What the writer relies on: no file is taken over, no link is followed, and no descriptor is inherited.
@Suite struct PosixFileSystemTests {
    let folder: WriterTestFolder
    let files = PosixFileSystem()
    let place: FileDescriptor

    init() throws {
        folder = try WriterTestFolder()
        place = try files.openFolder(atPath: folder.path)
    }

    /// The number of the error that a call throws; `nil` if it succeeds.
    private func errno(_ body: () throws(FileSystemError) -> some Any) -> Int32? {
        do throws(FileSystemError) {
            _ = try body()
            return nil
        } catch {
            return error.errno
        }
    }

    @Test func `every descriptor is closed when the process starts another program`() throws {
        defer { files.close(place) }
        try files.makeFolder("inside", in: place)
        let descriptors = [
            place, try files.openFolder("inside", in: place), try files.create("file", in: place), try files.open("file", in: place),
        ]
        for descriptor in descriptors { #expect(fcntl(descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0) }
        for descriptor in descriptors.dropFirst() { files.close(descriptor) }
    }

    @Test func `a listing leaves no descriptor open, and has every name but . and ..`() throws {
        defer { files.close(place) }
        for name in [".hidden", "a", "ä b"] { try folder.put([], name) }
        #expect(try Set(files.names(in: place)) == [".hidden", "a", "ä b"])
        #expect(try Set(files.names(in: place)) == [".hidden", "a", "ä b"], "a second listing starts again")
        let before = try files.open("a", in: place)
        // Far more than other tests of this process open meanwhile.
        for _ in 0..<500 { _ = try files.names(in: place) }
        let after = try files.open("a", in: place)
        #expect(after.rawValue - before.rawValue < 500)
        for file in [before, after] { files.close(file) }
    }

    @Test(arguments: ["file", "folder", "link", "dangling", "fifo"])
    func `a file is made only where nothing stands`(kind: String) throws {
        defer { files.close(place) }
        try plant(kind, at: "name")
        #expect(errno { () throws(FileSystemError) in try files.create("name", in: place) } == EEXIST)
        #expect(errno { () throws(FileSystemError) in try files.makeFolder("name", in: place) } == EEXIST)
    }

    @Test(arguments: ["link", "dangling"])
    func `a link is not followed to a file`(kind: String) throws {
        defer { files.close(place) }
        try plant(kind, at: "name")
        #expect(errno { () throws(FileSystemError) in try files.open("name", in: place) } == ELOOP)
        #expect(try files.status(of: "name", in: place)?.kind == .link)
    }

    @Test func `a link is not followed to a folder, by path nor by name`() throws {
        defer { files.close(place) }
        try files.makeFolder("real", in: place)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/name", withDestinationPath: "real")
        let refusals = [ELOOP, ENOTDIR]
        #expect(refusals.contains(try #require(errno { () throws(FileSystemError) in try files.openFolder("name", in: place) })))
        let path = folder.path + "/name"
        #expect(refusals.contains(try #require(errno { () throws(FileSystemError) in try files.openFolder(atPath: path) })))
    }

    @Test(.notForever)
    func `opening a FIFO waits for nobody`() throws {
        defer { files.close(place) }
        try plant("fifo", at: "name")
        let file = try files.open("name", in: place)
        #expect(try files.status(of: file).kind == .stream)
        files.close(file)
    }

    @Test func `a missing file has no status, and an error has the call and the name`() throws {
        defer { files.close(place) }
        #expect(try files.status(of: "nothing", in: place) == nil)
        let missing = FileSystemError(.open, errno: ENOENT, path: "nothing")
        #expect(throws: missing) { try files.open("nothing", in: place) }
        #expect(missing.description == "open nothing: No such file or directory (2)")
        #expect(FileSystemError(.read, errno: EIO).description == "read: Input/output error (5)")
        #expect(throws: FileSystemError(.link, errno: ENOENT, path: "new")) { try files.link("nothing", to: "new", in: place) }
        #expect(throws: FileSystemError(.rename, errno: ENOENT, path: "new")) {
            try files.rename("nothing", in: place, to: "new", in: place)
        }
        #expect(throws: FileSystemError(.remove, errno: ENOENT, path: "nothing")) { try files.remove("nothing", in: place) }
    }

    // A child process that is just being started has such a copy of the descriptor.
    @Test func `closing releases the lock, although there is a copy of the descriptor`() throws {
        defer { files.close(place) }
        let first = try files.create("a", in: place)
        #expect(try files.lock(first))
        let copy = FileDescriptor(rawValue: dup(first.rawValue))
        files.close(first)
        let second = try files.open("a", in: place)
        #expect(try files.lock(second))
        files.close(copy)
        files.close(second)
    }

    @Test func `a child's closing leaves its parent's lock`() async {
        await #expect(processExitsWith: .success) {
            let folder = try WriterTestFolder()
            let files = PosixFileSystem()
            let place = try files.openFolder(atPath: folder.path)
            let first = try files.create("a", in: place)
            #expect(try files.lock(first))
            let child = forkWithAlarms()
            if child == 0 {
                files.close(first)
                _exit(7)
            }
            #expect(exitCode(ofChild: child) == 7)
            #expect(try !files.lock(files.open("a", in: place)))
        }
    }

    @Test func `a link replaces no file, and a lock belongs to one descriptor of one file`() throws {
        defer { files.close(place) }
        let first = try files.create("a", in: place)
        #expect(try files.lock(first) && files.lock(first), "again for the same descriptor")
        try files.link("a", to: "b", in: place)
        #expect(errno { () throws(FileSystemError) in try files.link("a", to: "b", in: place) } == EEXIST)
        let second = try files.open("b", in: place)
        #expect(try !files.lock(second), "another name, the same file")
        #expect(try files.status(of: first).isSameFile(as: files.status(of: second)))
        files.close(first)
        #expect(try files.lock(second))
        files.close(second)
    }

    @Test func `bytes are written at their offset, and a file ends where it is truncated`() throws {
        defer { files.close(place) }
        let file = try files.create("a", in: place)
        defer { files.close(file) }
        let text = Array("0123456789".utf8)
        #expect(try text.withUnsafeBytes { try files.write($0, to: file, at: 5) } == 10)
        try files.truncate(file, to: 12)
        try files.synchronize(file)
        try files.synchronize(place)
        #expect(try folder.bytes("a") == [0, 0, 0, 0, 0] + Array("0123456".utf8))
        var room = [UInt8](repeating: 0xFF, count: 20)
        #expect(try room.withUnsafeMutableBytes { try files.read(into: $0, from: file, at: 8) } == 4)
        #expect(Array(room.prefix(5)) == Array("3456".utf8) + [0xFF])
        #expect(try room.withUnsafeMutableBytes { try files.read(into: $0, from: file, at: 12) } == 0)
    }

    @Test func `a mapped file is synchronized from the beginning of a page only`() throws {
        let place = try files.openFolder(atPath: folder.path)
        defer { files.close(place) }
        let file = try files.create("ring", in: place)
        defer { files.close(file) }
        // Some file systems cannot allocate blocks ahead, and on Apple's systems no file is mapped.
        guard let memory = try files.mapAllocated(file, bytes: 16_384) else { return }
        defer { files.unmap(memory, bytes: 16_384) }
        memory.storeBytes(of: 7, toByteOffset: 9, as: UInt8.self)
        try files.synchronize(memory, bytes: 4_096, of: file)
        let error = #expect(throws: FileSystemError.self) { try files.synchronize(memory + 8, bytes: 4_096, of: file) }
        #expect(error?.call == .synchronize && error?.errno == EINVAL)
        #expect(try folder.bytes("ring")[9] == 7)
    }

    @Test func `a folder that is not empty stays`() throws {
        defer { files.close(place) }
        try folder.put([1], "a", in: "inside")
        let refusal = errno { () throws(FileSystemError) in try files.removeFolder("inside", in: place) }
        #expect(refusal == ENOTEMPTY || refusal == EEXIST)
        try FileManager.default.removeItem(atPath: folder.path + "/inside/a")
        try files.removeFolder("inside", in: place)
        #expect(folder.names == [])
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func `writing to a full device fails with ENOSPC`() throws {
        defer { files.close(place) }
        let device = FileDescriptor(rawValue: Foundation.open("/dev/full", O_RDWR))
        defer { files.close(device) }
        let bytes = ByteBuffer(capacity: 16)
        bytes.append("something")
        #expect(errno { () throws(FileSystemError) in try files.writeAll(bytes.raw, to: device, at: 0) } == ENOSPC)
    }

    private func plant(_ kind: String, at name: String) throws {
        let path = folder.path + "/" + name
        switch kind {
        case "file": try folder.put([1], name)
        case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case "link":
            try folder.put([1], "target")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "target")
        case "dangling": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
        default: #expect(mkfifo(path, 0o600) == 0)
        }
    }
}
