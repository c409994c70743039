import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// Before expiry removes events that nobody has taken, it reports them in the files that stay.
@Suite struct OwnedLossTests {
    let folder: WriterTestFolder
    let copy: WriterTestFolder
    let clock = WriterTestClock()

    init() throws {
        folder = try WriterTestFolder()
        copy = try WriterTestFolder()
    }

    private func options(_ files: Int = 2) -> EventFileWriterOptions {
        var options = EventFileWriterOptions()
        options.retainFiles = files
        return options
    }

    /// Writes ten events into each of some segments.
    private func write(_ segments: ClosedRange<Int>, by writer: EventFileWriter, session: String = "s1") async throws {
        for segment in segments {
            for number in segment * 10 - 9...segment * 10 { writer.record(testEvent(number, session: session)) }
            try await writer.rotate()
        }
    }

    private func check(_ path: String, complete: Bool = true) throws -> CheckResult {
        try EventFileCheck(EventFileReader(paths: [path]), complete: complete).run()
    }

    private func removals() throws -> [[String: Any]] { try notes("dropped", in: folder.lines()).filter { $0["segment"] != nil } }

    @Test func `removed events are counted by session in a line that stays`() async throws {
        let writer = try EventFileWriter(folder, options: options(), clock: clock)
        let before = try await writer.flush()
        try await write(1...2, by: writer)
        let first = folder.sealed[0]
        #expect(try await writer.flush().isComplete(since: before))
        try await write(3...3, by: writer)
        let line = try #require(removals().first)
        #expect(line["segment"] as? String == first && line["count"] as? Int == 10)
        #expect(line["reasons"] as? [String: Int] == ["retention": 10] && line["sessions"] as? [String: Int] == ["s1": 10])
        #expect(folder.sealed.count == 2 && !folder.sealed.contains(first))
        let receipt = try await writer.flush()
        #expect(receipt.droppedByReason == [.retention: 10] && receipt.recorded == 30 && !receipt.isComplete(since: before))
        let statistics = writer.statistics
        #expect(statistics.removedSegments == 1 && statistics.removedEvents == 10 && statistics.written == 30 && statistics.dropped == 0)
        try await writer.close()
    }

    @Test func `however many files go, the lines that are left explain all of them`() async throws {
        let writer = try EventFileWriter(folder, options: options(), clock: clock, fileSystem: quickFiles().fileSystem)
        try await write(1...12, by: writer)
        try await writer.close()
        let report = try check(folder.path)
        #expect(report.isSound && report.events == 20)
        #expect(report.earlierSessions == 1 && report.earlierSequences == 100 && report.unexplainedEarlierSequences == 0)
        #expect(report.droppedEvents == 100 && writer.statistics.removedEvents == 100)
        #expect(report.removedEvents <= 100)
        #expect(report.lastSegments.map(\.path) == [folder.path + "/" + folder.sealed[1]])
    }

    @Test func `a loss in the middle is still found beside what was removed`() async throws {
        let writer = try EventFileWriter(folder, options: options(), clock: clock, fileSystem: quickFiles().fileSystem)
        try await write(1...4, by: writer)
        for number in 41...60 where number != 50 { writer.record(testEvent(number)) }
        try await writer.close()
        let report = try check(folder.path)
        #expect(report.unexplainedSequences == 1 && report.faults == [.unexplainedGap])
        #expect(report.firstGaps.map(\.firstMissing) == [50])
    }

    @Test func `in a copy that was made in time nothing is missing, and lines about removed files are not counted`() async throws {
        let writer = try EventFileWriter(folder, options: options(), clock: clock, fileSystem: quickFiles().fileSystem)
        for segment in 1...6 {
            try await write(segment...segment, by: writer)
            for name in folder.sealed where !copy.names.contains(name) { try copy.put(folder.bytes(name), name) }
        }
        try await writer.close()
        let report = try check(copy.path)
        #expect(report.isSound && report.events == 60 && report.droppedEvents == 0 && report.earlierSessions == 0)
        // This file was not copied: only the line about it counts.
        try FileManager.default.removeItem(atPath: copy.path + "/" + copy.sealed[3])
        let partial = try check(copy.path)
        #expect(partial.isSound && partial.missingSequences == 10 && partial.droppedEvents == 10)
        try FileManager.default.removeItem(atPath: copy.path + "/" + copy.sealed[4])
        #expect(try !check(copy.path).isSound, "the newest has no line")
    }

    @Test func `sent files go first, and no line reports them`() async throws {
        let writer = try EventFileWriter(folder, options: options(3), clock: clock)
        try await write(1...2, by: writer)
        let (unsent, sent) = (folder.sealed[0], folder.sealed[1])
        try folder.put(folder.bytes(sent), sent, in: SentFolder.name)
        try folder.put([1, 2], SegmentName.parse(sent)!.name.summary, in: SentFolder.name)
        try FileManager.default.removeItem(atPath: folder.path + "/" + sent)
        try await write(3...4, by: writer)
        #expect(folder.names(in: SentFolder.name) == [])
        #expect(folder.sealed.contains(unsent) && folder.sealed.count == 3)
        #expect(try removals().isEmpty && writer.statistics.removedSegments == 0)
        try await write(5...5, by: writer)
        #expect(try removals().map { $0["segment"] as? String } == [unsent])
        try await writer.close()
    }

    @Test func `the line is synced before the file is removed`() async throws {
        let files = FaultyFileSystem()
        let writer = try EventFileWriter(folder, options: options(1), clock: clock, fileSystem: files.fileSystem)
        try await write(1...1, by: writer)
        let doomed = folder.sealed[0]
        let before = files.calls.count
        try await write(2...2, by: writer)
        let calls = files.calls.dropFirst(before)
        let removal = try #require(calls.lastIndex { $0.kind == .remove && $0.name == doomed })
        let published = try #require(calls.firstIndex { $0.kind == .rename })
        let synced = calls[published...].firstIndex { $0.kind == .synchronize }
        #expect(try #require(synced) < removal)
        #expect(calls[..<published].contains { $0.kind == .synchronize }, "the bytes, and then the name")
        try await writer.close()
    }

    @Test(arguments: [ENOSPC, EIO])
    func `if the line cannot be written, nothing is removed`(errno: Int32) async throws {
        let files = FaultyFileSystem()
        let writer = try EventFileWriter(folder, options: options(1), clock: clock, fileSystem: files.fileSystem)
        try await write(1...1, by: writer)
        let first = folder.sealed[0]
        writer.record(testEvent(11))
        try await writer.flush()
        files.setRule { $0.kind == .write ? .fail(errno) : nil }
        await #expect(throws: EventFileError.self) { try await writer.rotate() }
        #expect(folder.sealed == [first])
        files.setRule { _ in nil }
        try await writer.rotate()
        #expect(folder.sealed.count == 1 && folder.sealed != [first])
        // The rotation seals two segments: the one that failed, and one that says that storage works again, for which the other goes.
        #expect(try removals().map { $0["count"] as? Int } == [10, 1])
        try await writer.close()
    }

    @Test func `after a kill between the line and the removal, the events are there and are not counted as removed`() async throws {
        let files = FaultyFileSystem()
        let writer = try EventFileWriter(folder, options: options(2), clock: clock, fileSystem: files.fileSystem)
        try await write(1...2, by: writer)
        let doomed = folder.sealed[0]
        files.setRule { $0.kind == .remove && $0.name == doomed ? .fail(EPERM) : nil }
        try await write(3...4, by: writer)
        #expect(folder.sealed.contains(doomed) && writer.statistics.removedSegments == 1)
        #expect(try removals().count { $0["segment"] as? String == doomed } == 2, "it was to be removed twice")
        var report = try check(folder.path)
        #expect(report.isSound && report.events == 30 && report.missingSequences == 10 && report.droppedEvents == 10)
        files.setRule { _ in nil }
        try await write(5...5, by: writer)
        report = try check(folder.path)
        #expect(report.isSound && report.earlierSequences == 30)
        try await writer.close()
    }

    @Test func `a file that was sent meanwhile is no loss`() async throws {
        let files = FaultyFileSystem()
        let writer = try EventFileWriter(folder, options: options(1), clock: clock, fileSystem: files.fileSystem)
        try await write(1...1, by: writer)
        let taken = folder.sealed[0]
        let bytes = try folder.bytes(taken)
        let path = folder.path + "/" + taken
        files.setRule { call in
            if call.kind == .rename { try? FileManager.default.removeItem(atPath: path) }
            return nil
        }
        try await write(2...2, by: writer)
        #expect(writer.statistics.removedSegments == 0 && writer.statistics.removedEvents == 0)
        try await writer.close()
        for name in folder.sealed { try copy.put(folder.bytes(name), name) }
        try copy.put(bytes, taken)
        let report = try check(copy.path)
        #expect(report.isSound && report.events == 20 && report.droppedEvents == 0)
    }

    @Test func `a file that cannot be read is not removed, stops no other removal, and is reported once`() async throws {
        let files = FaultyFileSystem()
        let errors = Collected<EventFileError>()
        let writer = try EventFileWriter(
            folder, options: options(1), clock: clock, fileSystem: files.fileSystem, onError: { errors.add($0) })
        try await write(1...1, by: writer)
        let locked = folder.sealed[0]
        files.setRule { $0.kind == .open && $0.name == locked ? .fail(EACCES) : nil }
        try await write(2...4, by: writer)
        #expect(folder.sealed.count == 2 && folder.sealed.contains(locked))
        #expect(errors.all == [.storage(FileSystemError(.open, errno: EACCES, path: locked))])
        files.setRule { _ in nil }
        try await write(5...5, by: writer)
        #expect(folder.sealed.count == 1)
        try await writer.close()
        let report = try check(folder.path)
        #expect(report.isSound && report.earlierSequences == 40)
    }

    @Test func `the first 120 sessions are counted by name, and the others together`() async throws {
        let writer = try EventFileWriter(folder, options: options(1), clock: clock)
        for number in 1...300 { writer.record(testEvent(1, session: "s\(number % 150)")) }
        try await writer.rotate()
        try await write(1...1, by: writer, session: "late")
        let line = try #require(removals().first)
        let sessions = try #require(line["sessions"] as? [String: Int])
        #expect(sessions.count == 121 && sessions["_other"] == 60 && sessions["s1"] == 2 && line["count"] as? Int == 300)
        #expect(line["_cut"] == nil)
        try await writer.close()
    }

    @Test func `what dropped lines in a removed file had reported is in the line about it`() async throws {
        let writer = try EventFileWriter(folder, options: options(1), clock: clock)
        try await write(1...1, by: writer)
        for number in 11...15 { writer.record(testEvent(number)) }
        writer.record(testEvent(16, text: String(repeating: "x", count: 900)))
        var note = testEvent(1, name: "dropped", kind: .meta)
        (note.session, note.sequence, note.user) = (nil, nil, nil)
        note.event.properties = ["count": 9, "reasons": ["overflow": 4, "filtered": 3, "new_one": 1], "sessions": ["s1": 7, "_other": 2]]
        writer.record(note)
        try await writer.rotate()
        try await write(3...3, by: writer)
        let line = try #require(removals().last)
        #expect(line["count"] as? Int == 15)
        #expect(line["reasons"] as? [String: Int] == ["retention": 6, "overflow": 4, "filtered": 3, "storage": 2])
        #expect(line["sessions"] as? [String: Int] == ["s1": 13, "_other": 2])
        #expect(try removals().map { $0["count"] as? Int } == [10, 15], "the line about the first file is written again")
        try await writer.close()
    }

    @Test func `a loss that no line reports stays unexplained, however many files were removed before`() async throws {
        let writer = try EventFileWriter(folder, options: options(), clock: clock, fileSystem: quickFiles().fileSystem)
        for segment in 1...9 {
            try await write(segment...segment, by: writer)
            for name in folder.sealed where !copy.names.contains(name) { try copy.put(folder.bytes(name), name) }
        }
        try await writer.close()
        // A line reports the seventh file. The eighth is still on the device: no line reports it.
        let names = copy.sealed
        for name in names[6...7] { try FileManager.default.removeItem(atPath: copy.path + "/" + name) }
        let report = try check(copy.path)
        #expect(report.droppedEvents == 10 && report.missingSequences == 20 && report.unexplainedSequences == 10)
    }

    private static func report(_ id: String, _ number: Int64, _ count: Int64, segment: Int64? = nil) -> String {
        let reason = segment == nil ? "overflow" : "retention"
        let name = segment.map { #","segment":"\#(SegmentName(stem: "events", writer: 7, number: $0).sealed)""# } ?? ""
        return #"{"v":1,"t_ms":\#(number),"name":"dropped","id":"\#(id)","type":"meta","props":{"count":\#(count),"#
            + #""reasons":{"\#(reason)":\#(count)},"sessions":{"s1":\#(count)}\#(name)}}"# + "\n"
    }

    @Test func `a loss that two writers reported counts once, also when both lines have gone with their files`() async throws {
        for number in 1...2 as ClosedRange<Int64> {
            let lines = [line(Int(number) + 5, of: "u", session: "s1"), Self.report("r\(number)", number, 5, segment: 1)]
            try folder.put(sealedFile(lines), SegmentName(stem: "events", writer: UInt64(number), number: number + 1).sealed)
        }
        let writer = try EventFileWriter(folder, options: options(1), clock: clock, fileSystem: quickFiles().fileSystem)
        try await write(1...4, by: writer, session: "s2")
        try await writer.close()
        let report = try check(folder.path)
        #expect(report.isSound && report.events == 10 && report.earlierSequences == 30 && report.droppedEvents == 37)
    }

    @Test func `of many lines about earlier files the newest are written again`() async throws {
        // The line about the first is given up. Another writer's newer line about it is not.
        let reports = (1...2_000).map { Self.report("r\($0)", $0, 5, segment: $0) } + [Self.report("again", 2_001, 5, segment: 1)]
        try folder.put(sealedFile(reports, perMember: 100), SegmentName(stem: "events", writer: 1, number: 1).sealed)
        let writer = try EventFileWriter(folder, options: options(1), clock: clock, fileSystem: quickFiles().fileSystem)
        try await write(1...1, by: writer)
        let left = try removals().compactMap { ($0["segment"] as? String).flatMap { SegmentName.parse($0)?.name.number } }
        try #require(left.count > 50 && left.count < 200)
        #expect(left == Array((2_002 - Int64(left.count))...2_000) + [1])
        try await writer.close()
    }

    @Test func `a count beyond 2^53 is written as 2^53`() async throws {
        let most = Int(EventLineLimits.integerMagnitude)
        let reports = (1...2).map { Self.report("r\($0)", $0, Int64(most)) }
        try folder.put(sealedFile(reports), SegmentName(stem: "events", writer: 1, number: 1).sealed)
        let writer = try EventFileWriter(folder, options: options(1), clock: clock, fileSystem: quickFiles().fileSystem)
        try await write(1...1, by: writer)
        let line = try #require(removals().first)
        #expect(line["count"] as? Int == most && line["sessions"] as? [String: Int] == ["s1": most])
        #expect(line["reasons"] as? [String: Int] == ["overflow": most])
        try await writer.close()
    }

    @Test func `a file that another process removes first is no error, and no line reports it`() async throws {
        let files = quickFiles()
        let errors = Collected<EventFileError>()
        let writer = try EventFileWriter(
            folder, options: options(1), clock: clock, fileSystem: files.fileSystem, onError: { errors.add($0) })
        try await write(1...1, by: writer)
        let gone = folder.sealed[0]
        let path = folder.path + "/" + gone
        files.setRule { call in
            if call.kind == .open, call.name == gone { try? FileManager.default.removeItem(atPath: path) }
            return call.kind == .synchronize ? .short(0) : nil
        }
        try await write(2...2, by: writer)
        try await writer.close()
        #expect(errors.all.isEmpty && writer.statistics.removedSegments == 0)
        #expect(try removals().isEmpty && folder.sealed.count == 1)
    }

    @Test func `meta lines with a number count, the writer's own lines do not`() async throws {
        let writer = try EventFileWriter(folder, options: options(1), clock: clock)
        writer.record(testEvent(1, name: "session_started", kind: .meta))
        writer.record(testEvent(2, name: String(repeating: "n", count: 100)))
        var timing = testEvent(3, name: "step_timing", kind: .timing)
        (timing.session, timing.sequence) = (nil, nil)
        writer.record(timing)
        var outside = testEvent(4)
        (outside.session, outside.sequence) = (nil, nil)
        writer.record(outside)
        try await writer.rotate()
        try await write(1...1, by: writer, session: "late")
        let line = try #require(removals().first)
        #expect(line["count"] as? Int == 3 && line["sessions"] as? [String: Int] == ["s1": 2])
        try await writer.close()
    }

    @Test func `in the pending folder removed events are counted, too, and the line is promoted`() async throws {
        let writer = try EventFileWriter(folder, options: options(1), clock: clock)
        writer.setConsent(.pending)
        try await write(1...3, by: writer)
        #expect(folder.sealed.isEmpty && folder.names(in: ".pending")?.count == 1)
        writer.setConsent(.granted)
        try await writer.flush()
        #expect(folder.sealed.count == 1)
        try await writer.close()
        let report = try check(folder.path)
        #expect(report.isSound && report.events == 10 && report.earlierSequences == 20 && report.droppedEvents == 20)
    }

    @Test func `a pending file that cannot be read is reported for its own folder alone`() throws {
        let files = FaultyFileSystem()
        let errors = Collected<EventFileError>()
        let (writer, thread) = try EventFileWriter.withoutThread(
            folder: folder.path, options: options(1), clock: clock.wall, monotonicClock: clock.monotonic, fileSystem: files.fileSystem,
            random: SeededRandom(seed: 1), onError: { errors.add($0) })
        thread.begin()
        writer.setConsent(.pending)
        func rotate(_ number: Int) {
            writer.record(testEvent(number))
            writer.monitor.request(.rotate) { _ in }
            thread.turnIfDue()
        }
        rotate(1)
        let locked = try #require(folder.names(in: ".pending")?.first)
        files.setRule { $0.kind == .open && $0.name == locked ? .fail(EACCES) : nil }
        for number in 2...4 { rotate(number) }
        #expect(errors.all == [.storage(FileSystemError(.open, errno: EACCES, path: locked))])
        writer.monitor.request(.close) { _ in }
        while thread.turnIfDue() {}
    }

    @Test func `a promotion that makes the folder too full reports what is removed`() async throws {
        var many = options(10)
        let first = try EventFileWriter(folder, options: many, clock: clock)
        first.setConsent(.pending)
        try await write(1...4, by: first)
        try await first.close()
        many.retainFiles = 2
        let writer = try EventFileWriter(folder, options: many, clock: clock, seed: 2)
        writer.setConsent(.granted)
        try await writer.flush()
        try await writer.close()
        #expect(folder.sealed.count <= 2)
        let report = try check(folder.path)
        #expect(report.isSound && report.earlierSequences == Int64(40 - report.events) && report.droppedEvents == report.earlierSequences)
    }

    @Test func `the ring knows the number of a segment that only reports losses, so that no recovery gives it again`() async throws {
        let first = try EventFileWriter(folder, options: options(10), clock: clock)
        first.setConsent(.pending)
        try await write(1...4, by: first)
        try await first.close()
        let writer = try EventFileWriter(folder, options: options(2), clock: clock, seed: 2)
        writer.setConsent(.granted)
        try await writer.flush()
        // A segment that was made for the line alone may be gone before a kill. Then only the ring knows its number.
        let rings = folder.rings.compactMap { SegmentName.parse($0)?.name.writerName }
        let own = try #require(folder.sealed.compactMap { SegmentName.parse($0)?.name }.last { rings.contains($0.writerName) })
        let ring = try #require(folder.rings.first { SegmentName.parse($0)?.name.writerName == own.writerName })
        let status = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + ring)
        let contents = try TrialRing.contents(folder.bytes(ring), inode: try #require(status[.systemFileNumber] as? UInt64))
        #expect(contents.head.highestNumber == own.number)
        try await writer.close()
    }

    @Test func `an expired log is not read, and nothing is reported`() async throws {
        var options = options(1)
        options.contents = .log
        let writer = try EventFileWriter(folder, options: options, clock: clock)
        for line in ["one", "two", "three"] {
            writer.record(line: line)
            try await writer.rotate()
        }
        try await writer.close()
        #expect(folder.sealed.count == 1)
        #expect(try folder.lines() == ["three"])
        #expect(writer.statistics.removedEvents == 0)
    }

    @Test func `events in a damaged file cannot be counted, and the check finds them missing`() async throws {
        let writer = try EventFileWriter(folder, options: options(1), clock: clock)
        try await write(1...1, by: writer)
        var bytes = try folder.bytes(folder.sealed[0])
        bytes[60] ^= 1
        try folder.put(bytes, folder.sealed[0])
        try await write(2...2, by: writer)
        try await writer.close()
        let report = try check(folder.path)
        #expect(report.faults == [.missingBeginning] && report.unexplainedEarlierSequences == 10)
    }
}
