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

extension CheckResult.Ring {
    /// The rings with lines in a folder.
    static func all(inside folder: String, on fileSystem: any FileSystem) throws(EventFileReadError) -> [CheckResult.Ring] {
        try RingContents.all(inside: folder, on: fileSystem).compactMap { path, contents in
            guard let contents, !contents.lines.isEmpty else { return nil }
            return CheckResult.Ring(path: path, lines: contents.lines.count)
        }
    }
}

extension CheckResult {
    /// The last segment of each writer among some files; others are left out.
    static func lastSegments(among paths: [String]) -> [LastSegment] {
        var last: [String: (number: Int64, segment: LastSegment)] = [:]
        for path in paths {
            guard let (name, state) = SegmentName.parse(FilePath(path).name), name.contents == .events, state == .open || state == .sealed
            else { continue }
            if let known = last[name.writerName], known.number >= name.number { continue }
            last[name.writerName] = (name.number, LastSegment(writer: name.writerName, path: path, isOpen: state == .open))
        }
        return last.values.map(\.segment).sorted { $0.writer < $1.writer }
    }
}
