/// The folder `.quarantine/`, for bytes that recovery cannot read: each run in `<segment>.<offset>.torn`, a whole ring in `<ring>.0.torn`.
///
/// It holds ``limit`` bytes at most: the oldest files make room for new ones, and a run that is too large keeps only its beginning.
struct Quarantine {
    static let folderName = ".quarantine"
    static let suffix = ".torn"

    let folder: EventFolder
    let limit: Int64

    /// Keeps runs of a file's bytes, synced when this returns; says how many bytes it has kept.
    func keep(_ runs: [ByteRun], of file: FileDescriptor, named name: String) throws(FileSystemError) -> Int64 {
        if limit <= 0 { return 0 }
        let inside = try folder.madeFolder(Self.folderName)
        var kept: Int64 = 0
        for run in runs {
            let run = ByteRun(offset: run.offset, bytes: min(run.bytes, limit - kept))
            if run.bytes == 0 { break }
            let copyName = "\(name).\(run.offset)\(Self.suffix)"
            // A file with this name is from a recovery that was killed.
            try inside.remove(copyName)
            let copy = try inside.create(copyName)
            defer { inside.fileSystem.close(copy) }
            try inside.fileSystem.copy(run, of: file, to: copy, at: 0)
            try inside.synchronize(copy, named: copyName)
            kept += run.bytes
        }
        try inside.synchronize()
        try makeRoom(in: inside, keeping: "\(name).")
        return kept
    }

    /// Removes the oldest files beyond the limit, never those of the segment under recovery.
    private func makeRoom(in inside: EventFolder, keeping prefix: String) throws(FileSystemError) {
        var files = try inside.regularFiles { $0.hasSuffix(Self.suffix) }
        files.sort { ($0.status.modifiedMilliseconds, $0.name) < ($1.status.modifiedMilliseconds, $1.name) }
        var bytes = files.reduce(0) { $0 + $1.status.bytes }
        for file in files where bytes > limit && !file.name.hasPrefix(prefix) {
            try inside.remove(file.name)
            bytes -= file.status.bytes
        }
    }
}
