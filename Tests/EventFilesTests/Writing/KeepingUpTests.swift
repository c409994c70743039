import Basics
import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// What the thread does by itself: writes before much can be lost, and tries again with pauses after storage failed.
@Suite(.notForever) struct KeepingUpTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()

    init() throws { folder = try WriterTestFolder() }

    /// Time stands still, so that only the number of events makes the thread write.
    @Test func `without time passing, events are written once they are three quarters of those that a kill may cost`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        for round in 1...3 {
            for number in 1...192 { writer.record(testEvent(192 * (round - 1) + number)) }
            await clock.until { writer.statistics.written >= 192 * round }
            #expect(writer.statistics.waiting == 0)
        }
        try await writer.close()
        #expect(try sequences(folder.lines()) == Array(1...576))
    }

    @Test func `without time passing, a few large events are written`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        var event = testEvent(1)
        event.event.properties = TrackingProperties((0..<12).map { ("k\($0)", .string(String(repeating: "x", count: 1_000))) })
        // 12 KB each: four are more than three quarters of 60 KiB.
        for _ in 1...4 { writer.record(event) }
        await clock.until { writer.statistics.written == 4 }
        try await writer.close()
    }

    @Test func `the thread has work once 192 events wait, and not before`() {
        let monitor = WriterMonitor(.init(options: .init(), wallClock: clock.wall, clock: clock.monotonic), random: SeededRandom(seed: 1))
        let limits = RingLimits(EventFileWriterOptions())
        for number in 1...191 { monitor.record(testEvent(number)) }
        #expect(monitor.withState { $0.ring.untakenLines < limits.dueLines && $0.ring.untakenBytes < limits.dueBytes })
        monitor.record(testEvent(192))
        #expect(monitor.nextErrand(.init()).wake == .everything)
        #expect(limits.dueLines <= 256 - 64 && limits.dueBytes <= 60 * 1_024 * 3 / 4)
    }

    @Test func `drops are reported in the file after a second, without another event`() async throws {
        var options = EventFileWriterOptions()
        options.idle = .milliseconds(1)
        let clock = WriterTestClock(runs: true)
        let writer = try EventFileWriter(folder, options: options, clock: clock)
        var giant = testEvent(1)
        giant.event.properties = ["x": .array(Array(repeating: "0123456789", count: 10_000))]
        writer.record(giant)
        try await clock.until { try !notes("dropped", in: folder.lines()).isEmpty }
        try await writer.close()
        #expect(try notes("dropped", in: folder.lines()).count == 1)
    }

    @Test func `each pause after a failure is twice as long as the one before`() async throws {
        /// When the thread tried to make a file, in nanoseconds.
        let times = Collected<Int64>()
        let files = FaultyFileSystem { call in
            if call.kind != .create || call.isOfRing { return nil }
            times.add(MonotonicClock.system.nanoseconds)
            return .fail(EIO)
        }
        var options = EventFileWriterOptions()
        (options.firstRetry, options.longestRetry, options.idle) = (.milliseconds(1), .seconds(60), .milliseconds(1))
        let errors = Collected<EventFileError>()
        let writer = try EventFileWriter(folder: folder.path, options: options, fileSystem: files.fileSystem, onError: { errors.add($0) })
        writer.record(testEvent(1))
        await times.until(count: 7)
        #expect(errors.all.count == 1, "reported once, however often it is tried")
        files.setRule { _ in nil }
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1])
        // A busy machine makes pauses longer, nothing makes them shorter.
        for (number, pause) in zip(times.all.dropFirst(), times.all).map({ $0 - $1 }).prefix(6).enumerated() {
            #expect(pause >= 1_000_000 << number, "pause \(number + 1)")
        }
    }

    @Test func `while storage fails, no event wakes the thread before its next attempt, however many wait`() throws {
        let files = FaultyFileSystem { $0.kind == .create ? .fail(ENOSPC) : nil }
        let (writer, thread) = try EventFileWriter.withoutThread(
            folder: folder.path, options: EventFileWriterOptions(), clock: clock.wall, monotonicClock: clock.monotonic,
            fileSystem: files.fileSystem, random: SeededRandom(seed: 1))
        thread.begin()
        for number in 1...300 { writer.record(testEvent(number)) }
        while thread.turnIfDue() {}
        #expect(writer.monitor.withState { $0.ring.isStorageFailing && $0.ring.threadWait == .forMoreLines })
        writer.record(testEvent(301))
        #expect(writer.monitor.withState { $0.ring.threadWait } == .forMoreLines)
    }

    @Test(arguments: [(1, [1, 2, 4, 5, 5]), (9, [5, 5, 5, 5, 5])] as [(Int64, [Int64])])
    func `no pause is longer than the longest`(first: Int64, expected: [Int64]) {
        var options = EventFileWriterOptions()
        (options.firstRetry, options.longestRetry) = (.nanoseconds(first), .nanoseconds(5))
        let context = WriterContext(options: options)
        var pauses = [context.pause()]
        while pauses.count < 5 { pauses.append(context.pause(after: pauses.last)) }
        #expect(pauses == expected)
    }

    @Test func `callers that wait for a place return when storage begins to fail`() async throws {
        let gate = Gate()
        let files = FaultyFileSystem { call in
            if call.kind != .create || call.isOfRing { return nil }
            gate.wait()
            return .fail(ENOSPC)
        }
        var options = EventFileWriterOptions.lossless
        options.ringEvents = 2
        options.reservedMetaPlaces = 0
        let writer = try EventFileWriter(folder, options: options, clock: clock, fileSystem: files.fileSystem)
        writer.record(testEvent(1))
        let flushing = Task { try await writer.flush() }
        await gate.untilReached()
        writer.record(testEvent(2))
        let done = Collected<Bool>()
        Thread.detachNewThread {
            writer.record(testEvent(3))
            done.add(true)
        }
        await writer.monitor.until { $0.ring.blockedCallers > 0 }
        gate.open()
        await done.until(count: 1)
        #expect(writer.statistics.droppedByReason == [.storage: 1])
        await #expect(throws: EventFileError.self) { try await flushing.value }
        files.setRule { _ in nil }
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1, 2])
    }

    @Test func `many flushes at once all fail while storage fails, and all succeed when it works`() async throws {
        let errors = Collected<EventFileError>()
        let files = FaultyFileSystem { $0.kind == .write ? .fail(ENOSPC) : nil }
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem, onError: { errors.add($0) })
        func flushAll() async -> Int {
            await withTaskGroup(of: Int.self) { group in
                for number in 1...100 {
                    group.addTask {
                        writer.record(testEvent(number, session: "t\(number)"))
                        return (try? await writer.flush(number % 3 == 0 ? .durable : .processKill)) == nil ? 1 : 0
                    }
                }
                return await group.reduce(0, +)
            }
        }
        #expect(await flushAll() == 100)
        #expect(errors.all.count == 1)
        files.setRule { _ in nil }
        #expect(await flushAll() == 0)
        #expect(writer.statistics.written == 200)
        try await writer.close()
        #expect(try notes("storage_recovered", in: folder.lines()).count == 1)
    }
}
