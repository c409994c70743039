#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Removes everything that writers ever put into a folder: segments in every state, the quarantine, the spool.
///
/// It may be killed at any point. A file `.erasing` stands in the folder from before the first removal until after the last, and whoever
/// opens the folder and finds it there goes on. Names outside the grammar are left alone, links are not followed.
struct Erasure {
    static let markerName = ".erasing"

    let folder: EventFolder

    /// Whether one was begun and not finished.
    static func isBegun(in folder: EventFolder) throws(FileSystemError) -> Bool { try folder.status(markerName) != nil }

    func run() throws(FileSystemError) {
        let isMarked = try mark()
        try finish(isMarked: isMarked)
    }

    /// Does what is left of one that somebody began.
    func finish(isMarked: Bool = true) throws(FileSystemError) {
        let names = try folder.names()
        // Somebody else may have finished it since; then what is listed may be new.
        if isMarked, try !Self.isBegun(in: folder) { return }
        for name in names where SegmentName.parse(name) != nil { try removeFile(name, in: folder) }
        if let quarantine = try folder.existingFolder(Quarantine.folderName) {
            defer { quarantine.close() }
            for name in try quarantine.names() where name.hasSuffix(Quarantine.suffix) { try removeFile(name, in: quarantine) }
        }
        try folder.removeFolderIfEmpty(Quarantine.folderName)
        if let spool = try folder.existingFolder(Spool.folderName) {
            defer { spool.close() }
            try Erasure(folder: spool).run()
        }
        try folder.removeFolderIfEmpty(Spool.folderName)
        try folder.synchronize()
        try folder.remove(Self.markerName)
        try folder.synchronize()
    }

    private func removeFile(_ name: String, in folder: EventFolder) throws(FileSystemError) {
        guard let status = try folder.status(name), status.kind == .regular else { return }
        try folder.remove(name)
    }

    /// - Returns: `false` where the disk has no room for the mark: to remove files must be possible then more than ever.
    private func mark() throws(FileSystemError) -> Bool {
        do throws(FileSystemError) {
            let mark = try folder.call(Self.markerName) { files throws(FileSystemError) in
                try files.create(Self.markerName, in: folder.descriptor)
            }
            folder.fileSystem.close(mark)
        } catch {
            if error.errno == ENOSPC || error.errno == EDQUOT { return false }
            if error.errno != EEXIST { throw error }
        }
        try folder.synchronize()
        return true
    }
}
