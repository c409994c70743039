import Basics

/// Makes the summary of one sealed segment and puts it beside it in one step: it is written under a temporary name, synced and renamed.
///
/// It may be killed at any point. What is left then is an unlocked temporary file, which the next attempt and a writer's recovery remove.
struct SummaryFile {
    /// What became of it.
    enum Outcome: Sendable, Hashable {
        case made(rows: Int, bytes: Int64)
        case refused(IndexResult.Refusal)
    }

    let folder: EventFolder
    /// The segment's name in the folder.
    let name: String
    let keepsProperties: Bool
    /// Asked between pieces of work: whether to stop, and leave nothing.
    var isCancelled: @Sendable () -> Bool = { false }

    private var temporary: String { ".\(name)\(SegmentSummary.ending).tmp" }

    func make() throws(FileSystemError) -> Outcome {
        guard let file = try folder.createHidden(temporary) else { return .refused(.busy) }
        defer { folder.fileSystem.close(file) }
        do throws(FileSystemError) {
            let (outcome, segment) = try write(to: file)
            guard case .made = outcome, let segment else {
                try folder.remove(temporary)
                return outcome
            }
            return try publish(file, outcome, of: segment)
        } catch {
            try? folder.remove(temporary)
            throw error
        }
    }

    /// - Returns: the outcome, and which file the segment was.
    private func write(to file: FileDescriptor) throws(FileSystemError) -> (Outcome, FileStatus?) {
        let files = folder.fileSystem
        let path = FilePath(folder: folder.path, name: name).text
        let opened = try folder.call(name, allowing: ENOENT) { files throws(FileSystemError) in try files.openToRead(atPath: path) }
        guard let segment = opened else { return (.refused(.gone), nil) }
        defer { files.close(segment) }
        guard let mark = try SegmentMark.of(segment, on: files) else { return (.refused(.notSealed), nil) }
        var offset: Int64 = 0
        var builder = SummaryBuilder(keepsProperties: keepsProperties) { bytes throws(FileSystemError) in
            do throws(FileSystemError) { try files.writeAll(bytes, to: file, at: offset) } catch { throw error.naming(temporary) }
            offset += Int64(bytes.count)
        }
        let lines = SegmentLines(segment, size: mark.bytes, path: name, on: files)
        while let isSound = try lines.next({ batch throws(FileSystemError) in try builder.take(batch) }) {
            if !isSound { return (.refused(.damaged), nil) }
            if let refusal = builder.refusal { return (.refused(refusal), nil) }
            if isCancelled() { return (.refused(.cancelled), nil) }
        }
        try builder.finish(segment: name, mark: mark, filledMembers: lines.members)
        return (.made(rows: builder.facts.rows, bytes: offset), try files.status(of: segment))
    }

    private func publish(_ file: FileDescriptor, _ outcome: Outcome, of segment: FileStatus) throws(FileSystemError) -> Outcome {
        let final = name + SegmentSummary.ending
        try folder.synchronize(file, named: temporary)
        try folder.rename(temporary, to: final)
        try folder.synchronize()
        // Retention or an erasure may have taken the segment meanwhile, or somebody was forgotten in it; nothing of it must stay.
        guard let named = try folder.status(name), named.isSameFile(as: segment) else {
            try folder.remove(final)
            return .refused(.gone)
        }
        return outcome
    }
}
