import Basics

/// What is done after a sync that failed.
extension SegmentWriter {
    /// Reads what was written since the last sync that succeeded, and writes it once more.
    ///
    /// After a failed sync a system may count the bytes as stored (Linux does, see `fsync(2)`): the next sync succeeds, and a power loss
    /// loses them. Written again, they count as new.
    ///
    /// What cannot be read back unchanged is lost. No event may follow it: the next seal reports the loss.
    func rewrite(_ segment: Active) throws(FileSystemError) {
        let scan = SegmentScan(segment.file, size: segment.offset, contents: segment.name.contents, on: folder.fileSystem)
        var isWhole = true
        while isWhole, let piece = try scan.next() {
            switch piece {
            case .member, .end: break
            case .cut, .damaged: isWhole = false
            }
        }
        if !isWhole {
            active?.isSpoiled = true
            mustSeal = true
            throw FileSystemError(.read, errno: EIO, path: segment.name.open)
        }
        var copy = FileCopy(to: segment.file, at: segment.synced.bytes, on: folder.fileSystem)
        try copy.append(ByteRun(offset: segment.synced.bytes, bytes: segment.offset - segment.synced.bytes), of: segment.file)
    }
}
