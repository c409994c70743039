import Basics

/// Makes a sound segment of one that a killed writer left, and of the lines that its ring adds.
struct OrphanRecovery {
    struct Addition {
        let lines = ByteBuffer(capacity: 16)
        /// How many of these lines stood in the ring.
        var count = 0
        /// Where the reading of the segment ends: a member behind it is written again from the ring. `nil` to read all.
        var limit: Int64?
        /// Called with where each member begins and its raw bytes, or the lines of one that is cut.
        var visit: (Int64, UnsafeBufferPointer<UInt8>) -> Void = { _, _ in }
        /// Called when all of the old segment is read: appends to ``lines``.
        var finish: (inout Addition) -> Void = { _ in }
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
        (orphan.members, orphan.salvagedLines, orphan.ringLines) = (contents.members, contents.salvagedLines, addition.count)
        orphan.lines = contents.lines + contents.salvagedLines + addition.count
        orphan.tornBytes = contents.torn.reduce(0) { $0 + $1.bytes }
        if orphan.tornBytes > 0 {
            let quarantine = Quarantine(folder: folder, limit: options.quarantineBytes)
            orphan.quarantinedBytes = try quarantine.keep(contents.torn, of: file, named: name.sealed)
        }
        if orphan.lines == 0 && addition.lines.count == 0 {
            try folder.remove(name.open)
            orphan.outcome = .empty
        } else if contents.isComplete, addition.lines.count == 0, (try? folder.synchronize(file, named: name.open)) != nil {
            // The writer was killed before publishing. If this sync fails, a later one proves nothing: the bytes are copied below.
            try folder.publish(name.open, as: name)
            try folder.synchronize()
        } else {
            // The sound file is built beside the old one, which goes last.
            try publish(addition) { packer throws(FileSystemError) in
                for run in contents.whole { try packer.append(membersIn: run, of: file) }
                try packer.append(lines: contents.salvaged.bytes)
            }
            try folder.remove(name.open)
            try folder.synchronize()
        }
        return orphan
    }

    private func isComplete(_ sealed: String) throws(FileSystemError) -> Bool {
        guard try folder.status(sealed)?.kind == .regular else { return false }
        let file = try folder.open(sealed)
        defer { folder.fileSystem.close(file) }
        return try folder.fileSystem.endsWithEndMember(file)
    }

    /// Builds a segment with some members and the addition, and publishes it, synced.
    func publish(
        _ addition: Addition, after members: (inout MemberPacker) throws(FileSystemError) -> Void = { _ in }
    ) throws(FileSystemError) {
        _ = try folder.makeSegment(name, willPublish: addition.willPublish) { packer throws(FileSystemError) in
            try members(&packer)
            try packer.append(lines: addition.lines.bytes)
            return true
        }
        try folder.synchronize()
    }
}
