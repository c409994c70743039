import Basics

/// A small file of lines that one process appends to and the next one reads after a kill.
///
/// Bytes after the last line feed are a line that a killed process did not finish: they do not count, and the next line replaces them.
/// After a power loss a line may be cut, and still end with a line feed of ``removeAll()``. So callers check that a named file exists.
struct LineJournal {
    /// No journal grows so long: ``read()`` throws `EFBIG` for a longer file, so that nothing is written over it.
    static let maxBytes: Int64 = 16 * 1_048_576

    let name: String
    /// Open for reading and writing, until ``close()``.
    let file: FileDescriptor
    let folder: EventFolder
    private(set) var offset: Int64 = 0

    func close() { folder.fileSystem.close(file) }

    /// Reads the whole lines. From now on lines are appended after them, over the blank lines of ``removeAll()``.
    mutating func read() throws(FileSystemError) -> [String] {
        let size = try folder.status(of: file, named: name).bytes
        if size == 0 { return [] }
        if size > Self.maxBytes { throw FileSystemError(.read, errno: EFBIG, path: FilePath(folder: folder.path, name: name).text) }
        let bytes = ByteBuffer(capacity: Int(size))
        _ = try folder.call(name, folder.fileSystem.append(of: file, at: 0, to: bytes))
        let feed = UInt8(ascii: "\n")
        return withExtendedLifetime(bytes) {
            let whole = bytes.bytes[..<(bytes.bytes.lastIndex(of: feed) ?? 0)]
            guard let last = whole.lastIndex(where: { $0 != feed }) else { return [] }
            offset = Int64(last) + 2
            return whole[...last].split(separator: feed).map { String(decoding: $0, as: UTF8.self) }
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

    /// Makes a journal that replaces another one. It is written and synced under `newName` before it gets the other's name.
    static func replacing(
        _ name: String, through newName: String, with text: String, in folder: EventFolder
    ) throws(FileSystemError) -> LineJournal {
        try folder.remove(newName)
        // Locked before it has the name, so that nobody else can take its lock.
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

    /// Makes all lines blank. The file stays as long as it is, so that the next lines have room on a full disk.
    mutating func removeAll() throws(FileSystemError) {
        let blank = ByteBuffer(capacity: Int(offset))
        blank.append(repeatElement(UInt8(ascii: "\n"), count: Int(offset)))
        try folder.call(name, folder.fileSystem.writeAll(blank.raw, to: file, at: 0))
        offset = 0
    }
}
