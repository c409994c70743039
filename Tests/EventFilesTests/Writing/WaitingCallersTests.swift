import Basics
import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// Callers that wait for a place in a full ring, and callers that never wait for one.
@Suite(.notForever) struct WaitingCallersTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()

    init() throws { folder = try WriterTestFolder() }

    private func options(places: Int) -> EventFileWriterOptions {
        var options = EventFileWriterOptions.lossless
        options.ringEvents = places
        options.reservedMetaPlaces = 0
        return options
    }

    /// A thread that records and says when it is through.
    private func recording(_ body: @escaping @Sendable () -> Void) -> Collected<Bool> {
        let done = Collected<Bool>()
        Thread.detachNewThread {
            body()
            done.add(true)
        }
        return done
    }

    private func untilSomebodyWaits(_ writer: EventFileWriter) async {
        await writer.monitor.until { $0.ring.blockedCallers > 0 }
    }

    @Test func `a denial lets waiting callers return, and their events are not written`() async throws {
        let gate = Gate()
        let files = FaultyFileSystem { call in
            if call.kind == .write { gate.wait() }
            return nil
        }
        let writer = try EventFileWriter(folder, options: options(places: 3), clock: clock, fileSystem: files.fileSystem)
        writer.setConsent(.pending)
        writer.record(testEvent(1))
        let flushing = Task { try await writer.flush() }
        await gate.untilReached()
        for number in 2...3 { writer.record(testEvent(number)) }
        let caller = recording { writer.record(testEvent(4)) }
        await untilSomebodyWaits(writer)
        writer.setConsent(.denied)
        // The disk is still busy: the denial has freed the place.
        await caller.until(count: 1)
        gate.open()
        _ = try await flushing.value
        try await writer.close()
        #expect(folder.names == [], "nobody has agreed to any of it")
        let statistics = writer.statistics
        #expect(statistics.recorded == statistics.written + statistics.dropped + statistics.erased)
    }

    @Test func `a session that had to wait for its place is repeated once at the head of the next file`() async throws {
        let gate = Gate()
        let files = FaultyFileSystem { call in
            if call.kind == .write { gate.wait() }
            return nil
        }
        let writer = try EventFileWriter(folder, options: options(places: 2), clock: clock, fileSystem: files.fileSystem)
        writer.record(testEvent(1, session: "other"))
        let flushing = Task { try await writer.flush() }
        await gate.untilReached()
        writer.record(testEvent(2, session: "other"))
        var start = testEvent(1, name: "session_started", kind: .meta)
        start.event.properties = ["sample_rate": 0.25]
        let caller = recording { [start] in writer.record(start) }
        await untilSomebodyWaits(writer)
        gate.open()
        _ = try await flushing.value
        await caller.until(count: 1)
        try await writer.rotate()
        writer.record(testEvent(2))
        try await writer.close()
        let last = try folder.decode(#require(folder.sealed.last)).lines
        #expect(last.filter { $0.contains(#""repeat":true"#) }.count == 1)
    }

    @Test func `an offer to a full ring never waits and leaves no trace, and recorded again the event is taken`() async throws {
        let gate = Gate()
        let files = FaultyFileSystem { call in
            if call.kind == .write { gate.wait() }
            return nil
        }
        let writer = try EventFileWriter(folder, options: options(places: 2), clock: clock, fileSystem: files.fileSystem)
        #expect(writer.offer(testEvent(1)))
        let flushing = Task { try await writer.flush() }
        await gate.untilReached()
        #expect(writer.offer(testEvent(2)))
        for _ in 1...3 { #expect(!writer.offer(testEvent(3))) }
        #expect(writer.statistics.recorded == 2 && writer.statistics.dropped == 0)
        let caller = recording { writer.record(testEvent(3)) }
        await untilSomebodyWaits(writer)
        gate.open()
        _ = try await flushing.value
        await caller.until(count: 1)
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1, 2, 3])
        #expect(writer.statistics.recorded == 3 && writer.statistics.written == 3)
    }

    @Test(arguments: [OverflowPolicy.dropOldest, .dropNewest])
    func `an offer records like any call if the policy is to drop`(policy: OverflowPolicy) async throws {
        var options = options(places: 2)
        options.overflow = policy
        let writer = try EventFileWriter(
            folder, options: options, clock: clock, fileSystem: FaultyFileSystem { $0.kind == .create ? .fail(28) : nil }.fileSystem)
        writer.record(testEvent(1))
        await #expect(throws: EventFileError.self) { try await writer.flush() }
        for number in 2...4 { #expect(writer.offer(testEvent(number))) }
        #expect(writer.statistics.recorded == 4 && writer.statistics.dropped == 2)
    }

    @Test(arguments: [OverflowPolicy.block(upTo: .seconds(86_400)), .dropOldest, .dropNewest])
    func `a line that can never find a place does not wait and costs no other line`(policy: OverflowPolicy) async throws {
        var options = EventFileWriterOptions()
        options.contents = .log
        options.overflow = policy
        options.ringBytes = 1_000
        let writer = try EventFileWriter(folder, options: options, clock: clock)
        writer.record(line: "before")
        let caller = recording { writer.record(line: String(repeating: "x", count: 5_000)) }
        await caller.until(count: 1)
        writer.record(line: "after")
        try await writer.close()
        #expect(try folder.lines().filter { !$0.hasPrefix("{") } == ["before", "after"])
        #expect(writer.statistics.droppedByReason == [.overflow: 1])
    }
}
