import EventFiles
import Foundation
import LoopTesting
import Testing
import TrackingEvents

/// What users can make a file system do, to see how their own code takes it.
@Suite struct FaultyFileSystemTests {
    private let path: String
    private let files = FaultyFileSystem()
    private var fileSystem: any FileSystem { files.fileSystem }

    init() throws {
        path = NSTemporaryDirectory() + "looptrail-faulty-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    /// Runs a test in the folder, and removes it afterwards.
    private func inFolder(_ body: (FileDescriptor) throws -> Void) throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(try fileSystem.openFolder(atPath: path))
    }

    private func write(_ text: String, to file: FileDescriptor) throws -> Int {
        try Array(text.utf8).withUnsafeBytes { try fileSystem.write($0, to: file, at: 0) }
    }

    private func contents(_ name: String) -> String? { try? String(contentsOfFile: path + "/" + name, encoding: .utf8) }

    @Test func `without a rule it works like the machine's own, and every call is noted in order`() throws {
        try inFolder { folder in
            let file = try fileSystem.create("a", in: folder)
            #expect(try write("hello", to: file) == 5)
            try fileSystem.synchronize(file)
            fileSystem.close(file)
            #expect(contents("a") == "hello")
            #expect(files.calls.map(\.kind) == [.openFolder, .create, .write, .synchronize, .close])
            #expect(files.calls.map(\.number) == [1, 2, 3, 4, 5])
            #expect(files.calls.map(\.name) == [path, "a", "", "", ""])
        }
    }

    @Test func `a call that fails does nothing, throws what it was told, and is noted`() throws {
        try inFolder { folder in
            files.setRule { $0.kind == .create ? .fail(28) : nil }
            #expect(throws: FileSystemError(.create, errno: 28, path: "a")) { try fileSystem.create("a", in: folder) }
            #expect(contents("a") == nil && files.calls.last?.kind == .create && files.openDescriptors == 1)
            files.setRule { _ in nil }
            fileSystem.close(try fileSystem.create("a", in: folder))
        }
    }

    @Test func `a call that fails after it was done is done, and leaves no descriptor`() throws {
        try inFolder { folder in
            files.setRule { _ in .failAfter(5) }
            #expect(throws: FileSystemError(.create, errno: 5, path: "a")) { try fileSystem.create("a", in: folder) }
            #expect(throws: FileSystemError(.rename, errno: 5, path: "b")) { try fileSystem.rename("a", in: folder, to: "b", in: folder) }
            #expect(contents("b") == "" && files.openDescriptors == 1)
            #expect(throws: FileSystemError.self, "a call that cannot be done fails by itself") {
                try fileSystem.rename("a", in: folder, to: "b", in: folder)
            }
        }
    }

    @Test func `a short call moves as many bytes as it may, and a short sync none`() throws {
        try inFolder { folder in
            let file = try fileSystem.create("a", in: folder)
            files.setRule { _ in .short(2) }
            #expect(try write("hello", to: file) == 2)
            #expect(contents("a") == "he")
            var room = [UInt8](repeating: 0, count: 5)
            #expect(try room.withUnsafeMutableBytes { try fileSystem.read(into: $0, from: file, at: 0) } == 2)
            try fileSystem.synchronize(file)
            try fileSystem.rename("a", in: folder, to: "b", in: folder)
            #expect(contents("b") == "he", "other calls go through")
        }
    }

    @Test func `a kill comes before the call, lets the locks go, and nothing happens after it`() throws {
        try inFolder { folder in
            let file = try fileSystem.create("a", in: folder)
            #expect(try fileSystem.lock(file))
            let other = PosixFileSystem()
            let otherFolder = try other.openFolder(atPath: path)
            let copy = try other.open("a", in: otherFolder)
            #expect(try !other.lock(copy))
            files.setRule { $0.kind == .write ? .kill : nil }
            #expect(throws: FileSystemError.self) { try write("hello", to: file) }
            #expect(contents("a") == "" && files.openDescriptors == 0)
            #expect(try other.lock(copy))
            let calls = files.calls.count
            files.setRule { _ in nil }
            #expect(throws: FileSystemError.self) { try fileSystem.remove("a", in: folder) }
            #expect(throws: FileSystemError.self) { try fileSystem.create("b", in: folder) }
            fileSystem.close(file)
            #expect(contents("a") == "" && contents("b") == nil)
            #expect(files.calls.count == calls, "a killed file system makes no calls")
            other.close(copy)
            other.close(otherFolder)
        }
    }

    @Test func `kill does the same from outside`() throws {
        try inFolder { folder in
            _ = try fileSystem.create("a", in: folder)
            files.kill()
            #expect(files.openDescriptors == 0)
            #expect(throws: FileSystemError.self) { try fileSystem.names(in: folder) }
        }
    }

    @Test func `memory of a killed process is cut off from its file, and a map call that fails leaves no memory mapped`() throws {
        try inFolder { folder in
            let (kept, failed) = (try fileSystem.create("kept", in: folder), try fileSystem.create("failed", in: folder))
            // Not every file system lets files be mapped.
            guard let memory = try fileSystem.mapAllocated(kept, bytes: 4_096) else { return }
            memory.storeBytes(of: 1, as: UInt8.self)
            files.setRule { _ in .failAfter(5) }
            #expect(throws: FileSystemError(.map, errno: 5)) { try fileSystem.mapAllocated(failed, bytes: 4_096) }
            // Only Linux has this file. `String(contentsOfFile:)` would read its beginning alone.
            if let maps = try FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd() {
                let (maps, name) = (String(decoding: maps, as: UTF8.self), URL(fileURLWithPath: path).lastPathComponent)
                #expect(maps.contains(name + "/kept") && !maps.contains(name + "/failed"))
            }
            files.kill()
            memory.storeBytes(of: 2, as: UInt8.self)
            #expect(contents("kept")?.utf8.first == 1)
            fileSystem.unmap(memory, bytes: 4_096)
        }
    }

    @Test func `every kind of call can fail`() throws {
        try inFolder { folder in
            let file = try fileSystem.create("a", in: folder)
            files.setRule { _ in .fail(5) }
            let path = path
            var empty: [UInt8] = []
            let attempts: [(FileSystemError.Call, () throws -> Void)] = [
                (.openFolder, { _ = try fileSystem.openFolder(atPath: path) }),
                (.openFolder, { _ = try fileSystem.openFolder("b", in: folder) }),
                (.makeFolder, { try fileSystem.makeFolder(path + "/b", in: .working) }),
                (.makeFolder, { try fileSystem.makeFolder("b", in: folder) }),
                (.names, { _ = try fileSystem.names(in: folder) }), (.create, { _ = try fileSystem.create("b", in: folder) }),
                (.open, { _ = try fileSystem.open("a", in: folder) }), (.lock, { _ = try fileSystem.lock(file) }),
                (.status, { _ = try fileSystem.status(of: file) }), (.status, { _ = try fileSystem.status(of: "a", in: folder) }),
                (.read, { _ = try empty.withUnsafeMutableBytes { try fileSystem.read(into: $0, from: file, at: 0) } }),
                (.write, { _ = try write("x", to: file) }), (.truncate, { try fileSystem.truncate(file, to: 0) }),
                (.synchronize, { try fileSystem.synchronize(file) }), (.link, { try fileSystem.link("a", to: "b", in: folder) }),
                (.rename, { try fileSystem.rename("a", in: folder, to: "b", in: folder) }),
                (.rename, { try fileSystem.rename("a", in: folder, to: "a", in: folder) }),
                (.map, { _ = try fileSystem.mapAllocated(file, bytes: 4_096) }),
                (.remove, { try fileSystem.remove("a", in: folder) }), (.removeFolder, { try fileSystem.removeFolder("b", in: folder) }),
            ]
            for (call, attempt) in attempts {
                let error = #expect(throws: FileSystemError.self, "\(call)") { try attempt() }
                #expect(error?.call == call && error?.errno == 5)
            }
            #expect(Set(attempts.map(\.0)).union([.close]) == Set(FileSystemError.Call.allCases))
            #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["a"])
        }
    }
}
