import EventFiles
import Foundation
import LoopTesting
import LoopTracking
import Testing
import TrackingEvents

/// The code of the article on the format and the contract.
@Suite struct FormatAndContractArticle {
    @Test("a flush throws where the file system below the writer fails")
    func failingFileSystem() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("looptrail-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let files = FaultyFileSystem { call in call.kind == .write && call.number > 100 ? .fail(ENOSPC) : nil }
        let writer = try EventFileWriter(folder: path, fileSystem: files.fileSystem)
        let tracker = Tracker(to: writer)
        tracker.track(.event("cart_added"))
        try await writer.flush()
        while files.calls.count <= 100 {
            tracker.track(.event("cart_added"))
            do { try await writer.flush() } catch { break }
        }
        tracker.track(.event("paid"))
        await #expect(throws: (any Error).self) { try await writer.flush() }
        #expect(files.calls.contains { $0.kind == .write && $0.number > 100 })
    }
}
