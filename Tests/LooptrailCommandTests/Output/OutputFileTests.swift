import Foundation
import Testing

@testable import looptrail

@Suite struct OutputFileTests {
    private func write(_ text: String, to path: String) throws(OutputError) {
        try OutputFile.write(Array(text.utf8), to: path)
    }

    private func mode(of path: String) throws -> Int {
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        return try #require(mode).intValue
    }

    @Test func `a new file holds the whole text and nothing is left beside it`() throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "é line\n", count: 50_000)
        try write(text, to: folder.path("out.txt"))
        #expect(folder.text("out.txt") == text)
        #expect(folder.names == ["out.txt"])
    }

    @Test func `bytes that are no text are written as they are`() throws {
        let folder = try TemporaryFolder()
        let bytes = (0...255).map { UInt8($0) }
        try OutputFile.write(bytes, to: folder.path("out.bin"))
        #expect(FileManager.default.contents(atPath: folder.path("out.bin")).map(Array.init) == bytes)
    }

    @Test func `an old file is replaced and keeps its mode`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("out.txt", "old and longer")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        try write("new", to: path)
        #expect(folder.text("out.txt") == "new")
        #expect(try mode(of: path) == 0o640)
        #expect(folder.names == ["out.txt"])
    }

    @Test func `a link stays a link, and what it leads to is replaced`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("deep"), withIntermediateDirectories: false)
        try folder.file("deep/real.txt", "old")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link.txt"), withDestinationPath: "deep/real.txt")
        try write("new", to: folder.path("link.txt"))
        #expect(folder.text("deep/real.txt") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link.txt")) == "deep/real.txt")
        #expect(folder.names == ["deep", "link.txt"])
    }

    @Test func `a link that leads nowhere is refused before the work begins, and stays`() throws {
        let folder = try TemporaryFolder()
        let link = folder.path("link.txt")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "later.txt")
        do throws(OutputError) {
            try OutputFile.check(link)
            Issue.record("followed a link to nowhere")
        } catch { #expect("\(error)" == "cannot follow the link `\(link)`: No such file or directory") }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "later.txt")
    }

    @Test func `a device is written to and stays a device`() throws {
        try write("gone", to: "/dev/null")
        var status = stat()
        #expect(stat("/dev/null", &status) == 0)
        #expect(status.st_mode & S_IFMT == S_IFCHR)
    }

    @Test func `a name for an open descriptor is written where the descriptor stands, and its file is not replaced`() throws {
        let folder = try TemporaryFolder()
        let log = try folder.file("log.txt", "before\n")
        let descriptor = open(log, O_WRONLY | O_APPEND | O_CLOEXEC)
        defer { close(descriptor) }
        try OutputFile.check("/dev/fd/\(descriptor)")
        try write("one\n", to: "/dev/fd/\(descriptor)")
        try write("two\n", to: "/dev/fd/\(descriptor)")
        #expect(folder.text("log.txt") == "before\none\ntwo\n")
        let call = ["funnel", "-o", "/dev/stdout", "--steps", "a"]
        let result = try Child.looptrail(call, input: .pipe([]), output: .descriptor(descriptor))
        #expect(result.status == 0 && folder.text("log.txt")?.hasPrefix("before\none\ntwo\n") == true, "\(result.errors)")
        #expect(folder.names == ["log.txt"])
    }

    @Test func `a folder, and a place in no folder, are refused with what is wrong`() throws {
        let folder = try TemporaryFolder()
        do throws(OutputError) {
            try write("x", to: folder.path)
            Issue.record("wrote over a folder")
        } catch { #expect("\(error)" == "cannot write `\(folder.path)`: Is a directory") }
        do throws(OutputError) {
            try write("x", to: folder.path("none/out.txt"))
            Issue.record("wrote into no folder")
        } catch {
            #expect("\(error)" == "cannot make a file beside `\(folder.path("none/out.txt"))`: No such file or directory")
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func `a full disk is an error that says so`() throws {
        do throws(OutputError) {
            try write("x", to: "/dev/full")
            Issue.record("wrote to a full disk")
        } catch { #expect("\(error)" == "cannot write `/dev/full`: No space left on device") }
    }

    @Test func `what a killed process left of the file is removed, and what belongs to a living one or to another file stays`() throws {
        let folder = try TemporaryFolder()
        // No system gives this number to a process. The parent of this one lives.
        let left = [Int32.max, getpid()].map { ".looptrail-out.txt-\($0)-0a.tmp" }
        let fresh = ".looptrail-out.txt-\(Int32.max)-0b.tmp"
        let others = ["out.txt-\(getppid())-0a", "out.txt-x-\(Int32.max)-0a", "out.txt-0-0a", "out.txt-1"].map { ".looptrail-\($0).tmp" }
        for name in others + left + [fresh] {
            try folder.file(name, "somebody's")
            let age: TimeInterval = name == fresh ? 60 : 4_000
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: folder.path(name))
        }
        try write("x", to: folder.path("out.txt"))
        #expect(folder.names == (others + [fresh, "out.txt"]).sorted())
        #expect(folder.text("out.txt") == "x")
    }

    @Test func `a name that fills the limit of the file system is written`() throws {
        let folder = try TemporaryFolder()
        let name = String(repeating: "n", count: 251) + ".txt"
        try write("x", to: folder.path(name))
        #expect(folder.names == [name])
    }
}
