import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// Every loss is reported by the receipt of a flush, and by `onDrop`.
@Suite(.notForever) struct DropReportTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()
    let drops = Collected<[DropReason: Int]>()
    let files = FaultyFileSystem()

    init() throws { folder = try WriterTestFolder() }

    private func makeWriter(_ change: (inout EventFileWriterOptions) -> Void = { _ in }) throws -> EventFileWriter {
        var options = EventFileWriterOptions()
        options.ringEvents = 100
        change(&options)
        return try EventFileWriter(folder, options: options, clock: clock, fileSystem: files.fileSystem, onDrop: { drops.add($0) })
    }

    @Test func `a flush after dropped events is not complete`() async throws {
        files.setRule { $0.kind == .create ? .fail(ENOSPC) : nil }
        let writer = try makeWriter()
        for number in 1...150 { writer.record(testEvent(number)) }
        await #expect(throws: EventFileError.self) { try await writer.flush() }
        files.setRule { _ in nil }
        let receipt = try await writer.flush()
        #expect(receipt.recorded == 150 && receipt.dropped == 50 && !receipt.isComplete())
        writer.record(testEvent(151))
        let later = try await writer.flush()
        #expect(later.isComplete(since: receipt) && later.recorded == 151)
        #expect(try writer.flushAndWait() == later)
        #expect(try await writer.flush(.durable) == later)
        try await writer.close()
    }

    @Test func `while storage fails only onError reports, and afterwards onDrop once, with all drops`() async throws {
        files.setRule { $0.kind == .create ? .fail(ENOSPC) : nil }
        let writer = try makeWriter()
        writer.record(testEvent(1))
        for _ in 0..<3 { await #expect(throws: EventFileError.self) { try await writer.flush() } }
        for number in 2...150 { writer.record(testEvent(number)) }
        await #expect(throws: EventFileError.self) { try await writer.flush() }
        #expect(drops.all == [])
        files.setRule { _ in nil }
        try await writer.flush()
        #expect(drops.all == [[.storage: 50]])
        try await writer.flush()
        writer.record(testEvent(151))
        try await writer.close()
        #expect(drops.all == [[.storage: 50]])
    }

    @Test func `each overflow of the ring is reported once`() async throws {
        let writer = try makeWriter()
        for round in 1...2 {
            let gate = Gate()
            files.setRule { call in
                if call.kind == .write { gate.wait() }
                return nil
            }
            writer.record(testEvent(round * 1_000))
            let flushing = Task { try await writer.flush() }
            await gate.untilReached()
            for number in 1...120 { writer.record(testEvent(round * 1_000 + number)) }
            gate.open()
            _ = try await flushing.value
            try await writer.flush()
            #expect(drops.all.count == round)
        }
        // The event that the thread is writing takes a place, too.
        #expect(drops.all == [[.overflow: 21], [.overflow: 21]])
        try await writer.close()
    }

    @Test func `reasons are counted apart`() async throws {
        let writer = try makeWriter { $0.retainFiles = 1 }
        writer.record(tooLargeEvent())
        writer.record(testEvent(2))
        try await writer.rotate()
        #expect(drops.all == [[.tooLarge: 1]])
        writer.record(testEvent(3))
        try await writer.rotate()
        #expect(drops.all == [[.tooLarge: 1], [.retention: 1]])
        try await writer.close()
    }

    @Test func `a close while storage fails reports what is lost`() async throws {
        files.setRule { $0.kind == .create ? .fail(ENOSPC) : nil }
        let writer = try makeWriter()
        for number in 1...150 { writer.record(testEvent(number)) }
        await #expect(throws: EventFileError.self) { try await writer.close(deadline: .zero) }
        // Events without a place count as `.storage` once it is known to fail, and as `.overflow` before. The thread decides when that is.
        let reported = try #require(drops.all.first)
        #expect(
            reported.values.reduce(0, +) == 150 && reported[.storage, default: 0] >= 100
                && Set(reported.keys).isSubset(of: [.overflow, .storage]), "\(reported)")
        writer.record(testEvent(151))
        #expect(drops.all.count == 1 && writer.statistics.droppedByReason[.closed] == 1)
    }

    @Test func `nothing is reported if nothing was dropped`() async throws {
        let writer = try makeWriter()
        for number in 1...90 { writer.record(testEvent(number)) }
        try await writer.close()
        #expect(drops.all == [])
    }
}
