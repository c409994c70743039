import Basics
import TrackingEvents

/// Reads one file for a repair: what the reader gives, and the whole lines of a member that the end of the file cuts.
struct RepairInput {
    let path: String
    let threads: Int
    let fileSystem: any FileSystem

    /// Hands over the good lines in the order of the file.
    ///
    /// - Parameter take: the lines, and whether they come from a cut member.
    /// - Throws: what `take` throws, ``EventFileReadError``, ``RepairError``.
    func read(progress: ((ReadProgress) -> Void)?, _ take: (RepairBatch, _ isSalvaged: Bool) throws -> Void) throws -> FileReport {
        let reader = try EventFileReader(paths: [path], fileSystem: fileSystem)
        let report = try reader.read(
            threads: threads, map: { RepairBatch($0) }, consume: { try take($0, false) }, progress: progress)
        // A file that was named and is gone is an error of the reader; `first` is there.
        let file = report.files.first ?? FileReport(path: path)
        if let cut = cutMember(of: file), let salvaged = try salvage(from: cut) { try take(salvaged, true) }
        return file
    }

    /// The damage that is a blocked member cut by the end of the file.
    private func cutMember(of file: FileReport) -> Damage? {
        guard let last = file.lastLoss, last.kind == .cut, file.framing == .blocked, last.byteOffset + last.bytes == file.bytes
        else { return nil }
        return last
    }

    /// The whole lines of a cut member; `nil` where there are none.
    private func salvage(from cut: Damage) throws(EventFileReadError) -> RepairBatch? {
        let member = ByteBuffer(capacity: BGZF.memberLimit)
        let contents = ByteBuffer(capacity: BGZF.memberLimit)
        try readMember(at: cut.byteOffset, into: member)
        // Below, the buffers are used by address alone.
        defer { withExtendedLifetime((member, contents)) {} }
        guard BGZF.isCut(member.raw) else { return nil }
        SegmentScan.salvage(member.raw, inflater: BGZFInflater(), to: contents)
        if contents.count == 0 { return nil }
        return RepairBatch(
            LineBatch(
                fileIndex: 0, path: path, firstLineNumber: 1, lineCount: Batch.lines(in: contents.bytes),
                runs: [LineRun(bytes: contents.raw, fileOffset: cut.byteOffset)], raw: contents.raw, marks: [], isPlain: false))
    }

    /// Reads from a place to the end of the file, a member's length at most. A reader's right to the file is enough for it.
    private func readMember(at offset: Int64, into member: ByteBuffer) throws(EventFileReadError) {
        do throws(FileSystemError) {
            let file = try fileSystem.retrying { () throws(FileSystemError) in try fileSystem.openToRead(atPath: path) }
            defer { fileSystem.close(file) }
            let room = UnsafeMutableRawBufferPointer(start: member.base, count: BGZF.memberLimit)
            member.advance(by: try fileSystem.readAll(into: room, from: file, at: offset))
        } catch {
            throw EventFileReadError(error, path: path, offset: offset)
        }
    }
}
