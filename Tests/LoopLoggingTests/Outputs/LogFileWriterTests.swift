import Foundation
import LoopCore
import LoopLogFiles
import LoopLogging
import LoopTesting
import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct LogFileWriterTests {
    @MainActor @Test func `a session's lines are in a compressed file of the log's own kind`() async throws {
        let folder = try LogFolder()
        let files = try LogFileWriter(folder: folder.path, random: SeededRandom(seed: 1))
        let system = Book().open().attach(.log(LogOptions(.compact(timing: false)), to: .files(files)))
        system.send(.count, fileID: "S/C.swift", line: 1)
        try await files.writer.flush()
        #expect(try folder.lines() == ["#0 initial → start", "#1 S/C.swift:1 count → counting(1)"])
        #expect(folder.names.count == 1)
        #expect(folder.names[0].wholeMatch(of: /log-[0-9a-f]{16}-0000000001\.log\.gz\.open/) != nil)
        try await files.writer.close()
        #expect(folder.names[0].wholeMatch(of: /log-[0-9a-f]{16}-0000000001\.log\.gz/) != nil)
        #expect(try folder.lines().count == 2)
        #expect(files.writer.statistics.recorded == 2 && files.writer.statistics.written == 2)
    }

    @Test func `a program without tasks can close it, too, and then nothing more is taken`() throws {
        let folder = try LogFolder()
        let files = try LogFileWriter(folder: folder.path)
        files.writer.record(line: "one")
        try files.writer.closeAndWait()
        files.writer.record(line: "two")
        #expect(try folder.lines() == ["one"])
        #expect(folder.names.allSatisfy { $0.hasSuffix(".log.gz") } && folder.names.count == 1)
    }

    @Test func `files end at their size and nothing is lost between two`() async throws {
        let folder = try LogFolder()
        var options = EventFileWriterOptions()
        options.rotateBytes = 20_000
        options.repackLevel = nil
        options.ringEvents = 100_000
        options.ringBytes = 64 << 20
        let files = try LogFileWriter(folder: folder.path, stem: "app", options: options)
        var random = SeededRandom(seed: 7)
        let lines = (0..<4_000).map { number in "\(number) \(random.next())\(random.next())" }
        for line in lines { files.writer.record(line: line) }
        try await files.writer.close()
        #expect(folder.names.count > 2)
        #expect(try folder.lines() == lines)
    }

    @Test func `a file never ends within a line, however long`() async throws {
        let folder = try LogFolder()
        var options = EventFileWriterOptions()
        options.rotateBytes = 10_000
        options.repackLevel = nil
        options.ringBytes = 64 << 20
        let files = try LogFileWriter(folder: folder.path, options: options)
        var random = SeededRandom(seed: 7)
        let lines = (0..<4).map { number in "\(number)" + (0..<12_000).map { _ in String(random.next(), radix: 36) }.joined() }
        for line in lines { files.writer.record(line: line) }
        try await files.writer.close()
        #expect(folder.names.count > 1)
        #expect(try folder.lines() == lines)
    }

    @Test func `a rotation publishes at once`() async throws {
        let folder = try LogFolder()
        let files = try LogFileWriter(folder: folder.path)
        files.writer.record(line: "one")
        try await files.writer.rotate()
        #expect(folder.names.count == 1 && folder.names[0].hasSuffix(".log.gz"))
        files.writer.record(line: "two")
        try await files.writer.close()
        #expect(try folder.lines() == ["one", "two"])
    }

    @Test func `a line feed in a line makes no second one, and a line longer than a member stays whole`() async throws {
        let folder = try LogFolder()
        let files = try LogFileWriter(folder: folder.path)
        let long = String(repeating: "0123456789", count: 30_000)
        files.writer.record(line: "a\nb\n")
        files.writer.record(line: long)
        files.writer.record(line: "")
        try await files.writer.close()
        let lines = try folder.lines()
        let isWhole = lines == ["a b ", long, ""]
        #expect(isWhole)
    }

    @Test func `logs and event files in one folder keep their own limits`() async throws {
        let folder = try LogFolder()
        var options = EventFileWriterOptions()
        options.retainFiles = 1
        let events = try EventFileWriter(folder: folder.path, options: options)
        let files = try LogFileWriter(folder: folder.path, stem: options.stem, options: options)
        var random = SeededRandom(seed: 1)
        for number in 0..<4 {
            let id = EventID(milliseconds: 1, random: &random)
            events.record(StampedEvent(timeMilliseconds: 1, event: TrackingEvent("e\(number)"), id: id))
            files.writer.record(line: "line \(number)")
            try await events.rotate()
            try await files.writer.rotate()
        }
        try await events.close()
        try await files.writer.close()
        #expect(folder.names.filter { $0.hasSuffix(".ndjson.gz") }.count == 1)
        #expect(folder.names.filter { $0.hasSuffix(".log.gz") }.count == 1)
        #expect(try folder.lines() == ["line 3"])
    }

    @Test func `what a killed writer left is adopted by the next, the whole lines of a cut member with it`() async throws {
        let folder = try LogFolder()
        let faulty = FaultyFileSystem()
        let files = try LogFileWriter(folder: folder.path, fileSystem: faulty.fileSystem)
        var random = SeededRandom(seed: 3)
        let lines = (0..<400).map { number in "\(number) no object \(random.next())" }
        for line in lines { files.writer.record(line: line) }
        try await files.writer.flush()
        faulty.kill()
        let name = try #require(folder.names.first)
        let path = folder.path + "/" + name
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try bytes.prefix(bytes.count - 200).write(to: URL(fileURLWithPath: path))

        let next = try LogFileWriter(folder: folder.path)
        next.writer.record(line: "later")
        try await next.writer.close()
        let found = try folder.lines()
        #expect(folder.names.allSatisfy { !$0.hasSuffix(".open") })
        #expect(found.last == "later")
        #expect(found.count > 100 && Array(found.dropLast()) == Array(lines.prefix(found.count - 1)))
        withExtendedLifetime(files) {}
    }

    @Test func `lines beyond the ring are dropped, counted and owned up to in the file`() async throws {
        let folder = try LogFolder()
        let faulty = FaultyFileSystem { $0.kind == .write ? .fail(ENOSPC) : nil }
        var options = EventFileWriterOptions()
        options.ringEvents = 10
        options.firstRetry = .seconds(3_600)
        let files = try LogFileWriter(folder: folder.path, options: options, fileSystem: faulty.fileSystem)
        for number in 0..<30 { files.writer.record(line: "\(number)") }
        await #expect(throws: EventFileError.self) { try await files.writer.flush() }
        faulty.setRule { _ in nil }
        try await files.writer.flush()
        try await files.writer.close()
        let lines = try folder.lines()
        #expect(lines.filter { !$0.hasPrefix("{") }.count + files.writer.statistics.dropped == 30)
        #expect(files.writer.statistics.dropped > 0)
        #expect(lines.contains { $0.hasPrefix("{") && $0.contains(#""name":"dropped""#) })
    }

    @Test func `a stem that cannot be one is refused`() throws {
        let folder = try LogFolder()
        #expect(throws: EventFileError.badStem("../x")) { try LogFileWriter(folder: folder.path, stem: "../x") }
    }

    @MainActor @Test func `a thread writes into files, and both are closed in order`() async throws {
        let folder = try LogFolder()
        let files = try LogFileWriter(folder: folder.path)
        let thread = LogThread(to: .files(files))
        let system = System<Int, Int>(initialState: 0, reducer: { (sum: inout Int, more: Int) in sum += more })
            .attach(.log(LogOptions(.changes(timing: false)), on: thread))
        for number in 1...50 { system.send(number, fileID: "S/C.swift", line: 1) }
        await thread.close()
        try await files.writer.close()
        let lines = try folder.lines()
        #expect(lines.count == 51)
        #expect(lines.last == "#50 S/C.swift:1 Int 50: 1225 → 1275")
    }
}
