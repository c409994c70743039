import Basics

extension EventFolder {
    /// The segments among some names that have their `.open` name, whether they are published or not.
    ///
    /// A published segment has both names until its writer, or a recovery after a kill, has removed the old file. Nobody takes the segment
    /// away before that: a recovery that found the old file alone would publish the same events again, packed differently.
    static func unfinished(_ names: [String]) -> Set<SegmentName> {
        Set(names.lazy.filter { $0.endsWithBytes(".open") }.compactMap { SegmentName.parse($0)?.name })
    }

    /// The writers, by ``SegmentName/writerName``, whose ring needs a recovery: nobody holds its lock, as a living writer would. A writer
    /// whose ring this process cannot open, such as another user's, counts, too: only that writer's segments wait.
    ///
    /// Expiry and uploads leave those writers' segments alone: after a killed recovery, they show the next one whether it added the lines.
    func writersWithOrphanedRing(_ names: [String]) throws(FileSystemError) -> Set<String> {
        var writers: Set<String> = []
        for (fileName, name, state) in SegmentName.parsed(names.filter(\.isHiddenName)) where state == .ring {
            if let known = try call(fileName, takeOver(fileName), allowing: EACCES, EPERM, EIO) {
                guard let (file, _) = known else { continue }
                fileSystem.close(file)
            }
            writers.insert(name.writerName)
        }
        return writers
    }

    /// The writers of a stem, by ``SegmentName/writerName``, that run or are being recovered: the lock of a segment or of the ring is held.
    func livingWriters(_ names: [String], stem: String) throws(FileSystemError) -> Set<String> {
        var writers: Set<String> = []
        for (fileName, name, state) in SegmentName.parsed(names) where name.stem == stem && (state == .open || state == .ring) {
            guard let known = try call(fileName, takeOver(fileName), allowing: EACCES, EPERM, EIO, EROFS) else { continue }
            if let (file, _) = known {
                fileSystem.close(file)
            } else if try status(fileName)?.kind == .regular {
                writers.insert(name.writerName)
            }
        }
        return writers
    }

    /// Syncs the segments under way and the rings of all other writers, living ones too, and then all names.
    ///
    /// A recovery syncs what it makes of killed writers' files. Until then a power loss could take what a durable flush has promised.
    ///
    /// - Parameter own: the writer whose files are left out, as in ``SegmentName/writerName``.
    func synchronizeUnfinished(but own: String) throws(FileSystemError) {
        for (fileName, name, state) in SegmentName.parsed(try names().sorted()) where state == .open || state == .ring {
            guard name.writerName != own, try status(fileName)?.kind == .regular else { continue }
            // The file may be published meanwhile, or belong to another user, whose events this process cannot make durable.
            let opened = try call(fileName, fileSystem.open(fileName, in: descriptor), allowing: ENOENT, ELOOP, EACCES, EPERM)
            guard let file = opened else { continue }
            defer { fileSystem.close(file) }
            try synchronize(file, named: fileName)
        }
        try synchronize()
    }
}
