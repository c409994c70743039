import EventFiles
import Foundation
import Testing

/// Makes a folder for events that no backup holds, and that can be written from the first unlock on.
func makeEventFolder(at path: String) throws {
    var folder = URL(fileURLWithPath: path, isDirectory: true)
    try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700, .protectionKey: FileProtectionType.completeUntilFirstUserAuthentication])
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    try folder.setResourceValues(values)
}

@Suite struct EventFilesPage {
    @Test func `a folder that is left out of backups takes a writer, made anew or there already`() async throws {
        let folder = NSTemporaryDirectory() + "looptrail-phone-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for _ in 1...2 {
            try makeEventFolder(at: folder)
            let writer = try EventFileWriter(folder: folder)
            try await writer.close()
        }
        #if canImport(Darwin)
        let values = try URL(fileURLWithPath: folder).resourceValues(forKeys: [.isExcludedFromBackupKey])
        #expect(values.isExcludedFromBackup == true)
        #endif
    }
}
