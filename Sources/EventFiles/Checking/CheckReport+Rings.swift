#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Basics

extension CheckReport.Ring {
    /// The rings with lines in a folder. They are looked at and left as they are: what is in one changes while its writer is at work, and
    /// one that cannot be read is a recovery's business.
    static func all(inside folder: String, on fileSystem: any FileSystem) throws(EventFileReadError) -> [CheckReport.Ring] {
        var names: [String] = []
        do throws(FileSystemError) {
            let opened = try fileSystem.retrying { () throws(FileSystemError) in try fileSystem.openFolder(atPath: folder) }
            let inside = EventFolder(fileSystem: fileSystem, descriptor: opened, path: folder)
            defer { inside.close() }
            for name in try inside.names() where SegmentName.parse(name)?.state == .ring {
                if try inside.status(name)?.kind == .regular { names.append(name) }
            }
        } catch {
            // A folder that was named by a link, or that is gone: its files were listed all the same.
            if [ENOENT, ENOTDIR, ELOOP].contains(error.errno) { return [] }
            throw EventFileReadError(error.naming(folder))
        }
        return names.sorted().compactMap { name in
            let path = FilePath(folder: folder, name: name).text
            guard let ring = try? RingContents.read(path, on: fileSystem), !ring.lines.isEmpty else { return nil }
            return CheckReport.Ring(path: path, lines: ring.lines.count)
        }
    }
}

extension RingContents {
    /// - Returns: `nil` if no ring stands there.
    fileprivate static func read(_ path: String, on fileSystem: any FileSystem) throws(FileSystemError) -> RingContents? {
        let file = try fileSystem.openToRead(atPath: path)
        defer { fileSystem.close(file) }
        let status = try fileSystem.status(of: file)
        guard status.kind == .regular, let bytes = try RingContents.bytes(of: file, status, on: fileSystem) else { return nil }
        return try? RingContents(bytes.raw, inode: status.inode)
    }
}
