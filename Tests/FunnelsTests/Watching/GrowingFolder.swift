import Foundation
import Testing

/// A folder for one test whose files grow. Releasing the object removes the folder.
final class GrowingFolder {
    let path = NSTemporaryDirectory() + "looptrail-tail-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func append(_ bytes: [UInt8], to name: String) throws {
        let path = "\(path)/\(name)"
        if !FileManager.default.fileExists(atPath: path) { #expect(FileManager.default.createFile(atPath: path, contents: nil)) }
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    func append(_ text: String, to name: String) throws { try append(Array(text.utf8), to: name) }
    func append(lines: [String], to name: String) throws { try append(lines.map { $0 + "\n" }.joined(), to: name) }

    func rename(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: "\(path)/\(name)", toPath: "\(path)/\(other)")
    }
}
