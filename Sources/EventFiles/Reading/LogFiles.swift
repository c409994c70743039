/// Reads the lines of log files: each named file, in a named folder all files with one stem, and the rings beside them, copies too.
package enum LogFiles {
    package struct Loss: Sendable {
        package let path: String
        /// How many parts are lost; `nil` for a ring that cannot be read.
        package let damaged: Int?
    }

    private struct Source {
        let file: InputFile
        /// The name of the writer; the path of the file if the file's name does not tell it.
        let writer: String
        /// `Int64.max` for a ring. If that cannot be read, ``ring`` is `nil`.
        var number: Int64 = 0
        var ring: RingContents?
    }

    /// Passes on each line without its line feed: writer by writer, the oldest of a folder first, in the order of their files. A path is a
    /// file, a folder, or `-` for standard input. A line in a ring may come twice. Returns the damaged files and rings, but no `.open` ones.
    ///
    /// - Parameter skipsLiving: whether to leave out, in folders, the files of writers that run.
    /// - Throws: ``EventFileReadError`` if a path leads nowhere, a folder holds no log file, or a file cannot be read; what `body` throws.
    package static func forEachLine(
        of paths: [String], stem: String, standardInput: Int32 = 0, skipsLiving: Bool = false,
        on fileSystem: any FileSystem = PosixFileSystem(), beginWriter: () -> Void, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> [Loss] {
        var losses: [Loss] = []
        var writer: String?
        for source in try sources(paths, stem, skipsLiving, on: fileSystem) {
            if source.writer != writer { beginWriter() }
            writer = source.writer
            if let ring = source.ring {
                for line in ring.lines {
                    try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(ring.bytes(of: line)).dropLast()))
                }
                continue
            }
            let path = source.file.path
            if source.number == .max {
                losses.append(Loss(path: path, damaged: nil))
                continue
            }
            var reader = EventFileReader([source.file], on: fileSystem)
            if source.file.wasNamed { reader = try EventFileReader(paths: [path], standardInput: standardInput, fileSystem: fileSystem) }
            let result = try reader.forEachLine(body)
            let damaged = result.damagedMembers + result.longLines
            if damaged > 0, !path.endsWithBytes(".open") { losses.append(Loss(path: path, damaged: damaged)) }
        }
        return losses
    }

    private static func sources(
        _ paths: [String], _ stem: String, _ skipsLiving: Bool, on fileSystem: any FileSystem
    ) throws(EventFileReadError) -> [Source] {
        var found: [Source] = []
        for path in paths {
            guard path != "-", try fileSystem.statusToRead(path)?.kind == .folder else {
                let (place, file) = (FilePath(path), InputFile(path: path))
                guard path != "-", let name = SegmentName.parse(place.name)?.name else {
                    found.append(Source(file: file, writer: path))
                    continue
                }
                found.append(Source(file: file, writer: name.writerName, number: name.number))
                // Its writer may have been killed.
                let beside = try rings(inside: place.folder, name.stem, on: fileSystem).filter { $0.writer == name.writerName }
                found += beside.filter { ring in !found.contains { $0.file.path == ring.file.path } }
                continue
            }
            let inside = try sources(inside: path, stem, skipsLiving, on: fileSystem)
            if inside.isEmpty { throw .noEventFiles(lookedAt: [path]) }
            found += inside
        }
        // Lines without an id belong to the head before them, of the same writer.
        let order = Dictionary(zip(found.map(\.writer), found.indices)) { first, _ in first }
        return found.sorted { (order[$0.writer] ?? 0, $0.number, $0.file.path) < (order[$1.writer] ?? 0, $1.number, $1.file.path) }
    }

    private static func rings(inside folder: String, _ stem: String, on files: any FileSystem) throws(EventFileReadError) -> [Source] {
        try RingContents.all(inside: folder, on: files, readsCopies: true).compactMap { path, ring in
            let name = SegmentName.parse(FilePath(path).name)?.name
            guard let name, name.stem == stem, ring?.lines.isEmpty != true else { return nil }
            return Source(file: InputFile(path: path), writer: name.writerName, number: .max, ring: ring)
        }
    }

    private static func sources(
        inside folder: String, _ stem: String, _ skipsLiving: Bool, on fileSystem: any FileSystem
    ) throws(EventFileReadError) -> [Source] {
        var segments: [SegmentName: SegmentName.State] = [:]
        var living: Set<String> = []
        try reading(folder) { () throws(FileSystemError) in
            let opened = try EventFolder.holding(FilePath(folder: folder, name: ""), on: fileSystem)
            let names = try opened.names()
            if skipsLiving { living = try opened.livingWriters(names, stem: stem) }
            for (_, segment, state) in SegmentName.parsed(names) where segment.stem == stem && segment.contents == .log {
                // A crash between two steps of sealing leaves both names; the sealed file has all lines.
                if state == .sealed || state == .open && segments[segment] == nil { segments[segment] = state }
            }
        }
        var found = segments.compactMap { segment, state -> Source? in
            let path = FilePath(folder: folder, name: state == .sealed ? segment.sealed : segment.open).text
            // To open a pipe could wait for ever.
            if let status = try? fileSystem.statusToRead(path), status.kind != .regular { return nil }
            let file = InputFile(path: path, wasNamed: false, sealedPath: path.droppingLastBytes(".open"))
            return Source(file: file, writer: segment.writerName, number: segment.number)
        }
        found += try rings(inside: folder, stem, on: fileSystem)
        // Numbers rise from writer to writer, so the writers come in the order in which they began.
        let first = Dictionary(found.map { ($0.writer, $0.number) }, uniquingKeysWith: min)
        return found.filter { !living.contains($0.writer) }
            .sorted { (first[$0.writer] ?? 0, $0.writer, $0.number) < (first[$1.writer] ?? 0, $1.writer, $1.number) }
    }
}
