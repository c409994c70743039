import Basics
import TrackingEvents

/// Replaces one sealed segment by one without a person's lines. After a kill at any step, the next run goes on from there.
struct ForgetRewriting {
    let folder: EventFolder
    let path: FilePath
    let found: ForgetSurvey.File
    let note: DropTally

    private var fileSystem: any FileSystem { folder.fileSystem }
    private var name: SegmentName? { SegmentName.parse(path.name)?.name }
    /// Where everybody else's lines are, or will be.
    var published: FilePath? { name.map { FilePath(folder: path.folder, name: Self.replacement(of: $0).sealed) } }

    /// The name of the file for everybody else's lines. It follows from the old name: so a second run finds what a killed one published.
    static func replacement(of name: SegmentName) -> SegmentName {
        let digest = SHA256.digest(of: Array("forgotten in \(name.sealed)".utf8))
        let digits = (0..<8).reduce(UInt64(0)) { $0 << 8 | UInt64(digest[$1]) }
        return SegmentName(stem: name.stem, writer: digits, number: name.number, contents: name.contents)
    }

    /// Whether a run was killed after it had published everybody else's lines, and before the old name became a tombstone.
    static func isHalfDone(_ sealed: String, in folder: EventFolder) throws(FileSystemError) -> Bool {
        guard case (let name, .sealed)? = SegmentName.parse(sealed), try folder.isFile(replacement(of: name).sealed) else { return false }
        return try folder.status(sealed).map { $0.bytes != Int64(BGZF.endMember.count) } ?? false
    }

    var outcome: ForgetResult.Outcome {
        get throws(FileSystemError) {
            guard let name else { return .refused(.notASegment) }
            // A session with lines of others gets a gap, which only a `dropped` line explains.
            let hasLines = found.lines < found.allLines || !note.sessions.isEmpty
            return try Self.isHalfDone(path.name, in: folder) || hasLines ? .replaced(by: Self.replacement(of: name).sealed) : .emptied
        }
    }

    /// Removes the person's lines, adds a `dropped` line, and removes the names of `sessions` from everybody else's lines.
    ///
    /// The new file depends on no clock and on no chance: a copy of the old file becomes the same bytes elsewhere, or at another time.
    func replace(_ person: PersonIDs, sessions: Set<Fingerprint>) throws -> ForgetResult.Outcome {
        let outcome = try outcome
        guard let name else { return outcome }
        let isToPublish = try outcome != .emptied && !Self.isHalfDone(path.name, in: folder)
        if isToPublish, try !publishOthers(as: Self.replacement(of: name), person, sessions) { return .refused(.changed) }
        // The new name must be safe before the old content goes.
        try folder.synchronize()
        try bury(name)
        try folder.remove(name.summary)
        try folder.synchronize()
        return outcome
    }

    /// Whether the file that a killed run published still has everybody else's lines. `gone` are all that any run is forgetting.
    func isPublished(without gone: PersonIDs) throws -> Bool {
        guard var new = name.map(Self.replacement) else { return false }
        // Another person's forgetting may have replaced that file, too.
        while try folder.status(new.sealed)?.bytes == Int64(BGZF.endMember.count), try folder.isFile(Self.replacement(of: new).sealed) {
            new = Self.replacement(of: new)
        }
        let published = FilePath(folder: path.folder, name: new.sealed).text
        var kept: [Fingerprint: Int] = [:]
        // It was synced whole. If the old file is damaged by now, only a sound one shows that no line of others is lost.
        if try Self.lines(ofFileAt: published, on: fileSystem, { kept[.of($0), default: 0] += 1 }).damagedMembers > 0 { return false }
        func take(_ line: UnsafeRawBufferPointer) -> Bool {
            let line = Fingerprint.of(line)
            guard let count = kept[line], count > 0 else { return false }
            kept[line] = count - 1
            return true
        }
        var isWhole = true
        let (scanner, scratch) = (EventLineScanner(), ByteBuffer(capacity: 64))
        _ = try Self.lines(ofFileAt: path.text, on: fileSystem) { line in
            if take(line) { return }
            if let head = try? scanner.scan(line) {
                if gone.isOf(line, head, scratch: scratch) { return }
                let isNaming = PreviousSession.of(line, head, scratch: scratch) != nil
                if isNaming, PreviousSession.removed(from: line, head).withUnsafeBytes(take) { return }
            }
            isWhole = false
        }
        return isWhole
    }

    private static func lines(
        ofFileAt path: String, on files: any FileSystem, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> ReadResult { try EventFileReader([InputFile(path: path, wasNamed: false)], on: files).forEachLine(body) }

    /// - Returns: `false` if the file has changed since the survey.
    private func publishOthers(as new: SegmentName, _ person: PersonIDs, _ sessions: Set<Fingerprint>) throws -> Bool {
        let file = try makeTemporary(new, like: path.name)
        return try folder.making(new.temporary, file) {
            var packer = MemberPacker(file: file, level: 6, fileSystem: fileSystem)
            var (removed, lastTime) = (0, Int64(0))
            let (scanner, scratch, whole) = (EventLineScanner(), ByteBuffer(capacity: 64), ByteBuffer(capacity: 1024))
            let read = try Self.lines(ofFileAt: path.text, on: fileSystem) { line in
                whole.removeAll()
                let head = try? scanner.scan(line)
                lastTime = head?.timeMilliseconds ?? lastTime
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
            if !note.isEmpty {
                var random = SeededRandom(seed: UInt64(new.writer, radix: 16) ?? 0)
                let line = note.line(time: lastTime, random: &random)
                try withExtendedLifetime(line) { () throws(FileSystemError) in try packer.append(lines: line.bytes) }
            }
            try packer.finish()
            try folder.synchronize(file, named: new.temporary)
            try folder.publish(new.temporary, as: new)
            return true
        }
    }

    private func bury(_ name: SegmentName) throws(FileSystemError) {
        let file = try makeTemporary(name, like: name.sealed)
        _ = try folder.making(name.temporary, file) { () throws(FileSystemError) in
            var empty = MemberPacker(file: file, level: 6, fileSystem: fileSystem)
            try empty.finish()
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
