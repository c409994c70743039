import Basics
import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// What `onError`, `onDrop` and `onRecovery` may do. They run on the writer's own thread.
@Suite(.notForever) struct CallbackTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()

    init() throws { folder = try WriterTestFolder() }

    /// The writer that a callback reaches once it is made.
    private final class Reached: Sendable {
        private let writer = Lock<EventFileWriter?>(nil)
        func set(_ new: EventFileWriter?) { writer.withLock { $0 = new } }
        var value: EventFileWriter? { writer.withLock { $0 } }
    }

    @Test func `onError may record and look at the statistics`() async throws {
        let reached = Reached()
        let waiting = Collected<Int>()
        let files = FaultyFileSystem { $0.kind == .create ? .fail(ENOSPC) : nil }
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem) { _ in
            reached.value?.record(testEvent(1, name: "storage_failed", kind: .timing))
            waiting.add(reached.value?.statistics.waiting ?? 0)
        }
        reached.set(writer)
        writer.record(testEvent(2))
        await #expect(throws: EventFileError.self) { try await writer.flush() }
        #expect(waiting.all == [2])
        files.setRule { _ in nil }
        try await writer.close()
        #expect(try sequences(folder.lines()) == [2, 1])
        reached.set(nil)
    }

    /// The callback runs on the writer's thread, which must not wait for room that only it can make.
    @Test func `onDrop may record where a full ring lets callers wait`() async throws {
        var options = EventFileWriterOptions()
        (options.ringEvents, options.reservedMetaPlaces, options.overflow) = (1, 0, .block(upTo: .seconds(86_400)))
        let reached = Reached()
        let writer = try EventFileWriter(
            folder, options: options, clock: clock,
            onDrop: { _ in
                for number in 2...4 { reached.value?.record(testEvent(number)) }
                reached.set(nil)
            })
        reached.set(writer)
        writer.record(tooLargeEvent())
        try await writer.flush()
        try await writer.close()
        #expect(try sequences(folder.lines()) == [2])
        #expect(writer.statistics.droppedByReason == [.tooLarge: 1, .overflow: 2])
    }

    @Test(arguments: ["flush", "close", "erase"])
    func `a call that would wait for the writer's thread fails instead of waiting for ever`(call: String) async throws {
        let reached = Reached()
        let said = Collected<EventFileError?>()
        let files = FaultyFileSystem { $0.kind == .create ? .fail(ENOSPC) : nil }
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem) { _ in
            do throws(EventFileError) {
                switch call {
                case "flush": try reached.value?.flushAndWait()
                case "close": try reached.value?.closeAndWait()
                default: try reached.value?.eraseAndWait()
                }
                said.add(nil)
            } catch {
                said.add(error)
            }
        }
        reached.set(writer)
        writer.record(testEvent(1))
        await #expect(throws: EventFileError.self) { try await writer.flush() }
        #expect(said.all == [.onWritersThread])
        files.setRule { _ in nil }
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1], "nothing was closed or erased by it")
        #expect(throws: EventFileError.closed) { try writer.flushAndWait() }
        reached.set(nil)
    }

    @Test func `the last reference may be released in onError`() async throws {
        let reached = Reached()
        let files = FaultyFileSystem { $0.kind == .create ? .fail(ENOSPC) : nil }
        let isGone = Announced(false)
        var writer: EventFileWriter? = try EventFileWriter(
            folder, clock: clock, fileSystem: files.fileSystem, onError: announcing(isGone) { _ in reached.set(nil) })
        reached.set(writer)
        writer?.record(testEvent(1))
        writer?.monitor.request(.flush(.processKill)) { _ in }
        writer = nil
        await isGone.until { $0 }
        #expect(reached.value == nil && files.openDescriptors == 0)
    }

    @Test func `onRecovery may record`() async throws {
        try folder.put(try member(1...3, session: "orphan"), SegmentName(stem: "events", writer: 9, number: 1).open)
        let reached = Reached()
        let told = Collected<String>()
        let files = FaultyFileSystem()
        let gate = Gate()
        files.setRule { call in
            if call.kind == .names { gate.wait() }
            return nil
        }
        let writer = try EventFileWriter(
            folder, clock: clock, fileSystem: files.fileSystem,
            onRecovery: { report in
                told.add(report.description)
                reached.value?.record(testEvent(1, name: "recovered"))
            })
        reached.set(writer)
        gate.open()
        _ = try await writer.recovered()
        try await writer.close()
        #expect(told.all == ["adopted 1 orphan, 1 member, 3 lines"])
        #expect(try sequences(folder.lines()) == [1])
        reached.set(nil)
    }
}
