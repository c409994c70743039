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
