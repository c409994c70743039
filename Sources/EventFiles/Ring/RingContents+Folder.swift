import Basics

extension RingContents {
    /// The rings in a folder by path, with their contents at the moment; `nil` for a ring that cannot be read. Unused rings are left out.
    /// With `readsCopies`, copies of rings are read, too: for callers that recognise a line that comes twice.
    static func all(
        inside folder: String, on fileSystem: any FileSystem, readsCopies: Bool = false
    ) throws(EventFileReadError) -> [(path: String, contents: RingContents?)] {
        let names = try reading(folder) { () throws(FileSystemError) in
            // Somebody may have removed or replaced the folder after the caller had listed its files.
            try allowing([ENOENT, ENOTDIR, ELOOP]) { () throws(FileSystemError) -> [String] in
                let held = try EventFolder.holding(FilePath(folder: folder, name: ""), on: fileSystem)
                return try held.regularFiles { SegmentName.parse($0)?.state == .ring }.map(\.name)
            }
        }
        return (names ?? []).sorted().compactMap { name in
            let path = FilePath(folder: folder, name: name).text
            // The ring's writer may be at work, and change it while it is read.
            for _ in 0..<5 {
                do {
                    return (path, try read(path, isCopy: readsCopies, on: fileSystem))
                } catch {
                    if error as? Fault == .unused || (error as? FileSystemError)?.errno == ENOENT { return nil }
                }
            }
            return (path, nil)
        }
    }

    private static func read(_ path: String, isCopy: Bool, on fileSystem: any FileSystem) throws -> RingContents {
        let file = try fileSystem.openToRead(atPath: path)
        defer { fileSystem.close(file) }
        let status = try fileSystem.status(of: file)
        guard status.kind == .regular, let bytes = try bytes(of: file, status, on: fileSystem) else { throw Fault.notARing }
        return try withExtendedLifetime(bytes) { try RingContents(bytes.raw, inode: isCopy ? nil : status.inode) }
    }
}
