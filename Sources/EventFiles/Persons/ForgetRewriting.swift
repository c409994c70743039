import Basics
import TrackingEvents

/// Replaces one sealed segment by one without a person's lines. Each step leaves a state that the next run knows.
struct ForgetRewriting {
    let folder: EventFolder
    let path: FilePath
    let found: ForgetSurvey.File
    /// What the `dropped` line says.
    let note: DropTally

    private var fileSystem: any FileSystem { folder.fileSystem }
    private var name: SegmentName? { SegmentName.parse(path.name)?.name }

    /// The name of the file for everybody else's lines. It follows from the old name: so a second run finds what a killed run published.
    static func replacement(of name: SegmentName) -> SegmentName {
        let digest = SHA256.digest(of: Array("forgotten in \(name.sealed)".utf8))
        let digits = (0..<8).reduce(UInt64(0)) { $0 << 8 | UInt64(digest[$1]) }
        return SegmentName(stem: name.stem, writer: digits, number: name.number, contents: name.contents)
    }

    /// Whether a run was killed after it had published everybody else's lines, and before the old name became a tombstone.
    var isHalfDone: Bool {
        get throws(FileSystemError) {
            guard let name, name.sealed == path.name, try folder.isFile(Self.replacement(of: name).sealed) else { return false }
            return try folder.status(path.name).map { $0.bytes != Int64(BGZF.endMember.count) } ?? false
        }
    }

    var outcome: ForgetResult.Outcome {
        get throws(FileSystemError) {
            guard let name else { return .refused(.notASegment) }
            // A session that others share has a gap, which only a line explains.
            let hasLines = found.lines < found.allLines || !note.sessions.isEmpty
            return try isHalfDone || hasLines ? .replaced(by: Self.replacement(of: name).sealed) : .emptied
        }
    }

    /// Takes the person's lines out, adds a `dropped` line, and removes the names of the person's sessions from everybody else's lines.
    func replace(
        _ person: PersonIDs, sessions: Set<Fingerprint>, clock: WallClock, random: inout SeededRandom
    ) throws -> ForgetResult.Outcome {
        let outcome = try outcome
        guard let name else { return outcome }
        if case .replaced = outcome, try !isHalfDone {
            let isSame = try publishOthers(as: Self.replacement(of: name), person, sessions) {
                note.isEmpty ? nil : note.line(time: clock.milliseconds, random: &random)
            }
            if !isSame { return .refused(.changed) }
        }
        // The new name must be safe before the old content goes.
        try folder.synchronize()
        try bury(name)
        try folder.remove(name.summary)
        try folder.synchronize()
        return outcome
    }

    /// - Returns: `false` if the file is not what it was.
    private func publishOthers(
        as new: SegmentName, _ person: PersonIDs, _ sessions: Set<Fingerprint>, adding note: () -> ByteBuffer?
    ) throws -> Bool {
        let file = try makeTemporary(new, like: path.name)
        return try folder.making(new.temporary, file) {
            var packer = MemberPacker(file: file, level: 6, fileSystem: fileSystem)
            var removed = 0
            let scanner = EventLineScanner()
            let scratch = ByteBuffer(capacity: 64)
            let whole = ByteBuffer(capacity: 1024)
            let read = try EventFileReader(paths: [path.text], fileSystem: fileSystem).forEachLine { line in
                whole.removeAll()
                let head = try? scanner.scan(line)
                if let head, person.isOf(line, head, scratch: scratch) {
                    removed += 1
                    return
                }
                if let head, let session = PreviousSession.of(line, head, scratch: scratch), sessions.contains(session) {
                    whole.append(PreviousSession.removed(from: line, head))
                } else {
                    whole.append(line)
                }
                whole.append(UInt8(ascii: "\n"))
                try packer.append(lines: whole.bytes)
            }
            guard removed == found.lines, read.lines == found.allLines, read.damagedMembers == 0 else { return false }
            if let line = note() { try withExtendedLifetime(line) { () throws(FileSystemError) in try packer.append(lines: line.bytes) } }
            try packer.finish()
            try folder.synchronize(file, named: new.temporary)
            try folder.publish(new.temporary, as: new)
            return true
        }
    }

    private func bury(_ name: SegmentName) throws(FileSystemError) {
        let file = try makeTemporary(name, like: name.sealed)
        _ = try folder.making(name.temporary, file) { () throws(FileSystemError) in
            let end = ByteBuffer(capacity: BGZF.endMember.count)
            end.append(BGZF.endMember)
            try fileSystem.writeAll(end.raw, to: file, at: 0)
            try folder.synchronize(file, named: name.temporary)
            try folder.rename(name.temporary, to: name.sealed)
            return true
        }
    }

    /// Makes a hidden, locked file that the same people may read as the old one.
    private func makeTemporary(_ name: SegmentName, like old: String) throws(FileSystemError) -> FileDescriptor {
        guard let file = try folder.createHidden(name.temporary) else {
            throw FileSystemError(.create, errno: EEXIST, path: name.temporary)
        }
        fileSystem.copyAccess(of: old, in: folder.descriptor, to: file)
        return file
    }
}
