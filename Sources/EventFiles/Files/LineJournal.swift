import Basics

/// A small file of lines that one process appends to and the next one reads after a kill.
///
/// What follows the last line feed was being written when its process was killed: it does not count, and the next line replaces it.
struct LineJournal {
    /// Nothing of ours gets so large: a longer journal is an error, and nothing is written over it.
    static let maxBytes: Int64 = 16 * 1_048_576

    let name: String
    /// Open for reading and writing, until ``close()``.
    let file: FileDescriptor
    let folder: EventFolder
    private(set) var offset: Int64 = 0

    func close() { folder.fileSystem.close(file) }

    /// The whole lines. Lines are appended behind them from now on.
    mutating func read() throws(FileSystemError) -> [String] {
        let size = try folder.status(of: file, named: name).bytes
        if size == 0 { return [] }
        if size > Self.maxBytes { throw FileSystemError(.read, errno: EFBIG, path: FilePath(folder: folder.path, name: name).text) }
        let bytes = ByteBuffer(capacity: Int(size))
        _ = try folder.call(name, folder.fileSystem.append(of: file, at: 0, to: bytes))
        let feed = UInt8(ascii: "\n")
        return withExtendedLifetime(bytes) {
            guard let last = bytes.bytes.lastIndex(of: feed) else { return [] }
            offset = Int64(last) + 1
            return bytes.bytes[...last].split(separator: feed).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// - Parameter lines: each with its line feed.
    mutating func append(_ lines: String) throws(FileSystemError) {
        let bytes = ByteBuffer(capacity: lines.utf8.count)
        bytes.append(lines.utf8)
        try folder.call(name, folder.fileSystem.writeAll(bytes.raw, to: file, at: offset))
        offset += Int64(bytes.count)
    }

    func synchronize() throws(FileSystemError) { try folder.synchronize(file, named: name) }

    /// A journal that replaces another one. It is written and synced under a hidden name before it gets the other's name.
    static func replacing(
        _ name: String, through newName: String, with text: String, in folder: EventFolder
    ) throws(FileSystemError) -> LineJournal {
        try folder.remove(newName)
        // Locked before it has the name, so that nobody comes in between.
        guard let new = try folder.createLocked(newName) else { throw FileSystemError(.create, errno: EEXIST, path: newName) }
        var journal = LineJournal(name: name, file: new, folder: folder)
        do throws(FileSystemError) {
            try journal.append(text)
            try journal.synchronize()
            try folder.rename(newName, to: name)
        } catch {
            journal.close()
            try? folder.remove(newName)
            throw error
        }
        return journal
    }

    mutating func removeAll() throws(FileSystemError) {
        try folder.call(name, folder.fileSystem.truncate(file, to: 0))
        offset = 0
    }
}
