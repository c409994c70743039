#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Basics
import TrackingEvents

/// Takes over what writers left behind that were killed: one file a step, so that the thread can write in between.
///
/// It may be killed itself at any point and begun anew: it only reads the old file, builds the sound one beside it, gives that its name
/// in one step, and removes the old file last.
struct Recovery {
    private let folder: EventFolder
    private let options: EventFileWriterOptions
    private var left: ArraySlice<String>
    private(set) var report = RecoveryReport()

    /// Looks for orphans. An error stands in the report.
    init(folder: EventFolder, options: EventFileWriterOptions) {
        self.folder = folder
        self.options = options
        left = []
        do throws(FileSystemError) {
            // Temporary files first: an orphan's is in the way of its recovery.
            let names = try folder.names().sorted()
            let temporaries = names.filter { SegmentName.parse($0)?.state == .temporary }
            let orphans = names.filter { SegmentName.parse($0)?.state == .open }
            left = (temporaries + orphans)[...]
        } catch {
            report.error = .storage(error)
        }
    }

    var isDone: Bool { left.isEmpty }

    /// Whether something was left for later.
    var isPostponed: Bool {
        report.error != nil
            || report.orphans.contains {
                if case .postponed = $0.outcome { true } else { false }
            }
    }

    /// Looks after one file.
    mutating func step() {
        guard let fileName = left.popFirst(), let (name, state) = SegmentName.parse(fileName) else { return }
        do throws(FileSystemError) {
            guard case .taken(let file, let status) = try folder.takeOver(fileName) else { return }
            defer { folder.fileSystem.close(file) }
            if state == .temporary {
                try folder.remove(fileName)
                report.removedTemporaries += 1
            } else {
                report.orphans.append(try recover(name, file, bytes: status.bytes))
            }
        } catch {
            // Permission denied means that the device is locked, not that the file is bad. The file stays after any error.
            if state == .open { report.orphans.append(.init(name: fileName, outcome: .postponed(.storage(error)))) }
        }
    }

    private func recover(
        _ name: SegmentName, _ file: FileDescriptor, bytes: Int64
    ) throws(FileSystemError) -> RecoveryReport.Orphan {
        if try folder.status(name.sealed) != nil {
            guard try isComplete(name.sealed) else { return .init(name: name.open, outcome: .conflict) }
            // The published name must be safe before the old file goes.
            try folder.synchronize()
            try folder.remove(name.open)
            return .init(name: name.open, outcome: .alreadyPublished)
        }
        let contents = try OrphanContents(file, bytes: bytes, contents: name.contents, on: folder.fileSystem)
        var orphan = RecoveryReport.Orphan(name: name.open, outcome: .adopted)
        orphan.members = contents.members
        orphan.salvagedLines = contents.salvagedLines
        orphan.lines = contents.lines + contents.salvagedLines
        orphan.tornBytes = contents.torn.reduce(0) { $0 + $1.bytes }
        if orphan.tornBytes > 0 {
            let quarantine = Quarantine(folder: folder, limit: options.quarantineBytes)
            orphan.quarantinedBytes = try quarantine.keep(contents.torn, of: file, named: name)
        }
        if orphan.lines == 0 {
            try folder.remove(name.open)
            orphan.outcome = .empty
            return orphan
        }
        // Its writer was killed between the end member and the publication.
        if contents.isComplete, synchronizes(file) {
            try folder.publish(name.open, as: name)
            try folder.synchronize()
        } else {
            try rebuild(name, from: file, contents)
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
        let file = try folder.call(sealed) { files throws(FileSystemError) in try files.open(sealed, in: folder.descriptor) }
        defer { folder.fileSystem.close(file) }
        return try folder.fileSystem.endsWithEndMember(file)
    }

    /// Builds the sound file beside the old one, publishes it, and removes the old one.
    private func rebuild(_ name: SegmentName, from file: FileDescriptor, _ contents: OrphanContents) throws(FileSystemError) {
        guard let new = try folder.createLocked(name.temporary) else {
            throw FileSystemError(.create, errno: EEXIST, path: name.temporary)
        }
        defer { folder.fileSystem.close(new) }
        do throws(FileSystemError) {
            var copy = FileCopy(to: new, on: folder.fileSystem)
            for run in contents.whole { try copy.append(run, of: file) }
            let last = ByteBuffer(capacity: BGZF.memberLimit + BGZF.endMember.count)
            if contents.salvaged.count > 0 { BGZFDeflater(level: 6).appendMember(of: contents.salvaged.bytes, to: last) }
            last.append(BGZF.endMember)
            try copy.append(last.raw)
            try folder.call(name.temporary) { files throws(FileSystemError) in try files.synchronize(new) }
            try folder.publish(name.temporary, as: name)
        } catch {
            try? folder.remove(name.temporary)
            throw error
        }
        try folder.synchronize()
        try folder.remove(name.open)
        try folder.synchronize()
    }
}
