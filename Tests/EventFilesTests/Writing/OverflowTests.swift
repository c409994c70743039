@testable import EventFiles
import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

/// What happens to events that find no place, and how the file reports it.
@Suite(.notForever) struct OverflowTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()
    /// No file can be made before ``mend()``.
    let files = FaultyFileSystem { $0.kind == .create ? .fail(28) : nil }

    init() throws { folder = try WriterTestFolder() }

    /// A writer whose storage has failed once already, so that the ring is all there is.
    private func stuckWriter(_ options: EventFileWriterOptions) async throws -> EventFileWriter {
        let writer = try EventFileWriter(folder, options: options, clock: clock, fileSystem: files.fileSystem)
        writer.record(testEvent(1))
        await #expect(throws: EventFileError.self) { try await writer.flush() }
        return writer
    }

    private func mend() { files.setRule { _ in nil } }

    @Test func `the newest are dropped, counted exactly, and reported in the file`() async throws {
        var options = EventFileWriterOptions()
        options.ringEvents = 100
        let writer = try await stuckWriter(options)
        for number in 2...250 { writer.record(testEvent(number)) }
        for number in 1...30 { writer.record(testEvent(number, session: "s2")) }
        #expect(writer.statistics.droppedByReason == [.storage: 180])
        #expect(writer.statistics.waiting == 100)
        mend()
        try await writer.flush()
        let lines = try folder.lines()
        #expect(try sequences(lines) == Array(1...100))
        let dropped = try #require(notes("dropped", in: lines).first)
        #expect(dropped["count"] as? Int == 180)
        #expect(dropped["reasons"] as? [String: Int] == ["storage": 180])
        #expect(dropped["sessions"] as? [String: Int] == ["s1": 150, "s2": 30])
        try await writer.close()
        #expect(try notes("dropped", in: folder.lines()).count == 1, "each drop is reported once")
        #expect(writer.statistics.recorded == 280 && writer.statistics.written == 100)
    }

    @Test func `the oldest are dropped, and the latest are kept`() async throws {
        var options = EventFileWriterOptions()
        options.ringEvents = 100
        options.overflow = .dropOldest
        let writer = try await stuckWriter(options)
        for number in 2...1_000 { writer.record(testEvent(number, session: number <= 500 ? "s1" : "s\"2")) }
        #expect(writer.statistics.droppedByReason == [.storage: 900])
        mend()
        try await writer.close()
        let lines = try folder.lines()
        #expect(try sequences(lines, session: "s\"2") == Array(901...1_000))
        let dropped = try #require(notes("dropped", in: lines).first)
        #expect(dropped["sessions"] as? [String: Int] == ["s1": 500, "s\"2": 400])
    }

    @Test func `meta lines have places of their own and are not dropped for others`() async throws {
        var options = EventFileWriterOptions()
        options.ringEvents = 10
        options.overflow = .dropOldest
        let writer = try await stuckWriter(options)
        writer.record(testEvent(2, name: "session_started", kind: .meta))
        for number in 3...40 { writer.record(testEvent(number)) }
        writer.record(testEvent(41, name: "identified", kind: .meta))
        mend()
        try await writer.close()
        let kept = try sequences(folder.lines()).sorted()
        #expect(kept == [2] + Array(32...41))
        #expect(writer.statistics.dropped == 30)
    }

    @Test func `a ring of meta lines alone is looked through once, not for each event that finds no place`() async throws {
        var options = EventFileWriterOptions()
        options.ringEvents = 10
        options.overflow = .dropOldest
        let writer = try await stuckWriter(options)
        for number in 2...100 { writer.record(testEvent(number, kind: .meta)) }
        let end = writer.monitor.withState { $0.ring.main.ring.end }
        for number in 101...150 { writer.record(testEvent(number)) }
        #expect(writer.monitor.withState { $0.ring.main.ring.end } == end, "no line moves again")
        mend()
        try await writer.close()
        #expect(try sequences(folder.lines()).count == 74)
        #expect(writer.statistics.droppedByReason == [.storage: 76])
    }

    @Test func `while a write lasts, memory without a file keeps a bound although the oldest events are dropped`() async throws {
        let gate = Gate()
        let slow = FaultyFileSystem { call in
            if call.kind == .create && call.isOfRing { return .fail(28) }
            if call.kind == .write { gate.wait() }
            return nil
        }
        var options = EventFileWriterOptions()
        (options.ringEvents, options.ringBytes, options.overflow) = (100, 50_000, .dropOldest)
        let writer = try EventFileWriter(folder, options: options, clock: clock, fileSystem: slow.fileSystem)
        writer.record(testEvent(1))
        let flush = Task { try await writer.flush() }
        await gate.untilReached()
        for number in 2...20_000 { writer.record(testEvent(number)) }
        #expect(writer.monitor.withState { $0.ring.main.ring.capacity } <= 2 * 1_048_576)
        gate.open()
        _ = try await flush.value
        try await writer.close()
        let statistics = writer.statistics
        #expect(statistics.recorded == 20_000 && statistics.recorded == statistics.written + statistics.dropped)
    }

    @Test func `closing counts each line that waits in memory alone as dropped, except the writer's own`() async throws {
        let writer = try await stuckWriter(EventFileWriterOptions())
        var meta = testEvent(2, name: "identified", kind: .meta)
        (meta.session, meta.sequence) = (nil, nil)
        writer.record(meta)
        writer.record(tooLargeEvent())
        #expect(writer.statistics.notes == 1)
        await #expect(throws: EventFileError.self) { try await writer.close(deadline: .zero) }
        #expect(writer.statistics.droppedByReason == [.storage: 2, .tooLarge: 1])
        #expect(writer.statistics.recorded == 3 && writer.statistics.waiting == 0)
    }

    @Test func `sixty-four places are kept for meta lines`() async throws {
        var options = EventFileWriterOptions()
        options.ringEvents = 10
        let writer = try await stuckWriter(options)
        for number in 2...100 { writer.record(testEvent(number)) }
        for number in 101...200 { writer.record(testEvent(number, kind: .meta)) }
        #expect(writer.statistics.waiting == 10 + 64)
        mend()
        try await writer.close()
        #expect(try sequences(folder.lines()) == Array(1...10) + Array(101...164))
    }

    @Test(arguments: [OverflowPolicy.dropNewest, .dropOldest])
    func `bytes are bounded like events`(policy: OverflowPolicy) async throws {
        var options = EventFileWriterOptions()
        options.ringBytes = 50_000
        options.overflow = policy
        let writer = try await stuckWriter(options)
        for number in 2...1_000 { writer.record(testEvent(number, text: String(repeating: "x", count: 800))) }
        let waiting = writer.statistics.waiting
        #expect(waiting > 40 && waiting < 60)
        #expect(writer.statistics.dropped == 1_000 - waiting)
        mend()
        try await writer.close()
        let kept = try sequences(folder.lines())
        #expect(kept == (policy == .dropNewest ? Array(1...waiting) : Array(1_001 - waiting...1_000)))
    }

    @Test func `a blocked caller goes on as soon as there is a place`() async throws {
        var options = EventFileWriterOptions.lossless
        options.ringEvents = 16
        let writer = try EventFileWriter(folder, options: options, clock: clock)
        for number in 1...5_000 { writer.record(testEvent(number)) }
        try await writer.close()
        #expect(try sequences(folder.lines()) == Array(1...5_000))
        #expect(writer.statistics.dropped == 0)
    }

    @Test func `a blocked caller drops when its time is over, with the count in the file`() async throws {
        // Storage neither works nor fails: the first write does not return before the test says so.
        let gate = Gate()
        let slow = FaultyFileSystem { call in
            if call.kind == .create { gate.wait() }
            return nil
        }
        var options = EventFileWriterOptions()
        options.ringEvents = 4
        options.overflow = .block(upTo: .milliseconds(1))
        let writer = try EventFileWriter(folder, options: options, clock: clock, fileSystem: slow.fileSystem)
        writer.record(testEvent(1))
        let flush = Task { try await writer.flush() }
        await gate.untilReached()
        for number in 2...10 { writer.record(testEvent(number)) }
        #expect(writer.statistics.droppedByReason == [.overflow: 6])
        gate.open()
        _ = try await flush.value
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1, 2, 3, 4])
        #expect(try notes("dropped", in: folder.lines()).first?["reasons"] as? [String: Int] == ["overflow": 6])
    }

    @Test func `nobody waits for storage that fails`() async throws {
        var options = EventFileWriterOptions()
        options.ringEvents = 4
        options.overflow = .block(upTo: .seconds(86_400))
        let writer = try await stuckWriter(options)
        for number in 2...10 { writer.record(testEvent(number)) }
        #expect(writer.statistics.droppedByReason == [.storage: 6])
        mend()
        try await writer.close()
    }

    @Test func `an event that is too large becomes a note and a drop`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        var giant = testEvent(1, name: "upload")
        giant.event.properties = TrackingProperties((0..<100).map { ("key\($0)", .string(String(repeating: "x", count: 1_000))) })
        writer.record(giant)
        writer.record(testEvent(2))
        try await writer.close()
        let lines = try folder.lines()
        #expect(try sequences(lines) == [2])
        let note = try #require(notes("too_large", in: lines).first)
        #expect(note["event"] as? String == "upload")
        #expect(try #require(note["bytes"] as? Int) > 100_000)
        let dropped = try #require(notes("dropped", in: lines).first)
        #expect(dropped["reasons"] as? [String: Int] == ["too_large": 1])
        #expect(dropped["sessions"] as? [String: Int] == ["s1": 1])
        #expect(writer.statistics.notes == 2 && writer.statistics.written == 1)
    }

    @Test func `sessions beyond 120 are counted together, and the line keeps to its limits`() async throws {
        var options = EventFileWriterOptions()
        options.ringEvents = 1
        let writer = try await stuckWriter(options)
        for session in 1...300 { for number in 1...2 { writer.record(testEvent(number, session: "session-\(session)")) } }
        mend()
        try await writer.close()
        let dropped = try #require(notes("dropped", in: folder.lines()).first)
        let sessions = try #require(dropped["sessions"] as? [String: Int])
        #expect(sessions.count == 121 && sessions["_other"] == 360)
        #expect(sessions.values.reduce(0, +) == 600 && dropped["count"] as? Int == 600)
        #expect(dropped["_cut"] == nil)
    }

    @Test func `session ids longer than a key are counted together, because two of them may be equal when cut`() async throws {
        var options = EventFileWriterOptions()
        options.ringEvents = 1
        let writer = try await stuckWriter(options)
        let long = String(repeating: "x", count: 1_024)
        for session in [long, long + "a", long + "b", "ä" + long] { writer.record(testEvent(1, session: session)) }
        mend()
        try await writer.close()
        let line = try #require(folder.lines().first { $0.contains(#""name":"dropped""#) })
        #expect(line.ranges(of: long).count == 1, "no key stands twice")
        let dropped = try #require(notes("dropped", in: [line]).first)
        #expect(dropped["sessions"] as? [String: Int] == [long: 1, "_other": 3])
        #expect(dropped["_cut"] == nil)
    }

    @Test func `long session ids do not make the line too long to be written`() async throws {
        var options = EventFileWriterOptions()
        options.ringEvents = 1
        let writer = try await stuckWriter(options)
        for session in 1...200 { writer.record(testEvent(1, session: String(repeating: "x", count: 1_000) + "\(session)")) }
        mend()
        try await writer.close()
        let dropped = try #require(notes("dropped", in: folder.lines()).first)
        #expect(dropped["count"] as? Int == 200)
        #expect(try #require(dropped["sessions"] as? [String: Int]).values.reduce(0, +) == 200)
    }
}
