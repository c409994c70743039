import Basics

/// Writes members into the active segment, and makes, seals and publishes segments. One thread at a time.
///
/// Every step can fail and be tried again: the writer remembers which steps are done, and cuts off what was half written.
final class SegmentWriter {
    struct Active {
        let name: SegmentName
        let file: FileDescriptor
        let inode: UInt64
        let createdAt: Int64
        /// The end of the last whole member.
        var offset: Int64 = 0
        var members = 0
        /// Members with more than half of the raw bytes that fit into one.
        var largeMembers = 0
        var events = 0
        /// Bytes beyond `offset` may be there from a write that failed.
        var needsCut = false
        var isUnsynced = false
        /// What the last sync brought to the storage: bytes, and events in them.
        var synced: (bytes: Int64, events: Int) = (0, 0)
        /// A sync is under way or has failed. After a failure the system may have forgotten which bytes the storage lacks.
        var isSyncInDoubt = false
        /// What was written since the last sync cannot be read back, and is lost.
        var isSpoiled = false
        /// The end member is written: nothing may follow.
        var isEnded = false
        /// The file has its published name, and may still have its `.open` name, too.
        var isPublished = false
    }

    let folder: EventFolder
    private let context: WriterContext
    private let main: EventFolder?
    /// The `<writer>` in the names of new segments, as a number (``SegmentName``).
    var writer: UInt64
    private(set) var lastNumber: Int64 = 0
    private let deflater: BGZFDeflater
    private let output = ByteBuffer(capacity: BGZF.memberLimit)
    var active: Active?
    private var isFolderUnsynced = false
    /// A rotation is due and has not succeeded yet.
    var mustSeal = false
    /// The segments to remove after the seal under way; `nil` until they are chosen.
    var doomed: [FileExpiry.Doomed]?

    /// `main` is the folder to which the segments may be moved later.
    init(folder: EventFolder, above main: EventFolder? = nil, context: WriterContext, writer: UInt64) {
        (self.folder, self.main, self.context, self.writer) = (folder, main, context, writer)
        deflater = BGZFDeflater(level: Int32(min(max(context.options.compressionLevel, 1), 9)))
    }

    private var options: EventFileWriterOptions { context.options }

    var isFull: Bool { active.map { $0.offset >= options.segmentBytes } ?? false }

    var rotateAt: Int64? { active.map { $0.createdAt.addingClamped(options.rotateAge.clampedNanoseconds) } }

    var isSealing: Bool { active?.isEnded ?? false }

    var needsHead: Bool { active.map { $0.members == 0 } ?? true }

    /// Writes one member into the active segment, and makes a segment first where there is none. A `head` goes before the member, in one of
    /// its own. Calls `willWrite` right before the member is written at ``Active/offset``; says how many compressed bytes were written.
    func append(
        _ raw: UnsafeBufferPointer<UInt8>, events: Int, head: ByteBuffer?, willWrite: (Active) -> Void
    ) throws(EventFileError) -> Int {
        if active == nil {
            let (name, file) = try folder.createSegment(
                stem: options.stem, contents: options.contents, writer: writer, after: lastNumber, above: main)
            lastNumber = name.number
            // If the inode is unknown, 0 is noted. No file has it, so a recovery compares the text of lines.
            let inode = (try? folder.status(of: file, named: name.open))?.inode ?? 0
            active = Active(name: name, file: file, inode: inode, createdAt: context.clock.nanoseconds)
            isFolderUnsynced = true
        }
        return try storing { () throws(FileSystemError) in
            let headBytes = try head.map { head throws(FileSystemError) in try appendMember(of: head.bytes) } ?? 0
            try cutBack()
            if let active { willWrite(active) }
            let bytes = try appendMember(of: raw)
            active?.events += events
            return headBytes + bytes
        }
    }

    private func appendMember(of raw: UnsafeBufferPointer<UInt8>) throws(FileSystemError) -> Int {
        output.removeAll()
        deflater.appendMember(of: raw, to: output)
        try appendBytes(output.raw)
        active?.members += 1
        if raw.count > BGZF.rawLimit / 2 { active?.largeMembers += 1 }
        return output.count
    }

    /// Writes behind the last good byte; where that fails, the file is cut back to it.
    private func appendBytes(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        guard let segment = active else { return }
        try cutBack()
        do throws(FileSystemError) {
            try folder.fileSystem.writeAll(bytes, to: segment.file, at: segment.offset)
        } catch {
            active?.needsCut = true
            try? cutBack()
            throw error.naming(segment.name.open)
        }
        active?.offset += Int64(bytes.count)
        active?.isUnsynced = true
    }

    private func cutBack() throws(FileSystemError) {
        guard let segment = active, segment.needsCut else { return }
        try folder.call(segment.name.open, folder.fileSystem.truncate(segment.file, to: segment.offset))
        active?.needsCut = false
    }

    /// Syncs what is written, and the file's name.
    func synchronize() throws(EventFileError) {
        try storing { () throws(FileSystemError) in
            try synchronizeFile()
            try synchronizeFolder()
        }
    }

    private func synchronizeFile() throws(FileSystemError) {
        guard let segment = active, segment.isUnsynced else { return }
        if segment.isSyncInDoubt { try rewrite(segment) }
        active?.isSyncInDoubt = true
        try folder.synchronize(segment.file, named: segment.name.open)
        active?.isUnsynced = false
        active?.isSyncInDoubt = false
        active?.synced = (segment.offset, segment.events)
    }

    private func synchronizeFolder() throws(FileSystemError) {
        if isFolderUnsynced { try folder.synchronize() }
        isFolderUnsynced = false
    }

    /// Finishes the active segment: end member, sync, publish, sync of the folder, and only then the release of the lock.
    ///
    /// A segment without a member is removed. After a failure, the next call continues. Says whether a segment was published.
    func seal() throws(EventFileError) -> Bool {
        guard let segment = active else { return false }
        if segment.isSpoiled {
            // A later writer adopts its whole members.
            closeActive()
            throw .segmentLost(name: segment.name.open, events: segment.events - segment.synced.events)
        }
        let hasName = try storing { () throws(FileSystemError) in
            let hasName = segment.isPublished ? true : try hasItsName(segment)
            if hasName { try finish(segment) }
            return hasName
        }
        closeActive()
        if hasName { return segment.members > 0 }
        throw .segmentLost(name: segment.name.open, events: segment.events)
    }

    private func finish(_ segment: Active) throws(FileSystemError) {
        if segment.members == 0 { return try folder.remove(segment.name.open) }
        if !segment.isEnded {
            output.removeAll()
            output.append(BGZF.endMember)
            try appendBytes(output.raw)
            active?.isEnded = true
        }
        try synchronizeFile()
        if !segment.isPublished {
            try publish(segment)
            active?.isPublished = true
            isFolderUnsynced = true
        }
        try synchronizeFolder()
        // After a repack the old file stays beside the new one until the new name is synced.
        if try folder.status(segment.name.open) != nil {
            try folder.remove(segment.name.open)
            try folder.synchronize()
        }
    }

    /// Whether somebody removed the active segment's name, or gave it to another file.
    var isLost: Bool {
        get throws(EventFileError) {
            guard let segment = active, !segment.isPublished else { return false }
            return try storing { () throws(FileSystemError) in try !hasItsName(segment) }
        }
    }

    private func hasItsName(_ segment: Active) throws(FileSystemError) -> Bool {
        let file = try folder.status(of: segment.file, named: segment.name.open)
        return try folder.status(segment.name.open)?.isSameFile(as: file) == true
    }

    private func publish(_ segment: Active) throws(FileSystemError) {
        if let level = options.repackLevel, segment.largeMembers * 2 < segment.members {
            // A repack needs room on the disk. Where it fails, the file is published as it is.
            do throws(FileSystemError) {
                if try repack(segment, level: Int32(min(max(level, 1), 9))) { return }
            } catch {
                if try folder.status(segment.name.sealed) != nil { throw error }
            }
        }
        try folder.publish(segment.name.open, as: segment.name)
    }

    /// Packs small members, which timed flushes leave, into a file of full ones, and publishes that; `false` if one cannot be read.
    private func repack(_ segment: Active, level: Int32) throws(FileSystemError) -> Bool {
        let scan = SegmentScan(segment.file, size: segment.offset, on: folder.fileSystem)
        return try folder.makeSegment(segment.name, level: level) { packer throws(FileSystemError) in
            try scan.forEachMember { lines throws(FileSystemError) in try packer.append(lines: lines) }
        }
    }

    /// Reads every member back, and writes once more what was written since the last successful sync: after a failed one Linux counts the
    /// bytes as stored, see `fsync(2)`. If a member cannot be read back, no event may follow it: the next seal reports the loss.
    private func rewrite(_ segment: Active) throws(FileSystemError) {
        let scan = SegmentScan(segment.file, size: segment.offset, contents: segment.name.contents, on: folder.fileSystem)
        if try !scan.forEachMember() {
            active?.isSpoiled = true
            mustSeal = true
            throw FileSystemError(.read, errno: EIO, path: segment.name.open)
        }
        let run = ByteRun(offset: segment.synced.bytes, bytes: segment.offset - segment.synced.bytes)
        try folder.fileSystem.copy(run, of: segment.file, to: segment.file, at: run.offset)
    }

    /// Closes the active segment as it is, for a later writer to adopt.
    func abandon() {
        try? cutBack()
        closeActive()
    }

    func letGo() {
        closeActive()
        mustSeal = false
        doomed = nil
    }

    private func closeActive() { if let segment = active.take() { folder.fileSystem.close(segment.file) } }
}
