import Basics

/// Reads one file for a repair: the lines that an ``EventFileReader`` gives, and the whole lines of a member that the end of the file cuts.
struct RepairInput {
    let path: String
    let threads: Int
    let fileSystem: any FileSystem

    /// Passes the good lines to `take` in the order of the file, with `index` as the file's number, and whether a cut member held them.
    func read(
        as index: Int, progress: ((ReadProgress) -> Void)?, _ take: (CheckBatch, _ isSalvaged: Bool) throws -> Void
    ) throws -> FileReadResult {
        let reader = try EventFileReader(paths: [path], fileSystem: fileSystem)
        let report = try reader.read(
            threads: threads, map: { CheckBatch($0, file: index, repairing: true) }, consume: { try take($0, false) }, progress: progress)
        // If a named file is gone the reader throws, so there is a first result.
        let file = report.files.first ?? FileReadResult(path: path)
        // A blocked member that the end of the file cuts.
        if let cut = file.lastLoss, cut.kind == .cut, file.framing == .blocked, cut.byteOffset + cut.bytes == file.bytes {
            if let salvaged = try salvage(from: cut, as: index) { try take(salvaged, true) }
        }
        return file
    }

    private func salvage(from cut: Damage, as index: Int) throws(EventFileReadError) -> CheckBatch? {
        let salvage = MemberSalvage(.events)
        let lines = try reading(path, at: cut.byteOffset) { () throws(FileSystemError) in
            // Opened for reading alone, because a repair may lack the right to write.
            let file = try fileSystem.retrying(fileSystem.openToRead(atPath: path))
            defer { fileSystem.close(file) }
            return try salvage.lines(of: file, at: cut.byteOffset, on: fileSystem)
        }
        if lines.count == 0 { return nil }
        // The batch holds only the buffer's address.
        return withExtendedLifetime(lines) {
            CheckBatch(
                LineBatch(
                    fileIndex: 0, path: path, firstLineNumber: 1, lineCount: lines.bytes.count { $0 == UInt8(ascii: "\n") },
                    runs: [LineRun(bytes: lines.raw, fileOffset: cut.byteOffset)], raw: lines.raw,
                    marks: [Workspace.Mark(rawStart: 0, fileOffset: cut.byteOffset)], isPlain: false), file: index, repairing: true)
        }
    }
}
