import EventFiles
import EventUpload
import Foundation
import LoopTracking
import Testing
import TrackingEvents

private func token() async -> String { "abc" }
private func isOnline() -> Bool { true }
private func log(_ text: String) { print(text) }

/// Copies segments into a folder, such as one on a mounted disk.
struct FolderDestination: UploadDestination {
    let folder: URL

    func upload(_ segment: SealedSegment) async throws -> UploadAnswer {
        let target = folder.appendingPathComponent(segment.name)
        if FileManager.default.fileExists(atPath: target.path) { return .stored }
        // Whole or not at all: nobody takes a part for the file.
        let part = folder.appendingPathComponent(".\(segment.name).part")
        try? FileManager.default.removeItem(at: part)
        try FileManager.default.copyItem(at: URL(fileURLWithPath: segment.path), to: part)
        try FileManager.default.moveItem(at: part, to: target)
        return .stored
    }
}

/// The code on uploading in the article `FromDeviceToAnalyst`.
@Suite struct UploadingArticle {
    private static func makeFolder() throws -> String {
        let folder = NSTemporaryDirectory() + "looptrail-uploading-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder
    }

    @Test func `what nobody takes waits, and the summary says why`() async throws {
        let folder = try Self.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // Port 9 is the discard service, which nobody runs.
        let address = "http://127.0.0.1:9/in/"
        let writer = try EventFileWriter(folder: folder)
        let destination = try HTTPDestination(address: address, headers: { ["Authorization": "Bearer \(await token())"] })
        let uploader = SegmentUploader(
            writer, to: destination, shouldUpload: { isOnline() },
            onUpload: { outcome in
                if case .refused(let error) = outcome.result { log("\(outcome.segment ?? "the folder"): \(error)") }
            })
        uploader.start()
        Tracker(to: writer, user: "u1").track(.event("order_placed"))
        let summary = try await uploader.uploadNow()
        if summary.waiting > 0 { log("\(summary.waiting) files wait: \(summary.error.map { "\($0)" } ?? "the server asked for a pause")") }
        #expect(summary.waiting == 1 && summary.sent == 0)
        await uploader.stop()
        try await writer.close()
    }

    /// The code of `Dashboards/collect`; `Tools/conformance/collect.py` uploads to such servers.
    @Test func `a server with a token, and a store whose addresses a service signs`() throws {
        struct Backend { func address(for method: UploadMethod, _ name: String) async throws -> URL? { nil } }
        let backend = Backend()
        do {
            let destination = try HTTPDestination(
                address: "https://collect.example.org/in/", headers: { ["Authorization": "Bearer change-me"] })
            _ = SegmentUploader(folder: "events", to: destination)
        }
        do {
            let destination = HTTPDestination(addresses: { method, name in try await backend.address(for: method, name) })
            _ = SegmentUploader(folder: "events", to: destination)
        }
    }

    @Test func `a destination of one's own takes each segment once`() async throws {
        let (folder, place) = (try Self.makeFolder(), try Self.makeFolder())
        defer { for path in [folder, place] { try? FileManager.default.removeItem(atPath: path) } }
        let writer = try EventFileWriter(folder: folder)
        let uploader = SegmentUploader(writer, to: FolderDestination(folder: URL(fileURLWithPath: place)))
        for _ in 1...2 {
            Tracker(to: writer, user: "u1").track(.event("order_placed"))
            #expect(try await uploader.uploadNow().sent == 1)
        }
        try await writer.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).count == 2)
    }
}
