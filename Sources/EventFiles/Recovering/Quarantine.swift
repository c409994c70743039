import Basics
import TrackingEvents

/// The folder `.quarantine/`, where bytes go that recovery cannot read, each run in a file `<segment>.<offset>.torn`. Of a ring that
/// cannot be trusted all is kept, as `<ring>.0.torn`.
///
/// It holds at most a number of bytes: the oldest files make place for new ones, and of a run that is larger than all of it the
/// beginning is kept.
struct Quarantine {
    static let folderName = ".quarantine"
    static let suffix = ".torn"

    let folder: EventFolder
    /// Bytes.
    let limit: Int64

    /// Keeps runs of a file's bytes, synced when this returns; says how many bytes of them it keeps.
    func keep(_ runs: [ByteRun], of file: FileDescriptor, named name: String) throws(FileSystemError) -> Int64 {
        if limit <= 0 { return 0 }
        let inside = try folder.madeFolder(Self.folderName)
        var kept: Int64 = 0
        for run in runs {
            let run = ByteRun(offset: run.offset, bytes: min(run.bytes, limit - kept))
            if run.bytes == 0 { break }
            try keep(run, of: file, as: "\(name).\(run.offset)\(Self.suffix)", in: inside)
            kept += run.bytes
        }
        try inside.synchronize()
        try makeRoom(in: inside, keeping: "\(name).")
        return kept
    }

    private func keep(_ run: ByteRun, of file: FileDescriptor, as name: String, in inside: EventFolder) throws(FileSystemError) {
        // What stands there is from a recovery that was killed.
        try inside.remove(name)
        let copy = try inside.create(name)
        defer { inside.fileSystem.close(copy) }
        try inside.fileSystem.copy(run, of: file, to: copy, at: 0)
        try inside.synchronize(copy, named: name)
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
