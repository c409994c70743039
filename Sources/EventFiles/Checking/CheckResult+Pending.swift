import Basics

extension CheckResult.Pending {
    /// The segments in `.pending` inside a folder; `nil` where there are none.
    init?(inside folder: String, on fileSystem: any FileSystem) throws(EventFileReadError) {
        path = FilePath(folder: folder, name: PendingFolder.name).text
        (files, bytes) = (0, 0)
        do throws(FileSystemError) {
            let opened = try fileSystem.retrying { () throws(FileSystemError) in try fileSystem.openFolder(atPath: path) }
            let inside = EventFolder(fileSystem: fileSystem, descriptor: opened, path: path)
            defer { inside.close() }
            for name in try inside.names() {
                guard let (_, state) = SegmentName.parse(name), state != .ring else { continue }
                guard let status = try inside.status(name), status.kind == .regular else { continue }
                files += 1
                bytes += status.bytes
            }
        } catch {
            // No such folder, or a link or a file of that name: nothing that a writer made.
            if [ENOENT, ENOTDIR, ELOOP].contains(error.errno) { return nil }
            throw EventFileReadError(error.naming(path))
        }
        if files == 0 { return nil }
    }
}
