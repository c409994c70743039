import Basics
import TrackingEvents

/// Replaces one finished segment by one without a person's lines. Each step leaves a state that the next run knows.
struct ForgetRewriting {
    let folder: EventFolder

    private var fileSystem: any FileSystem { folder.fileSystem }

    /// The name of the file that takes the others' lines. It follows from the old one, so that a second run finds what a killed one has published;
    /// its digits are as random as those of a writer.
    static func replacement(of name: SegmentName) -> SegmentName {
        let digest = SHA256.digest(of: Array("forgotten in \(name.sealed)".utf8))
        let digits = (0..<8).reduce(UInt64(0)) { $0 << 8 | UInt64(digest[$1]) }
        return SegmentName(stem: name.stem, writer: digits, number: name.number, contents: name.contents)
    }

    /// Whether a run was killed after it had published the others' lines, and before the old name became a tombstone.
    func isHalfDone(_ fileName: String) throws(FileSystemError) -> Bool {
        guard let (name, state) = SegmentName.parse(fileName), state == .sealed else { return false }
        guard try folder.status(Self.replacement(of: name).sealed)?.kind == .regular else { return false }
        return try folder.status(fileName).map { $0.bytes != Int64(BGZF.endMember.count) } ?? false
    }

    /// - Parameters:
    ///   - isHalfDone: whether the others' lines are published already.
    ///   - note: what the `dropped` line says.
    func replace(
        _ path: FilePath, _ found: ForgetSurvey.File, of person: PersonIDs, isHalfDone: Bool, note: DropTally, clock: WallClock,
        random: inout SeededRandom
    ) throws -> ForgetResult.Outcome {
        guard let (name, _) = SegmentName.parse(path.name) else { return .refused(.notASegment) }
        let new = Self.replacement(of: name)
        let hasOthers = isHalfDone || found.lines < found.allLines
        if hasOthers, !isHalfDone {
            guard try publishOthers(of: path, found, without: person, as: new, note: note, clock: clock, random: &random) else {
                return .refused(.changed)
            }
        }
        // The new name must be safe before the old content goes.
        try folder.synchronize()
        try bury(name)
        for sidecar in SegmentName.Sidecar.allCases { try folder.remove(name.sidecar(sidecar)) }
        try folder.synchronize()
        return hasOthers ? .replaced(by: new.sealed) : .emptied
    }

    /// - Returns: `false` if the file is not what it was.
    private func publishOthers(
        of path: FilePath, _ found: ForgetSurvey.File, without person: PersonIDs, as new: SegmentName, note: DropTally, clock: WallClock,
        random: inout SeededRandom
    ) throws -> Bool {
        let file = try makeTemporary(new, like: path.name)
        defer { fileSystem.close(file) }
        do {
            var packer = MemberPacker(file: file, level: 6, fileSystem: fileSystem)
            var removed = 0
            let scanner = EventLineScanner()
            let scratch = ByteBuffer(capacity: 64)
            let whole = ByteBuffer(capacity: 1024)
            let reader = try EventFileReader(paths: [path.text], fileSystem: fileSystem)
            let report = try reader.forEachLine { line in
                if let head = try? scanner.scan(line), person.isOf(line, head, scratch: scratch) {
                    removed += 1
                    return
                }
                whole.removeAll()
                whole.append(line)
                whole.append(UInt8(ascii: "\n"))
                try packer.append(lines: whole.bytes)
            }
            guard removed == found.lines, report.lines == found.allLines, report.damagedMembers == 0 else {
                try folder.remove(new.temporary)
                return false
            }
            let line = note.line(time: clock.milliseconds, random: &random)
            try withExtendedLifetime(line) { () throws(FileSystemError) in try packer.append(lines: line.bytes) }
            try packer.finish()
            try folder.call(new.temporary) { files throws(FileSystemError) in try files.synchronize(file) }
            try folder.publish(new.temporary, as: new)
        } catch {
            try? folder.remove(new.temporary)
            throw error
        }
        return true
    }

    /// Makes the old name lead to an empty sealed file.
    private func bury(_ name: SegmentName) throws(FileSystemError) {
        let file = try makeTemporary(name, like: name.sealed)
        defer { fileSystem.close(file) }
        do throws(FileSystemError) {
            let end = ByteBuffer(capacity: BGZF.endMember.count)
            end.append(BGZF.endMember)
            try fileSystem.writeAll(end.raw, to: file, at: 0)
            try folder.call(name.temporary) { files throws(FileSystemError) in try files.synchronize(file) }
            try folder.call(name.sealed) { files throws(FileSystemError) in
                try files.rename(name.temporary, to: name.sealed, in: folder.descriptor)
            }
        } catch {
            try? folder.remove(name.temporary)
            throw error
        }
    }

    /// Makes a hidden, locked file that the same people may read as the old one.
    private func makeTemporary(_ name: SegmentName, like old: String) throws(FileSystemError) -> FileDescriptor {
        let file = try makeTemporary(name)
        // Other file systems have their own idea of owners, and their descriptors are no descriptors of this process.
        if fileSystem is PosixFileSystem {
            var status = stat()
            if fstatat(folder.descriptor.rawValue, old, &status, AT_SYMLINK_NOFOLLOW) == 0 {
                // Only root may give a file away. Whoever is not keeps what they may keep.
                _ = fchown(file.rawValue, status.st_uid, status.st_gid)
                _ = fchmod(file.rawValue, status.st_mode & 0o777)
            }
        }
        return file
    }

    /// Makes a hidden, locked file; one that a killed run left goes first.
    private func makeTemporary(_ name: SegmentName) throws(FileSystemError) -> FileDescriptor {
        if let file = try folder.createLocked(name.temporary) { return file }
        if case .taken(let old, _) = try folder.takeOver(name.temporary) {
            defer { fileSystem.close(old) }
            try folder.remove(name.temporary)
            if let file = try folder.createLocked(name.temporary) { return file }
        }
        throw FileSystemError(.create, errno: EEXIST, path: name.temporary)
    }
}
