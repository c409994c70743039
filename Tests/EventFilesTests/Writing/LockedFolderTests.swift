import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// A folder that the system opens once the device is unlocked for the first time.
@Suite(.notForever) struct LockedFolderTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()
    let errors = Collected<EventFileError>()

    init() throws { folder = try WriterTestFolder() }

    private func locked(_ errno: Int32) -> FaultyFileSystem { FaultyFileSystem { $0.kind == .openFolder ? .fail(errno) : nil } }

    private var options: EventFileWriterOptions {
        var options = smallRing
        (options.hasDataProtection, options.ringEvents) = (true, 4)
        return options
    }

    @Test(arguments: [EPERM, EACCES])
    func `events wait in a bounded ring, one error reports it, and opening is tried every five seconds`(errno: Int32) async throws {
        let files = locked(errno)
        let (writer, thread) = try EventFileWriter.withoutThread(
            folder: folder.path, options: options, clock: clock.wall, monotonicClock: clock.monotonic, fileSystem: files.fileSystem,
            random: SeededRandom(seed: 1), onError: { errors.add($0) })
        thread.begin()
        func work() { while thread.turnIfDue() {} }
        for number in 1...10 { writer.record(testEvent(number)) }
        work()
        #expect(writer.statistics.waiting == 4 && writer.statistics.droppedByReason == [.storage: 6])
        var tries = files.calls.count
        for _ in 1...20 {
            clock.advance(.seconds(4))
            work()
            #expect(files.calls.count == tries)
            clock.advance(.seconds(1))
            work()
            #expect(files.calls.count > tries)
            tries = files.calls.count
        }
        writer.resume()
        work()
        #expect(files.calls.count > tries, "at once")
        #expect(errors.all == [.locked(path: folder.path, errno: errno)])
        files.setRule { _ in nil }
        clock.advance(.seconds(5))
        work()
        writer.monitor.request(.close) { #expect($0 == nil) }
        work()
        let lines = try folder.lines()
        #expect(try sequences(lines) == Array(1...4))
        #expect(try notes(MetaEventName.dropped, in: lines).map { $0["count"] as? Int } == [6])
        #expect(files.openDescriptors == 0)
    }

    @Test func `a call meanwhile throws the reason, and closing gives up at its deadline`() async throws {
        let writer = try EventFileWriter(folder, options: options, fileSystem: locked(EPERM).fileSystem, onError: { errors.add($0) })
        writer.record(testEvent(1))
        let reason = EventFileError.locked(path: folder.path, errno: EPERM)
        await #expect(throws: reason) { try await writer.flush() }
        await #expect(throws: reason) { try await writer.suspend() }
        await #expect(throws: EventFileError.suspended) { try await writer.flush() }
        await #expect(throws: reason) { try await writer.close(deadline: .zero) }
        #expect(writer.statistics.droppedByReason == [.storage: 1])
    }

    @Test func `without data protection missing rights are an error of init, and other errors always are`() {
        #expect(throws: EventFileError.self) { try EventFileWriter(folder, options: smallRing, fileSystem: locked(EACCES).fileSystem) }
        #expect(throws: EventFileError.self) { try EventFileWriter(folder, options: options, fileSystem: locked(EIO).fileSystem) }
        let forbidden = FaultyFileSystem { $0.kind == .makeFolder ? .fail(EPERM) : nil }
        let path = folder.path + "/new"
        #expect(throws: EventFileError.storage(FileSystemError(.makeFolder, errno: EPERM, path: path))) {
            try EventFileWriter(folder: path, options: options, fileSystem: forbidden.fileSystem)
        }
    }
}
