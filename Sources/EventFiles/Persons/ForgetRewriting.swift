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

    /// What is taken out of a file.
    struct Change {
        let path: FilePath
        let found: ForgetSurvey.File
        let person: PersonIDs
        /// The person's sessions that lines of others do not name any more.
        let sessions: Set<Fingerprint>
        /// What the `dropped` line says.
        let note: DropTally
    }

    /// - Parameter isHalfDone: whether the others' lines are published already.
    func replace(_ change: Change, isHalfDone: Bool, clock: WallClock, random: inout SeededRandom) throws -> ForgetResult.Outcome {
        guard let (name, _) = SegmentName.parse(change.path.name) else { return .refused(.notASegment) }
        let outcome = Self.outcome(of: name, change.found, isHalfDone: isHalfDone)
        if case .replaced = outcome, !isHalfDone {
            guard try publishOthers(change, as: Self.replacement(of: name), clock: clock, random: &random) else {
                return .refused(.changed)
            }
        }
        // The new name must be safe before the old content goes.
        try folder.synchronize()
        try bury(name)
        for sidecar in SegmentName.Sidecar.allCases { try folder.remove(name.sidecar(sidecar)) }
        try folder.synchronize()
        return outcome
    }

    /// What becomes of a file from which lines are taken.
    static func outcome(of name: SegmentName, _ found: ForgetSurvey.File, isHalfDone: Bool) -> ForgetResult.Outcome {
        isHalfDone || found.lines < found.allLines ? .replaced(by: replacement(of: name).sealed) : .emptied
    }

    /// - Returns: `false` if the file is not what it was.
    private func publishOthers(_ change: Change, as new: SegmentName, clock: WallClock, random: inout SeededRandom) throws -> Bool {
        let file = try makeTemporary(new, like: change.path.name)
        return try folder.making(new.temporary, file) {
            var packer = MemberPacker(file: file, level: 6, fileSystem: fileSystem)
            var removed = 0
            let scanner = EventLineScanner()
            let scratch = ByteBuffer(capacity: 64)
            let whole = ByteBuffer(capacity: 1024)
            let reader = try EventFileReader(paths: [change.path.text], fileSystem: fileSystem)
            let read = try reader.forEachLine { line in
                whole.removeAll()
                let head = try? scanner.scan(line)
                if let head, change.person.isOf(line, head, scratch: scratch) {
                    removed += 1
                    return
                }
                if let head, let session = PreviousSession.of(line, head, scratch: scratch), change.sessions.contains(session) {
                    whole.append(PreviousSession.removed(from: line, head))
                } else {
                    whole.append(line)
                }
                whole.append(UInt8(ascii: "\n"))
                try packer.append(lines: whole.bytes)
            }
            guard removed == change.found.lines, read.lines == change.found.allLines, read.damagedMembers == 0 else { return false }
            if !change.note.isEmpty {
                let line = change.note.line(time: clock.milliseconds, random: &random)
                try withExtendedLifetime(line) { () throws(FileSystemError) in try packer.append(lines: line.bytes) }
            }
            try packer.finish()
            try folder.synchronize(file, named: new.temporary)
            try folder.publish(new.temporary, as: new)
            return true
        }
    }

    /// Makes the old name lead to an empty sealed file.
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
