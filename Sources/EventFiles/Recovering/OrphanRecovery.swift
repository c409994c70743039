import Basics
import TrackingEvents

/// Makes a sound segment of one that a killed writer left, and of what its ring adds.
struct OrphanRecovery {
    /// Lines for the end of the segment.
    struct Addition {
        /// From the ring: whole lines.
        let lines = ByteBuffer(capacity: 16)
        /// How many of them are events of the ring.
        var count = 0
        /// The end of the segment that is read: a member behind it is written again from the ring. `nil` for all of it.
        var limit: Int64?
        /// Called with the raw bytes of each member, and with the lines of one that is cut.
        var visit: (UnsafeBufferPointer<UInt8>) -> Void = { _ in }
        /// Called when all of the old segment is read: appends to ``lines``.
        var finish: (inout Addition) -> Void = { _ in }
        /// Called right before the segment gets its name.
        var willPublish: () throws(FileSystemError) -> Void = {}
    }

    let folder: EventFolder
    let options: EventFileWriterOptions
    let name: SegmentName

    /// - Parameter file: the segment, locked.
    func run(
        _ file: FileDescriptor, bytes: Int64, adding addition: consuming Addition = Addition()
    ) throws(FileSystemError) -> RecoveryResult.Orphan {
        if try folder.status(name.sealed) != nil {
            guard try isComplete(name.sealed) else { return .init(name: name.open, outcome: .conflict) }
            // The published name must be safe before the old file goes.
            try folder.synchronize()
            try folder.remove(name.open)
            return .init(name: name.open, outcome: .alreadyPublished)
        }
        let contents = try OrphanContents(
            file, bytes: min(bytes, addition.limit ?? bytes), contents: name.contents, on: folder.fileSystem, visit: addition.visit)
        addition.finish(&addition)
        var orphan = RecoveryResult.Orphan(name: name.open, outcome: .adopted)
        orphan.members = contents.members
        orphan.salvagedLines = contents.salvagedLines
        orphan.ringLines = addition.count
        orphan.lines = contents.lines + contents.salvagedLines + addition.count
        orphan.tornBytes = contents.torn.reduce(0) { $0 + $1.bytes }
        if orphan.tornBytes > 0 {
            let quarantine = Quarantine(folder: folder, limit: options.quarantineBytes)
            orphan.quarantinedBytes = try quarantine.keep(contents.torn, of: file, named: name.sealed)
        }
        if orphan.lines == 0 && addition.lines.count == 0 {
            try folder.remove(name.open)
            orphan.outcome = .empty
            return orphan
        }
        // Its writer was killed between the end member and the publication.
        if contents.isComplete, addition.lines.count == 0, synchronizes(file) {
            try folder.publish(name.open, as: name)
            try folder.synchronize()
        } else {
            try rebuild(from: file, contents, addition)
        }
        return orphan
    }

    /// Where a sync fails, a later one proves nothing: the system may have given up on those bytes. A copy of them is new to it.
    private func synchronizes(_ file: FileDescriptor) -> Bool {
        (try? folder.call { files throws(FileSystemError) in try files.synchronize(file) }) != nil
    }

    /// Whether a published file has its end member.
    private func isComplete(_ sealed: String) throws(FileSystemError) -> Bool {
        guard try folder.status(sealed)?.kind == .regular else { return false }
        let file = try folder.open(sealed)
        defer { folder.fileSystem.close(file) }
        return try folder.fileSystem.endsWithEndMember(file)
    }

    /// Builds the sound file beside the old one, publishes it, and removes the old one.
    private func rebuild(from file: FileDescriptor, _ contents: OrphanContents, _ addition: Addition) throws(FileSystemError) {
        try publish(addition) { copy throws(FileSystemError) in
            for run in contents.whole { try copy.append(run, of: file) }
            try copy.append(membersOf: contents.salvaged)
        }
        try folder.remove(name.open)
        try folder.synchronize()
    }

    /// Builds a segment with some members and the addition, and publishes it, synced.
    func publish(
        _ addition: Addition, after members: (inout FileCopy) throws(FileSystemError) -> Void = { _ in }
    ) throws(FileSystemError) {
        guard let new = try folder.createLocked(name.temporary) else {
            throw FileSystemError(.create, errno: EEXIST, path: name.temporary)
        }
        let end = ByteBuffer(capacity: BGZF.endMember.count)
        end.append(BGZF.endMember)
        _ = try folder.making(name.temporary, new) { () throws(FileSystemError) in
            var copy = FileCopy(to: new, on: folder.fileSystem)
            try members(&copy)
            try copy.append(membersOf: addition.lines)
            try copy.append(end.raw)
            try folder.synchronize(new, named: name.temporary)
            try addition.willPublish()
            try folder.publish(name.temporary, as: name)
            return true
        }
        try folder.synchronize()
    }
}

extension FileCopy {
    /// Appends whole lines in members of their own.
    fileprivate mutating func append(membersOf lines: ByteBuffer) throws(FileSystemError) {
        if lines.count == 0 { return }
        let deflater = BGZFDeflater(level: 6)
        let member = ByteBuffer(capacity: BGZF.memberLimit)
        var place = 0
        while place < lines.count {
            let end = LineRuns.memberEnd(in: lines, from: place, limit: lines.count)
            member.removeAll()
            deflater.appendMember(of: UnsafeBufferPointer(rebasing: lines.bytes[place..<end]), to: member)
            try append(member.raw)
            place = end
        }
    }
}
