import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// Names, modes, members, and what reaches the file.
@Suite(.notForever) struct EventFileWriterTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()

    init() throws { folder = try WriterTestFolder() }

    @Test func `what was recorded is in a published file after closing, line by line as the encoder writes it`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        let events = (1...100).map { testEvent($0) }
        for event in events { writer.record(event) }
        try await writer.close()
        let name = try #require(folder.sealed.first)
        #expect(folder.names == [name])
        let segment = try folder.decode(name)
        #expect(segment.hasEndMember && segment.torn == 0)
        let expected = try events.map { String(decoding: try #require(EventLineEncoder().line(of: $0)).dropLast(), as: UTF8.self) }
        #expect(segment.lines == expected)
    }

    @Test func `the file is named open while it is written, and readable at every flush`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        #expect(folder.names == [], "nothing is made before there is an event")
        writer.record(testEvent(1))
        try await writer.flush()
        let name = try #require(folder.open.first)
        #expect(folder.names == [name])
        #expect(name.wholeMatch(of: /events-[0-9a-f]{16}-0000000001\.ndjson\.gz\.open/) != nil)
        #expect(try folder.decode(name).lines.count == 1)
        writer.record(testEvent(2))
        try await writer.flush(.durable)
        #expect(try sequences(folder.lines()) == [1, 2])
        try await writer.close()
        #expect(folder.names == [String(name.dropLast(5))])
    }

    @Test func `folder and files are for their owner alone`() async throws {
        let path = folder.path + "/a/b"
        let writer = try EventFileWriter(folder: path, random: SeededRandom(seed: 1))
        writer.record(testEvent(1))
        try await writer.flush()
        let open = try #require(FileManager.default.contentsOfDirectory(atPath: path).first)
        #expect(try folder.permissions("a") == 0o700)
        #expect(try folder.permissions("a/b") == 0o700)
        #expect(try folder.permissions("a/b/" + open) == 0o600)
        try await writer.close()
        #expect(try folder.permissions("a/b/" + open.dropLast(5)) == 0o600)
    }

    @Test func `numbers rise from the highest in the folder, whoever made it`() async throws {
        try folder.put([], "other-0a1b2c3d-0000000041.ndjson.gz")
        try folder.put([], "events-12345678-9999999999.txt.gz")
        let writer = try EventFileWriter(folder, clock: clock)
        for round in 1...3 {
            writer.record(testEvent(round))
            try await writer.rotate()
        }
        try await writer.close()
        let names = folder.sealed.compactMap { SegmentName.parse($0)?.name }
        #expect(names.map(\.number).sorted() == [41, 42, 43, 44])
        let own = names.filter { $0.stem == "events" }
        #expect(Set(own.map(\.writer)).count == 1)
    }

    @Test func `after the largest number a flush fails, and the writer keeps the events`() async throws {
        try folder.put([], "events-0a1b2c3d-9999999999.ndjson.gz")
        let writer = try EventFileWriter(folder, clock: clock)
        writer.record(testEvent(1))
        await #expect(throws: EventFileError.numbersUsedUp(path: folder.path)) { try await writer.flush() }
        #expect(writer.statistics.waiting == 1)
        await #expect(throws: EventFileError.self) { try await writer.close(deadline: .zero) }
    }

    @Test func `under load members are full and hold whole lines`() async throws {
        var options = EventFileWriterOptions.lossless
        options.unwrittenEvents = .max / 4
        options.unwrittenBytes = .max / 4
        let writer = try EventFileWriter(folder, options: options, clock: clock)
        for number in 1...3_000 { writer.record(testEvent(number, text: String(repeating: "x", count: number % 200))) }
        try await writer.close()
        let segment = try folder.decode(try #require(folder.sealed.first))
        #expect(try sequences(segment.lines) == Array(1...3_000))
        #expect(segment.members.allSatisfy { $0.hasSuffix("\n") })
        let longest = try #require(segment.lines.map(\.utf8.count).max()) + 1
        #expect(segment.memberBytes.dropLast().allSatisfy { $0 <= BGZF.rawLimit && $0 > BGZF.rawLimit - longest })
    }

    @Test func `gzip and Python read what is written`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        for number in 1...1_000 { writer.record(testEvent(number, text: "München \"\(number)\"")) }
        try await writer.flush()
        let open = folder.path + "/" + (try #require(folder.open.first))
        let before = try run("/bin/sh", "-c", "gzip -dc < '\(open)' | wc -l")
        #expect(before?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "1000" == "1000")
        try await writer.close()
        let sealed = folder.path + "/" + (try #require(folder.sealed.first))
        #expect(try run("/bin/sh", "-c", "gzip -t '\(sealed)' && echo sound") ?? "sound\n" == "sound\n")
        let script = "import gzip,json,sys; print(sum(json.loads(l)['seq'] for l in gzip.open(sys.argv[1])))"
        #expect(try run("/usr/bin/env", "python3", "-c", script, sealed) ?? "500500\n" == "500500\n")
        #expect(try run("/bin/sh", "-c", "bgzip --test '\(sealed)' && echo sound") ?? "sound\n" == "sound\n")
    }

    /// The program's output; `nil` if the machine lacks the program. In CI that is a failure instead.
    private func run(_ path: String, _ arguments: String...) throws -> String? {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 127 && !isCI ? nil : String(decoding: output, as: UTF8.self)
    }

    /// 5,000 events a thread; `LOOPTRAIL_THREAD_EVENTS=100000` asks for more.
    @Test func `eight threads lose nothing and mix up nothing`() async throws {
        let (threads, each) = (8, ProcessInfo.processInfo.environment["LOOPTRAIL_THREAD_EVENTS"].flatMap { Int($0) } ?? 5_000)
        let writer = try EventFileWriter(folder, options: .lossless)
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<threads {
                group.addTask { for number in 1...each { writer.record(testEvent(number, session: "t\(thread)")) } }
            }
        }
        // Closing has a deadline, and a slow machine under the sanitizer may have much left to write. A flush has none.
        try await writer.flush()
        try await writer.close()
        let statistics = writer.statistics
        #expect(statistics.recorded == threads * each && statistics.written == threads * each)
        #expect(statistics.dropped == 0 && statistics.waiting == 0)
        var next = [Int](repeating: 1, count: threads)
        // {"v":1,"t_ms":1767225600001,"name":"cart_added","user":"ut0","session":"t0","seq":1,…: all of one length up to the number.
        for line in try folder.lines() {
            let bytes = Array(line.utf8)
            let thread = Int(bytes[58]) - 48
            let number = bytes[82...].prefix { $0 != UInt8(ascii: ",") }.reduce(0) { $0 * 10 + Int($1) - 48 }
            if number != next[thread] { Issue.record("\(next[thread]) expected: \(line)") }
            next[thread] = number + 1
        }
        #expect(next.allSatisfy { $0 == each + 1 })
    }

    @Test func `after closing, events are counted as dropped, a flush fails, and closing again does nothing`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.record(testEvent(1))
        try await writer.close()
        writer.record(testEvent(2))
        writer.record(testEvent(3))
        #expect(writer.statistics.droppedByReason == [.closed: 2])
        #expect(writer.statistics.written == 1 && writer.statistics.recorded == 3)
        await #expect(throws: EventFileError.closed) { try await writer.flush() }
        await #expect(throws: EventFileError.closed) { try await writer.rotate() }
        try await writer.close()
        try writer.closeAndWait()
        #expect(try sequences(folder.lines()) == [1])
    }

    @Test(.notForever, arguments: [true, false])
    func `two closes at the same time both return when the file is sealed`(isBlocking: Bool) async throws {
        let gate = Gate()
        let files = FaultyFileSystem()
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem)
        writer.record(testEvent(1))
        try await writer.flush()
        files.setRule { call in
            if call.kind == .rename { gate.wait() }
            return nil
        }
        let first = Task { try await writer.close() }
        await gate.untilReached()
        let second = Task { [folder] in
            if isBlocking { try await onThread { Result { try writer.closeAndWait() } }.get() } else { try await writer.close() }
            return folder.sealed.count
        }
        await writer.monitor.until { !$0.mailbox.requests.isEmpty }
        gate.open()
        try await first.value
        #expect(try await second.value == 1)
    }

    @Test func `what is recorded while the writer closes is in the ring file for the next one`() async throws {
        let files = FaultyFileSystem()
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem)
        writer.record(testEvent(1))
        try await writer.flush()
        files.setRule { call in
            if call.kind == .rename { writer.record(testEvent(2)) }
            return nil
        }
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1] && writer.statistics.waiting == 1 && folder.rings.count == 1)
        let next = try EventFileWriter(folder, clock: clock, seed: 2)
        _ = try await next.recovered()
        try await next.close()
        #expect(try sequences(folder.lines()) == [1, 2])
    }

    @Test func `a writer without events leaves nothing, and a rotation without events makes no file`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        try await writer.flush()
        try await writer.rotate()
        try await writer.close()
        #expect(folder.names == [])
        #expect(writer.statistics == EventFileWriterStatistics())
    }

    @Test func `a writer that is released seals its file and closes its descriptors`() async throws {
        let files = FaultyFileSystem()
        let isGone = Announced(false)
        var writer: EventFileWriter? = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem, onError: announcing(isGone))
        writer?.record(testEvent(1))
        writer = nil
        await isGone.until { $0 }
        #expect(files.openDescriptors == 0)
        #expect(folder.sealed.count == 1 && folder.open.isEmpty)
    }

    @Test func `the blocking forms do the same without a task`() throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.record(testEvent(1))
        try writer.flushAndWait()
        #expect(try sequences(folder.lines()) == [1])
        writer.record(testEvent(2))
        try writer.closeAndWait()
        #expect(try sequences(folder.lines()) == [1, 2])
        #expect(throws: EventFileError.closed) { try writer.flushAndWait() }
    }

    @Test func `an event that is not flushed is written after a second`() async throws {
        // The clock runs, and time alone makes the thread write.
        let clock = WriterTestClock(runs: true)
        var options = EventFileWriterOptions()
        options.idle = .milliseconds(1)
        let writer = try EventFileWriter(folder, options: options, clock: clock)
        writer.record(testEvent(1))
        await clock.until { writer.statistics.written > 0 }
        #expect(try sequences(folder.lines()) == [1])
        try await writer.close()
    }

    @Test func `numbers that are not finite are counted and written as null`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        var event = testEvent(1)
        event.event.properties = ["a": .double(.nan), "b": .double(.infinity), "c": 1.5]
        writer.record(event)
        try await writer.close()
        #expect(writer.statistics.nonFiniteNumbers == 2)
        #expect(try folder.lines().first?.contains(#""props":{"a":null,"b":null,"c":1.5}"#) == true)
    }

    @Test func `statistics count bytes and segments`() async throws {
        let writer = try EventFileWriter(folder, options: .init(), clock: clock)
        for round in 1...2 {
            writer.record(testEvent(round))
            try await writer.rotate()
        }
        try await writer.close()
        #expect(writer.statistics.segments == 2)
        #expect(writer.statistics.bytes > 200 && writer.statistics.bytes < 1_000)
    }
}
