import Basics

/// Makes the summary of one sealed segment. Writes it under a temporary name, syncs it and renames it, so that it appears in one step. A
/// kill leaves an unlocked temporary file, which the next attempt or a writer's recovery removes.
struct SummaryFile {
    enum Outcome: Sendable, Hashable {
        case made(SummaryFacts, bytes: Int64)
        case refused(IndexResult.Refusal)
    }

    let folder: EventFolder
    let name: String
    let keepsProperties: Bool
    /// Asked after each batch: if `true`, the work stops and leaves no file.
    var isCancelled: @Sendable () -> Bool = { false }

    private var temporary: String { ".\(name)\(SegmentSummary.ending).tmp" }

    func make() throws(FileSystemError) -> Outcome {
        guard let file = try folder.createHidden(temporary) else { return .refused(.busy) }
        var outcome = Outcome.refused(.gone)
        _ = try folder.making(temporary, file) { () throws(FileSystemError) in
            let path = FilePath(folder: folder.path, name: name).text
            guard let segment = try folder.call(name, folder.fileSystem.openToRead(atPath: path), allowing: ENOENT) else { return false }
            defer { folder.fileSystem.close(segment) }
            outcome = try write(to: file, of: segment)
            guard case .made = outcome else { return false }
            let status = try folder.fileSystem.status(of: segment)
            let final = name + SegmentSummary.ending
            folder.fileSystem.copyAccess(of: name, in: folder.descriptor, to: file)
            try folder.synchronize(file, named: temporary)
            try folder.rename(temporary, to: final)
            try folder.synchronize()
            // Expiry or an erasure may have removed the segment meanwhile, or a forgetting replaced it: its summary must not stay.
            if try !(folder.status(name)?.isSameFile(as: status) ?? false) {
                try folder.remove(final)
                outcome = .refused(.gone)
            }
            return true
        }
        return outcome
    }

    private func write(to file: FileDescriptor, of segment: FileDescriptor) throws(FileSystemError) -> Outcome {
        let files = folder.fileSystem
        guard let mark = try SegmentMark.of(segment, on: files) else { return .refused(.notSealed) }
        var offset: Int64 = 0
        var builder = SummaryBuilder(keepsProperties: keepsProperties) { bytes throws(FileSystemError) in
            do throws(FileSystemError) { try files.writeAll(bytes, to: file, at: offset) } catch { throw error.naming(temporary) }
            offset += Int64(bytes.count)
        }
        // Read on this thread, in the same batches as by an ``EventFileReader``.
        let cursor = FileCursor(segment: segment, size: mark.bytes, on: files)
        let (workspace, stitcher) = (Workspace(), LineStitcher())
        var (members, isDone) = (0, false)
        while !isDone {
            var chunk = try cursor.next(into: workspace)
            if chunk.isCompressed { workspace.inflateMembers(of: &chunk) }
            let stitched = stitcher.stitch(&chunk, in: workspace)
            if !chunk.damage.isEmpty { return .refused(.damaged) }
            try stitched.withBatch(of: chunk, in: workspace, path: name) { batch throws(FileSystemError) in try builder.take(batch) }
            if let refusal = builder.refusal { return .refused(refusal) }
            if isCancelled() { return .refused(.cancelled) }
            members += chunk.members
            isDone = chunk.isLast
        }
        try builder.finish(segment: name, mark: mark, filledMembers: members)
        return .made(builder.facts, bytes: offset)
    }
}
