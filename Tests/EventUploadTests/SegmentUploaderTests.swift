import Basics
import EventFiles
import EventUpload
import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

/// The uploader with its tasks, on a real writer and folder.
@Suite(.notForever) struct SegmentUploaderTests {
    let folder: UploadTestFolder
    let clock = ManualClock()
    let outcomes = Collected<UploadOutcome>()

    init() throws { folder = try UploadTestFolder() }

    private func uploader(
        _ writer: EventFileWriter?, to destination: TestDestination, shouldUpload: @escaping @Sendable () -> Bool = { true }
    ) -> SegmentUploader {
        let began = clock.now
        return SegmentUploader(
            writer, folder: folder.path, fileSystem: PosixFileSystem(), to: destination, keepSent: .zero, every: .seconds(60),
            clock: MonotonicClock { [clock] in began.duration(to: clock.now).clampedNanoseconds }, random: SeededRandom(seed: 1),
            sleep: { [clock] in try await clock.sleep(for: $0) }, shouldUpload: shouldUpload, onUpload: { [outcomes] in outcomes.add($0) })
    }

    private func untilSent(_ count: Int) async { await outcomes.until { $0.count { $0.result == .sent } == count } }

    @Test func `uploadNow sends everything recorded so far, without a start`() async throws {
        let writer = try EventFileWriter(folder: folder.path)
        let destination = TestDestination()
        let uploader = uploader(writer, to: destination)
        for number in 1...10 { writer.record(testEvent(number)) }
        let summary = try await uploader.uploadNow()
        #expect(summary.sent == 1 && summary.waiting == 0 && summary.refused == 0 && summary.error == nil)
        #expect(folder.files == [] && destination.names.count == 1 && uploader.statistics.sent == 1)
        #expect(try await uploader.uploadNow() == UploadSummary())
        try await writer.close()
        #expect(try await uploader.uploadNow() == UploadSummary(), "a closed writer has nothing under way")
    }

    @Test func `a started uploader sends each segment as soon as it is sealed`() async throws {
        let writer = try EventFileWriter(folder: folder.path)
        let destination = TestDestination()
        let uploader = uploader(writer, to: destination)
        uploader.start()
        uploader.start()
        for round in 1...3 {
            writer.record(testEvent(round))
            try await writer.rotate()
            await untilSent(round)
            #expect(uploader.statistics.sent == round)
        }
        #expect(folder.files == [])
        await uploader.stop()
        try await writer.close()
        #expect(destination.state.value.mostAtOnce == 1)
    }

    @Test func `an uploader without a writer finds new segments by its timer`() async throws {
        let destination = TestDestination()
        let uploader = uploader(nil, to: destination)
        uploader.start()
        await clock.whenSleeping()
        try folder.put("one", segment(1).sealed)
        clock.advance(by: .seconds(60))
        await untilSent(1)
        await uploader.stop()
        #expect(folder.files == [])
    }

    @Test func `a failure waits for its pause and is tried again by itself`() async throws {
        let destination = TestDestination { _, attempt in
            if attempt < 3 { throw Fault.dummy }
            return .stored
        }
        let uploader = uploader(nil, to: destination)
        try folder.put("one", segment(1).sealed)
        uploader.start()
        for attempt in 1...2 {
            await outcomes.until(count: attempt)
            guard case .waiting(.transport, let pause) = outcomes.all[attempt - 1].result else {
                return #expect(Bool(false), "\(outcomes.all)")
            }
            await clock.whenSleeping()
            clock.advance(by: pause)
        }
        await outcomes.until(count: 3)
        #expect(outcomes.all[2].result == .sent)
        await uploader.stop()
    }

    @Test func `refused segments are reported once, and tried again at the next start`() async throws {
        let destination = TestDestination { segment, attempt in attempt == 1 ? .refused(.status(413, name: segment.name)) : .stored }
        let uploader = uploader(nil, to: destination)
        try folder.put("one", segment(1).sealed)
        uploader.start()
        // Wait until the request has ended: another task sleeps during it. Only then does the clock see the timer's sleep.
        await outcomes.until(count: 1)
        await clock.whenSleeping()
        clock.advance(by: .seconds(60))
        await clock.whenSleeping()
        #expect(outcomes.all.map(\.result) == [.refused(.status(413, name: segment(1).sealed))])
        #expect(try await uploader.uploadNow().refused == 1)
        await uploader.stop()
        uploader.start()
        await untilSent(1)
        await uploader.stop()
    }

    @Test func `shouldUpload is asked before each segment`() async throws {
        let isFree = Lock(false)
        let destination = TestDestination()
        let uploader = uploader(nil, to: destination, shouldUpload: { isFree.withLock { $0 } })
        try folder.put("one", segment(1).sealed)
        uploader.start()
        await clock.whenSleeping()
        #expect(destination.names == [])
        isFree.withLock { $0 = true }
        clock.advance(by: .seconds(60))
        await untilSent(1)
        await uploader.stop()
    }

    @Test func `stop calls back the request under way, and the file stays`() async throws {
        let destination = TestDestination { _, _ in try await forever() }
        let uploader = uploader(nil, to: destination)
        try folder.put("one", segment(1).sealed)
        uploader.start()
        await destination.state.until { $0.names.count == 1 }
        await uploader.stop()
        #expect(folder.files == [segment(1).sealed] && destination.state.value.underWay == 0)
        let other = self.uploader(nil, to: TestDestination())
        #expect(try await other.uploadNow().sent == 1, "the lock is free")
    }

    @Test func `an uploader that is released ends`() async throws {
        let destination = TestDestination { _, _ in try await forever() }
        try folder.put("one", segment(1).sealed)
        var forgotten: SegmentUploader? = uploader(nil, to: destination)
        forgotten?.start()
        await destination.state.until { $0.names.count == 1 }
        forgotten = nil
        await destination.state.until { $0.underWay == 0 }
        #expect(folder.files == [segment(1).sealed])
    }

    @Test func `an interval that is meant as never is one that clocks take`() async throws {
        let asked = Collected<Duration>()
        let uploader = SegmentUploader(
            nil, folder: folder.path, fileSystem: PosixFileSystem(), to: TestDestination(), keepSent: .zero, every: .seconds(Int64.max),
            sleep: { duration in
                asked.add(duration)
                try await forever()
            }, shouldUpload: { true }, onUpload: nil)
        uploader.start()
        await asked.until(count: 1)
        await uploader.stop()
        #expect(asked.all == [.seconds(100 * 365 * 86_400)])
    }

    @Test func `a task that is cancelled does not wait for its upload`() async throws {
        let destination = TestDestination { _, _ in try await forever() }
        let uploader = uploader(nil, to: destination)
        try folder.put("one", segment(1).sealed)
        let task = Task { try await uploader.uploadNow() }
        await destination.state.until { $0.names.count == 1 }
        task.cancel()
        await #expect(throws: UploadError.stopped) { try await task.value }
        #expect(folder.files == [segment(1).sealed])
    }

    @Test func `a task that is cancelled as its request begins does not wait for it either`() async throws {
        let (begins, asked) = (Announced(false), Announced(0))
        let handle = Lock<Task<UploadSummary, any Error>?>(nil)
        let destination = TestDestination { _, _ in
            // When the question comes the second time, the request is the one that a cancellation cancels.
            await asked.until { $0 == 2 }
            try Task.checkCancellation()
            return .stored
        }
        let uploader = uploader(nil, to: destination) {
            let count = asked.change { count in
                count += 1
                return count
            }
            if count == 1 { handle.withLock { $0 }?.cancel() }
            return true
        }
        try folder.put("one", segment(1).sealed)
        let task = Task<UploadSummary, any Error> {
            await begins.until { $0 }
            return try await uploader.uploadNow()
        }
        handle.withLock { $0 = task }
        begins.change { $0 = true }
        await #expect(throws: UploadError.stopped) { try await task.value }
        #expect(folder.files == [segment(1).sealed])
    }

    @MainActor @Test func `a task that is cancelled while another's upload is under way leaves that one alone`() async throws {
        let isOpen = Announced(false)
        let destination = TestDestination { _, _ in
            await isOpen.until { $0 }
            try Task.checkCancellation()
            return .stored
        }
        let uploader = uploader(nil, to: destination)
        try folder.put("one", segment(1).sealed)
        let first = Task { try await uploader.uploadNow() }
        await destination.state.until { $0.names.count == 1 }
        let second = Task { try await uploader.uploadNow() }
        // All run on the main actor: once this task has run, the second one waits for its round.
        await Task {}.value
        second.cancel()
        await #expect(throws: UploadError.stopped) { try await second.value }
        isOpen.change { $0 = true }
        #expect(try await first.value.sent == 1)
    }

    @Test func `another uploader at work is an error that names the folder`() async throws {
        let destination = TestDestination { _, _ in try await forever() }
        let first = uploader(nil, to: destination)
        try folder.put("one", segment(1).sealed)
        first.start()
        await destination.state.until { $0.names.count == 1 }
        let second = uploader(nil, to: TestDestination())
        await #expect(throws: UploadError.busy(folder: folder.path)) { try await second.uploadNow() }
        await first.stop()
        #expect(try await second.uploadNow().sent == 1)
    }

    @Test(arguments: [ENOSPC, EIO])
    func `if the writer's file cannot be sealed, uploadNow sends the others, and the summary has the error`(errno: Int32) async throws {
        let files = FaultyFileSystem()
        let writer = try EventFileWriter(folder: folder.path, fileSystem: files.fileSystem)
        let uploader = uploader(writer, to: TestDestination())
        try folder.put("one", segment(1).sealed)
        writer.record(testEvent(1))
        try await writer.flush()
        writer.record(testEvent(2))
        // The ring is there already: `record` stores into its memory without a call, or by the write calls that fail here, too.
        files.setRule { $0.kind == .write ? .fail(errno) : nil }
        let summary = try await uploader.uploadNow()
        guard case .folder(.storage(let error)) = summary.error else { return #expect(Bool(false), "\(summary)") }
        #expect(summary.sent == 1 && error.errno == errno)
        await #expect(throws: UploadError.self, "nothing was sent") { try await uploader.uploadNow() }
        files.setRule { _ in nil }
        #expect(try await uploader.uploadNow().sent == 1)
        try await writer.close()
    }

    @Test func `while the writer is suspended uploadNow throws and sends nothing`() async throws {
        let writer = try EventFileWriter(folder: folder.path)
        let uploader = uploader(writer, to: TestDestination())
        try folder.put("one", segment(1).sealed)
        try await writer.suspend()
        await #expect(throws: UploadError.folder(.suspended)) { try await uploader.uploadNow() }
        #expect(folder.sealed.count == 1)
        writer.resume()
        #expect(try await uploader.uploadNow().sent == 1)
        try await writer.close()
    }

    @Test func `an uploader that is started while the writer is suspended sends as soon as that ends`() async throws {
        let writer = try EventFileWriter(folder: folder.path)
        let uploader = uploader(writer, to: TestDestination())
        try folder.put("one", segment(1).sealed)
        try await writer.suspend()
        uploader.start()
        await clock.whenSleeping()
        writer.resume()
        await untilSent(1)
        await uploader.stop()
        try await writer.close()
    }

    @Test func `a suspension waits for an uploader that was released with a request under way`() async throws {
        let writer = try EventFileWriter(folder: folder.path)
        let mayEnd = Announced(false)
        // The request does not end when it is cancelled.
        let destination = TestDestination { _, _ in
            await Task { await mayEnd.until { $0 } }.value
            return .stored
        }
        try folder.put("one", segment(1).sealed)
        var forgotten: SegmentUploader? = uploader(writer, to: destination)
        forgotten?.start()
        await destination.state.until { $0.names.count == 1 }
        forgotten = nil
        let isSuspended = Announced(false)
        let suspension = Task {
            try await writer.suspend()
            isSuspended.change { $0 = true }
        }
        // The writer's own part of the suspension is over once this throws.
        while (try? await writer.flush()) != nil {}
        for _ in 0..<100 { await Task.yield() }
        #expect(!isSuspended.value && destination.state.value.underWay == 1)
        mayEnd.change { $0 = true }
        try await suspension.value
        let held = try EventFolder.open(folder.path, on: PosixFileSystem())
        guard case .taken(let lock) = try UploadLock.take(in: held, making: true) else { return #expect(Bool(false)) }
        lock.release()
        held.close()
        try await writer.close()
    }

    // MARK: Consent

    @Test func `while consent is pending nothing of that time leaves, and after it is granted all does`() async throws {
        let writer = try EventFileWriter(folder: folder.path)
        let destination = TestDestination()
        let uploader = uploader(writer, to: destination)
        uploader.start()
        writer.setConsent(.pending)
        writer.record(testEvent(1))
        #expect(try await uploader.uploadNow().sent == 0)
        #expect(folder.files.count == 1 && folder.files[0].hasPrefix(".pending/") && destination.names == [])
        writer.setConsent(.granted)
        try await writer.flush()
        await untilSent(1)
        await uploader.stop()
        try await writer.close()
        #expect(folder.files == [])
    }

    @Test func `once consent is denied nothing leaves, what is under way is called back, and what waits stays until it is granted`()
        async throws
    {
        let writer = try EventFileWriter(folder: folder.path)
        let destination = TestDestination { _, attempt in
            if attempt == 1 { try await forever() }
            return .stored
        }
        let uploader = uploader(writer, to: destination)
        uploader.start()
        writer.record(testEvent(1))
        try await writer.rotate()
        await destination.state.until { $0.names.count == 1 }
        writer.setConsent(.denied)
        await destination.state.until { $0.underWay == 0 }
        let summary = try await uploader.uploadNow()
        #expect(summary.sent == 0 && summary.waiting == 1 && destination.names.count == 1 && folder.sealed.count == 1)
        writer.setConsent(.granted)
        await untilSent(1)
        await uploader.stop()
        try await writer.close()
    }

    @Test func `erasing calls back what is under way, removes .sent, too, and no earlier event leaves afterwards`() async throws {
        let writer = try EventFileWriter(folder: folder.path)
        let destination = TestDestination { _, attempt in
            if attempt == 1 { try await forever() }
            return .stored
        }
        let uploader = uploader(writer, to: destination)
        uploader.start()
        writer.record(testEvent(1))
        try await writer.rotate()
        await destination.state.until { $0.names.count == 1 }
        try folder.put("sent", segment(9).sealed, in: ".sent")
        try await writer.erase()
        #expect(folder.files == [] && destination.state.value.underWay == 0)
        writer.record(testEvent(2))
        #expect(try await uploader.uploadNow().sent == 1)
        #expect(Set(destination.names).count == 2, "what leaves now has a new name")
        await uploader.stop()
        try await writer.close()
    }

    @Test func `from the call of erase on nothing leaves, also on a disk without room for its mark`() async throws {
        let marks = Collected<Int>()
        let files = FaultyFileSystem { call in
            guard call.kind == .create && call.name == ".erasing" else { return nil }
            marks.add(call.number)
            // What is removed makes room for the mark.
            return marks.all.count == 1 ? .fail(ENOSPC) : nil
        }
        let writer = try EventFileWriter(folder: folder.path, fileSystem: files.fileSystem)
        let destination = TestDestination { _, attempt in
            if attempt == 1 { try await forever() }
            return .stored
        }
        let uploader = uploader(writer, to: destination)
        for number in 1...2 {
            writer.record(testEvent(number))
            try await writer.rotate()
        }
        uploader.start()
        await destination.state.until { $0.names.count == 1 }
        try await writer.erase()
        #expect(folder.files == [] && destination.names.count == 1)
        await uploader.stop()
        try await writer.close()
    }

    @Test func `an uploader of another process stops when the folder is erased`() async throws {
        let calls = Collected<FaultyFileSystem.Call>()
        let files = FaultyFileSystem {
            calls.add($0)
            return nil
        }
        let writer = try EventFileWriter(folder: folder.path, fileSystem: files.fileSystem)
        writer.record(testEvent(1))
        try await writer.rotate()
        let destination = TestDestination { _, _ in try await forever() }
        // It knows the folder and not the writer, as in another process.
        let uploader = uploader(nil, to: destination)
        uploader.start()
        await destination.state.until { $0.names.count == 1 }
        await clock.whenSleeping()
        async let erased: Void = writer.erase()
        // Once another call follows the creation, the mark is there.
        await calls.until { calls in calls.dropLast().contains { $0.kind == .create && $0.name == ".erasing" } }
        clock.advance(by: .seconds(1))
        try await erased
        #expect(folder.files == [] && destination.state.value.underWay == 0)
        await uploader.stop()
        try await writer.close()
    }

    // MARK: Names

    @Test func `a writer whose files are sent at once never uses a name twice`() async throws {
        let writer = try EventFileWriter(folder: folder.path)
        let destination = TestDestination()
        let uploader = uploader(writer, to: destination)
        for number in 1...20 {
            writer.record(testEvent(number))
            #expect(try await uploader.uploadNow().sent == 1)
        }
        #expect(Set(destination.names).count == 20)
        try await writer.close()
    }
}
