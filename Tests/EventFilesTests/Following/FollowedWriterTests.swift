import Foundation
import LoopTesting
import Synchronization
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// A follower beside a real writer that rotates, packs its segments again and removes the oldest.
@Suite struct FollowedWriterTests {
    let folder: WriterTestFolder
    init() throws { folder = try WriterTestFolder() }

    /// The sequence numbers of the events that are new to a follower.
    private func numbers(_ follower: EventFileFollower) throws -> [Int] {
        var numbers: [Int] = []
        let scanner = EventLineScanner(.head)
        try follower.poll { line in
            let event = try scanner.scan(line)
            if event.kind == .track { numbers.append(Int(event.sequence)) }
        }
        return numbers
    }

    /// CI makes 60 rotations, the nightly run 200.
    @Test func `over dozens of rotations each event comes once, in order`() async throws {
        let rotations = isNight ? 200 : 60
        var options = EventFileWriterOptions()
        options.retainFiles = rotations / 5
        let writer = try EventFileWriter(folder, options: options, fileSystem: quickFiles().fileSystem)
        let follower = EventFileFollower(paths: [folder.path])
        var (seen, last): ([Int], Int) = ([], 0)
        for rotation in 1...rotations {
            for _ in 1...4 {
                for _ in 1...70 {
                    last += 1
                    writer.record(testEvent(last))
                }
                try await writer.flush()
                // Now and then the follower comes late and finds the segment sealed.
                if rotation % 5 != 0 { seen += try numbers(follower) }
            }
            try await writer.rotate()
            if rotation % 3 != 0 { seen += try numbers(follower) }
        }
        try await writer.close()
        seen += try numbers(follower)
        #expect(seen == Array(1...last))
        #expect(folder.sealed.count <= rotations / 5 + 1)
    }

    @Test func `a segment that is promoted when consent is given repeats no event`() async throws {
        let writer = try EventFileWriter(folder, fileSystem: quickFiles().fileSystem)
        writer.setConsent(.pending)
        for number in 1...10 { writer.record(testEvent(number)) }
        try await writer.flush()
        // A file that is not the writer's keeps the folder from being removed.
        try folder.put([], "notes.txt", in: ".pending")
        let follower = EventFileFollower(paths: [folder.path, folder.path + "/.pending"])
        #expect(try numbers(follower) == Array(1...10))
        writer.setConsent(.granted)
        for number in 11...15 { writer.record(testEvent(number)) }
        try await writer.close()
        #expect(try numbers(follower) == Array(11...15))
    }

    @Test func `lines that the writer cuts off after a failure and writes again come once`() async throws {
        let writer = try EventFileWriter(folder, fileSystem: quickFiles().fileSystem)
        let follower = EventFileFollower(paths: [folder.path])
        for number in 1...10 { writer.record(testEvent(number)) }
        try await writer.flush()
        let name = try #require(folder.open.first)
        let half = try folder.bytes(name).count
        for number in 11...20 { writer.record(testEvent(number)) }
        try await writer.flush()
        let whole = try folder.bytes(name)
        #expect(try numbers(follower) == Array(1...20))
        let handle = try #require(FileHandle(forUpdatingAtPath: folder.path + "/" + name))
        try handle.truncate(atOffset: UInt64(half))
        #expect(try numbers(follower) == [])
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(whole[half...]))
        try handle.close()
        for number in 21...22 { writer.record(testEvent(number)) }
        try await writer.close()
        #expect(try numbers(follower) == [21, 22])
    }

    @Test func `a file that gets the inode of a removed one is read from its beginning`() throws {
        try folder.put(Array("one\ntwo\nthree\n".utf8), "a.ndjson")
        let follower = EventFileFollower(paths: [folder.path])
        var lines: [String] = []
        func poll() throws { try follower.poll { lines.append(String(decoding: $0, as: UTF8.self)) } }
        try poll()
        // The same inode with other contents, as a file system gives it to the next file.
        let handle = try #require(FileHandle(forUpdatingAtPath: folder.path + "/a.ndjson"))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data("four\nfive\nsix\nseven\n".utf8))
        try handle.close()
        try poll()
        #expect(lines == ["one", "two", "three", "four", "five", "six", "seven"])
    }

    @Test func `a file that is replaced between listing and opening gives each line once`() throws {
        let (path, new) = (folder.path + "/a.ndjson", folder.path + "/a.new")
        try folder.put(Array("old\n".utf8), "a.ndjson")
        try folder.put(Array("new\n".utf8), "a.new")
        let files = FaultyFileSystem { call in
            if call.kind == .open, call.name == path { rename(new, path) }
            return nil
        }
        let follower = EventFileFollower(paths: [folder.path], fileSystem: files.fileSystem)
        var lines: [String] = []
        for _ in 1...3 { try follower.poll { lines.append(String(decoding: $0, as: UTF8.self)) } }
        #expect(lines == ["new"])
    }

    @Test func `a file that cannot be read does not keep back the lines of those after it`() throws {
        for name in ["a", "b", "c"] { try folder.put(Array("\(name)\n".utf8), name + ".ndjson") }
        let bad = folder.path + "/b.ndjson"
        let files = FaultyFileSystem { $0.kind == .open && $0.name == bad ? .fail(EACCES) : nil }
        let follower = EventFileFollower(paths: [folder.path], fileSystem: files.fileSystem)
        var lines: [String] = []
        func poll() throws { try follower.poll { lines.append(String(decoding: $0, as: UTF8.self)) } }
        #expect(throws: EventFileReadError.self) { try poll() }
        #expect(lines == ["a", "c"])
        files.setRule { _ in nil }
        try poll()
        #expect(lines == ["a", "c", "b"])
    }

    @Test func `a plain file that is rotated is read on under its new name, and the new one beside it`() throws {
        try folder.put(Array("a\n".utf8), "app.ndjson")
        let path = folder.path + "/app.ndjson"
        let follower = EventFileFollower(paths: [path])
        var lines: [String] = []
        func poll() throws { try follower.poll { lines.append(String(decoding: $0, as: UTF8.self)) } }
        try poll()
        let handle = try #require(FileHandle(forWritingAtPath: path))
        func write(_ text: String) throws {
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(text.utf8))
        }
        try write("b\n")
        try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        try folder.put(Array("d\n".utf8), "app.ndjson")
        try poll()
        try write("c\n")
        try poll()
        try FileManager.default.moveItem(atPath: path + ".1", toPath: path + ".2")
        try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        try folder.put(Array("e\n".utf8), "app.ndjson")
        try poll()
        #expect(lines == ["a", "b", "d", "c", "e"])
    }

    @Test func `a plain file whose place a longer copy takes is read on, and any other one is read anew`() throws {
        try folder.put(Array("a\nb\n".utf8), "app.ndjson")
        let follower = EventFileFollower(paths: [folder.path])
        func poll() throws -> [String] {
            var lines: [String] = []
            try follower.poll { lines.append(String(decoding: $0, as: UTF8.self)) }
            return lines
        }
        #expect(try poll() == ["a", "b"])
        for (text, lines) in [("a\nb\nc\n", ["c"]), ("a\nb\nc\n", []), ("a\nx\nc\nd\n", ["a", "x", "c", "d"]), ("a\n", ["a"])] {
            try folder.put(Array(text.utf8), "new")
            #expect(rename(folder.path + "/new", folder.path + "/app.ndjson") == 0)
            #expect(try poll() == lines)
        }
    }

    @Test func `a link whose target comes late is found, though nothing changes in its folder`() throws {
        let clock = Mutex(Int64(0))
        try folder.put([], "notes.txt", in: "elsewhere")
        try folder.put([], "notes.txt", in: "followed")
        #expect(symlink("../elsewhere/a.ndjson", folder.path + "/followed/a.ndjson") == 0)
        let follower = EventFileFollower(
            paths: [folder.path + "/followed"], fileSystem: PosixFileSystem(), clock: MonotonicClock { clock.withLock { $0 } })
        for _ in 1...3 {
            clock.withLock { $0 += 5_000_000_000 }
            #expect(try follower.poll { _ in } == 0)
        }
        try folder.put(Array("one\n".utf8), "a.ndjson", in: "elsewhere")
        #expect(try follower.poll { _ in } == 1)
    }

    @Test func `a file in which nothing changed is not opened again`() async throws {
        let writer = try EventFileWriter(folder, fileSystem: quickFiles().fileSystem)
        for number in 1...20 {
            writer.record(testEvent(number))
            try await writer.rotate()
        }
        let files = FaultyFileSystem()
        let follower = EventFileFollower(paths: [folder.path], fileSystem: files.fileSystem)
        #expect(try numbers(follower) == Array(1...20))
        let before = files.calls.count { $0.kind == .open }
        #expect(before == 20)
        writer.record(testEvent(21))
        try await writer.flush()
        #expect(try numbers(follower) == [21])
        #expect(try numbers(follower) == [])
        #expect(files.calls.count { $0.kind == .open } == before + 1)
        try await writer.close()
    }

    @Test func `a folder in which nothing came or went is not listed again`() async throws {
        let clock = Mutex(Int64(0))
        let files = FaultyFileSystem()
        let writer = try EventFileWriter(folder, fileSystem: quickFiles().fileSystem)
        let follower = EventFileFollower(
            paths: [folder.path], fileSystem: files.fileSystem, clock: MonotonicClock { clock.withLock { $0 } })
        var listings: Int { files.calls.count { $0.kind == .openFolder } }
        func poll(after seconds: Int64) throws -> [Int] {
            clock.withLock { $0 += seconds * 1_000_000_000 }
            return try numbers(follower)
        }
        writer.record(testEvent(1))
        try await writer.flush()
        #expect(try poll(after: 1) == [1])
        // The folder is listed again: its status may be older than a file that came in the same moment.
        #expect(try poll(after: 1) == [] && listings == 2)
        #expect(try poll(after: 3) == [] && listings == 3)
        writer.record(testEvent(2))
        try await writer.flush()
        #expect(try poll(after: 1) == [2] && listings == 3)
        try await writer.rotate()
        writer.record(testEvent(3))
        try await writer.flush()
        #expect(try poll(after: 1) == [3] && listings > 3)
        try await writer.close()
        #expect(try poll(after: 5) == [])
        #expect(try poll(after: 5) == [])
        let settled = listings
        #expect(try poll(after: 5) == [] && listings == settled)
        let away = folder.path + "-away"
        try FileManager.default.moveItem(atPath: folder.path, toPath: away)
        for _ in 1...3 { #expect(try poll(after: 5) == [], "what was there once may come back") }
        try FileManager.default.moveItem(atPath: away, toPath: folder.path)
        try folder.put(Gzip.blocked([RepairTrial.text(4...4)]), SegmentName(stem: "events", writer: 99, number: 1).sealed)
        #expect(try poll(after: 1) == [4])
    }

    @Test func `a pattern that matches nothing is an error at first, but not between two files`() throws {
        let follower = EventFileFollower(paths: [folder.path + "/*.ndjson.gz"])
        #expect(throws: EventFileReadError.self) { try numbers(follower) }
        for number in 1...3 {
            let name = SegmentName(stem: "events", writer: 1, number: Int64(number)).sealed
            try folder.put(Gzip.blocked([RepairTrial.text(number...number)]), name)
            #expect(try numbers(follower) == [number])
            try FileManager.default.removeItem(atPath: folder.path + "/" + name)
            #expect(try numbers(follower) == [])
        }
    }

    @Test func `a line whose closure throws is not repeated, and the lines after it come at the next poll`() throws {
        struct Refusal: Error {}
        let lines = (1...9).map { "line \($0)\n" }
        try folder.put(Gzip.blocked([lines[..<3].joined(), lines[3...].joined()]), "a.ndjson.gz")
        let follower = EventFileFollower(paths: [folder.path])
        var taken: [String] = []
        for _ in 1...3 {
            _ = try? follower.poll { line in
                taken.append(String(decoding: line, as: UTF8.self) + "\n")
                if taken.count == 2 || taken.count == 5 { throw Refusal() }
            }
        }
        #expect(taken == lines && follower.report.files.map(\.lines) == [9])
    }

    @Test("a call that fails is an error of that poll, and leaves no descriptor open", arguments: 1...12)
    func faults(call: Int) throws {
        try folder.put(Array("one\n".utf8), "a.ndjson")
        let files = FaultyFileSystem { $0.number == call && $0.kind != .close ? .fail(ESTALE) : nil }
        let follower = EventFileFollower(paths: [folder.path], fileSystem: files.fileSystem)
        let lines = try? follower.poll { _ in }
        #expect((lines == nil) == (files.calls.count >= call && files.calls[call - 1].kind != .close))
        #expect(files.openDescriptors == 0)
        files.setRule { _ in nil }
        #expect(try follower.poll { _ in } == 1 - (lines ?? 0))
    }
}
