import EventFiles
import EventUpload
import Foundation
import LoopTesting
import LoopTracking
import TestSupport
import Testing
import TrackingEvents

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Segments for a transport that outlives the app.
@Suite(.notForever) struct UploadHandoverTests {
    let folder: UploadTestFolder
    let writer: EventFileWriter
    let destination = HTTPDestination(URL(string: "https://collect.example.org/in/")!, headers: { ["Authorization": "Bearer a"] })

    init() throws {
        folder = try UploadTestFolder()
        writer = try EventFileWriter(folder: folder.path)
    }

    private func record(_ count: Int) async throws {
        let tracker = Tracker(to: writer, user: "u1")
        for _ in 0..<count {
            tracker.track(TrackingEvent("opened"))
            try await writer.rotate()
        }
    }

    @Test func `each sealed segment is offered once, with the request that an uploader would make`() async throws {
        try await record(2)
        let handover = UploadHandover(writer, to: destination, carrying: [])
        let offers = try await handover.offers()
        #expect(offers.map(\.id) == folder.sealed && offers.count == 2)
        let first = try #require(offers.first)
        #expect(first.file.path == folder.path + "/" + first.id)
        #expect(first.request.httpMethod == "PUT" && first.request.url?.absoluteString == "https://collect.example.org/in/" + first.id)
        let bytes = try Data(contentsOf: first.file)
        #expect(first.request.value(forHTTPHeaderField: "Content-Length") == String(bytes.count))
        #expect(first.request.value(forHTTPHeaderField: "If-None-Match") == "*")
        #expect(first.request.value(forHTTPHeaderField: "Authorization") == "Bearer a")
        #expect(first.request.value(forHTTPHeaderField: "Repr-Digest")?.hasPrefix("sha-256=:") == true)
        #expect(try await handover.offers().isEmpty)
        #expect(folder.journal == offers.map { "+\($0.id)\n" }.joined(), "nobody may forget what may arrive")
        try await writer.close()
    }

    @Test func `a segment that was taken goes, one that failed is offered again, and one that is carried is not`() async throws {
        try await record(3)
        let handover = UploadHandover(writer, to: destination, carrying: [])
        let ids = try await handover.offers().map(\.id)
        try handover.taken(ids[0])
        #expect(folder.files == Array(ids.dropFirst()))
        handover.failed(ids[1])
        #expect(try await handover.offers().map(\.id) == [ids[1]])
        let next = UploadHandover(writer, to: destination, carrying: [ids[2]])
        #expect(try await next.offers().map(\.id) == [ids[1]])
        for id in ids.dropFirst() { try next.taken(id) }
        try next.taken(ids[0])
        try next.taken("../notes.txt")
        #expect(folder.files.isEmpty && folder.journal.isEmpty)
        try await writer.close()
    }

    @Test func `an id whose segment is gone is not kept`() async throws {
        try await record(2)
        let handover = UploadHandover(writer, to: destination, carrying: [])
        let ids = try await handover.offers().map(\.id)
        let (here, aside) = (folder.path + "/" + ids[0], folder.path + "/aside")
        try FileManager.default.moveItem(atPath: here, toPath: aside)
        #expect(try await handover.offers().isEmpty)
        // In use none comes back. Here one does, to show that its id was dropped.
        try FileManager.default.moveItem(atPath: aside, toPath: here)
        #expect(try await handover.offers().map(\.id) == [ids[0]])
        try await writer.close()
    }

    @Test func `nothing is offered without consent or while the writer is suspended, or taken beside an uploader at work`() async throws {
        try await record(1)
        let handover = UploadHandover(writer, to: destination, carrying: [])
        writer.setConsent(.denied)
        #expect(try await handover.offers().isEmpty)
        writer.setConsent(.granted)
        try await writer.suspend()
        await #expect(throws: UploadError.folder(.suspended)) { try await handover.offers() }
        #expect(throws: UploadError.folder(.suspended)) { try handover.taken(folder.sealed[0]) }
        try await writer.awake {
            let id = try #require(try await handover.offers().first?.id)
            let held = try EventFolder.open(folder.path, on: PosixFileSystem())
            guard case .taken(let lock) = try UploadLock.take(in: held, making: true) else { return #expect(Bool(false)) }
            #expect(throws: UploadError.busy(folder: folder.path)) { try handover.taken(id) }
            lock.release()
            held.close()
            try handover.taken(id)
        }
        #expect(folder.sealed.isEmpty)
        try await writer.close()
    }

    @Test(arguments: [true, false])
    func `a denial, or an erasure elsewhere, while a token is waited for keeps segments back`(isDenied: Bool) async throws {
        try await record(1)
        let (isFirst, mark) = (Announced(true), folder.path + "/.erasing")
        let slow = HTTPDestination(
            URL(string: "https://collect.example.org/in/")!,
            headers: { [writer] in
                let isNow = isFirst.change { first in
                    defer { first = false }
                    return first
                }
                if isNow && isDenied { writer.setConsent(.denied) }
                if isNow && !isDenied { try Data().write(to: URL(fileURLWithPath: mark)) }
                return [:]
            })
        let handover = UploadHandover(writer, to: slow, carrying: [])
        #expect(try await handover.offers().isEmpty && !isFirst.value)
        if isDenied { writer.setConsent(.granted) } else { try FileManager.default.removeItem(atPath: mark) }
        let ids = try await handover.offers().map(\.id)
        #expect(ids == folder.sealed && ids.count == 1)
        try await writer.close()
    }

    @Test func `what was erased while a token was waited for is not offered`() async throws {
        try await record(1)
        let slow = HTTPDestination(
            URL(string: "https://collect.example.org/in/")!,
            headers: { [writer] in
                try await writer.erase()
                return [:]
            })
        #expect(try await UploadHandover(writer, to: slow, carrying: []).offers().isEmpty && folder.sealed.isEmpty)
        try await writer.close()
    }

    /// Runs each part of a task on a thread of its own, which the part may block.
    private final class OwnThreads: TaskExecutor {
        static let shared = OwnThreads()

        func enqueue(_ job: consuming ExecutorJob) {
            let part = UnownedJob(job)
            Thread.detachNewThread { part.runSynchronously(on: OwnThreads.shared.asUnownedTaskExecutor()) }
        }
    }

    @Test(arguments: [false, true])
    func `a suspension, or a denial, ends the search for offers; a suspension waits until its lock is free`(isDenied: Bool) async throws {
        try await record(2)
        let (first, second) = (folder.sealed[0], folder.sealed[1])
        let (isReading, mayRead, isAsked) = (Announced(false), DispatchSemaphore(value: 0), Announced(false))
        let files = FaultyFileSystem()
        let other = try EventFileWriter(folder: folder.path, fileSystem: files.fileSystem)
        _ = try await other.recovered()
        files.setRule { call in
            let isFirst = call.kind == .open && call.name == first
            let begins = isReading.change { reading in
                defer { reading = reading || isFirst }
                return isFirst && !reading
            }
            if begins { mayRead.wait() }
            return nil
        }
        let offering = Task(executorPreference: OwnThreads.shared) { [destination] in
            try await UploadHandover(other, to: destination, carrying: []).offers()
        }
        await isReading.until { $0 }
        func isSecondOpened() -> Bool { files.calls.contains { $0.kind == .open && $0.name == second } }
        if isDenied {
            other.setConsent(.denied)
            mayRead.signal()
            #expect(try await offering.value.isEmpty && !isSecondOpened())
            try await other.close()
            try await writer.close()
            return
        }
        let observation = other.observeSegments(lettingGo: { isAsked.change { $0 = true } }) { _ in }
        let suspension = Task { try await other.suspend() }
        await isAsked.until { $0 }
        mayRead.signal()
        await #expect(throws: UploadError.folder(.suspended)) { try await offering.value }
        #expect(!isSecondOpened())
        try await suspension.value
        other.removeObservation(observation)
        let held = try EventFolder.open(folder.path, on: PosixFileSystem())
        guard case .taken(let lock) = try UploadLock.take(in: held, making: true) else { return #expect(Bool(false)) }
        lock.release()
        held.close()
        try await other.close()
        try await writer.close()
    }

    @Test func `a request that cannot be made is thrown, and the segment is offered again`() async throws {
        try await record(1)
        let plain = HTTPDestination(URL(string: "http://collect.example.org/")!, headers: { ["Authorization": "Bearer a"] })
        let handover = UploadHandover(writer, to: plain, carrying: [])
        for _ in 1...2 { await #expect(throws: UploadError.self) { try await handover.offers() } }
        #expect(folder.sealed.count == 1)
        try await writer.close()
    }

    @Test func `if one segment cannot be read, all are offered the next time`() async throws {
        try await record(2)
        let ids = folder.sealed
        let files = FaultyFileSystem { $0.kind == .open && $0.name == ids[1] ? .fail(EIO) : nil }
        let other = try EventFileWriter(folder: folder.path, fileSystem: files.fileSystem)
        let handover = UploadHandover(other, to: destination, carrying: [])
        await #expect(throws: UploadError.self) { try await handover.offers() }
        files.setRule { _ in nil }
        #expect(try await handover.offers().map(\.id) == ids)
        try await other.close()
        try await writer.close()
    }
}
