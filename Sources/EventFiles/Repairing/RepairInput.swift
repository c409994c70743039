import Basics

/// Reads one file for a repair: the lines that an ``EventFileReader`` gives, and the whole lines of a member that the end of the file cuts.
struct RepairInput {
    let job: RepairJob
    let threads: Int
    let fileSystem: any FileSystem

    /// Passes the good lines to `take` in the file's order, with its number `index`, and whether a cut member held them. `nil`: it is gone.
    func read(
        as index: Int, progress: ((ReadProgress) -> Void)?, _ take: (CheckBatch, _ isSalvaged: Bool) throws -> Void
    ) throws -> FileReadResult? {
        var listed = InputFile(path: job.input, wasNamed: job.wasNamed)
        if !job.isInPlace { listed.sealedPath = job.input.droppingLastBytes(".open") }
        let read = try EventFileReader([listed], on: fileSystem).read(
            threads: threads, map: { CheckBatch($0, file: index, repairing: true) }, consume: { try take($0, false) }, progress: progress)
        guard let file = read.files.first else { return nil }
        // A blocked member that the end of the file cuts.
        if let cut = file.lastLoss, cut.kind == .cut, file.framing == .blocked, cut.byteOffset + cut.bytes == file.bytes {
            if let salvaged = try salvage(from: cut, of: listed, as: index) { try take(salvaged, true) }
        }
        return file
    }

    private func salvage(from cut: Damage, of listed: InputFile, as index: Int) throws(EventFileReadError) -> CheckBatch? {
        let salvage = MemberSalvage(.events)
        let lines = try reading(job.input, at: cut.byteOffset) { () throws(FileSystemError) -> ByteBuffer? in
            // Opened for reading alone, because a repair may lack the right to write. Its writer may have sealed it since it was read.
            guard let file = try fileSystem.open(listed)?.descriptor else { return nil }
            defer { fileSystem.close(file) }
            return try salvage.lines(of: file, at: cut.byteOffset, on: fileSystem)
        }
        guard let lines, lines.count > 0 else { return nil }
        // The batch holds only the buffer's address.
        return withExtendedLifetime(lines) {
            CheckBatch(
                LineBatch(
                    fileIndex: 0, path: job.input, firstLineNumber: 1, lineCount: lines.bytes.count { $0 == UInt8(ascii: "\n") },
                    runs: [LineRun(bytes: lines.raw, fileOffset: cut.byteOffset)], raw: lines.raw,
                    marks: [Workspace.Mark(rawStart: 0, fileOffset: cut.byteOffset)], isPlain: false), file: index, repairing: true)
        }
    }
}
