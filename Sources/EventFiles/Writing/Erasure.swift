import Basics

/// Removes everything that writers put into a folder: segments, summaries, rings, `.sent/`, `.pending/` and `.quarantine/`.
///
/// It may be killed at any point. A file `.erasing` stands in the folder from before the first removal until after the last. A writer that
/// finds it when it opens the folder finishes the erasure. Other files stay, and links are not followed.
///
/// Each erasure changes the number in `.erased`. A writer that was suspended meanwhile compares it, and drops what it holds in memory.
struct Erasure {
    static let markerName = ".erasing"
    static let numberName = ".erased"
    /// How often it tries to take the uploaders' lock: for half a minute. Uploaders in other processes look for the mark once a second.
    private static let looks = 1_500
    private static let pauseMicroseconds: UInt32 = 20_000

    let folder: EventFolder
    /// The number to leave in `.erased`; `nil` leaves none, as in the pending folder, for which no suspended writer compares it.
    var number: UInt64?
    var clock = MonotonicClock.system
    /// Makes the uploaders of this process cancel their requests. Called after ``mark()``: the mark keeps them from beginning new ones.
    var callBackUploads: () -> Void = {}

    static func isBegun(in folder: EventFolder) throws(FileSystemError) -> Bool { try folder.status(markerName) != nil }

    /// The text that the last erasure left in `.erased`: empty if a full disk had no room for it, `none` without that file.
    static func lastNumber(in folder: EventFolder) throws(FileSystemError) -> String {
        guard try folder.status(numberName)?.kind == .regular else { return "none" }
        let file = try folder.open(numberName)
        defer { folder.fileSystem.close(file) }
        let bytes = ByteBuffer(capacity: 32)
        try folder.fileSystem.append(of: file, at: 0, to: bytes)
        return bytes.text
    }

    func run() throws(FileSystemError) {
        let isMarked = try mark()
        callBackUploads()
        try finish(isMarked: isMarked)
    }

    /// Finishes an erasure that a killed process began; says whether there was one.
    @discardableResult
    func finishIfBegun() throws(FileSystemError) -> Bool {
        let isBegun = try Self.isBegun(in: folder)
        if isBegun { try finish() }
        return isBegun
    }

    /// Carries out an erasure after ``mark()``. `isMarked` says whether the mark is there: a full disk has no room for it.
    func finish(isMarked: Bool = true) throws(FileSystemError) {
        let uploadLock = try lockOutUploaders()
        defer { uploadLock?.release() }
        let files = try folder.regularFiles(where: Self.isOfSegment)
        // Another process may have finished the erasure meanwhile. Then the listed files may be new ones.
        if isMarked, try !Self.isBegun(in: folder) { return }
        for file in files { try folder.remove(file.name) }
        try remove(SentFolder.name, with: Self.isOfSegment)
        try remove(Quarantine.folderName) { $0.hasSuffix(Quarantine.suffix) }
        if let pending = try folder.existingFolder(PendingFolder.name) { try Erasure(folder: pending, clock: clock).run() }
        try folder.removeFolderIfEmpty(PendingFolder.name)
        for name in [ForgetMark.name, ForgetMark.newName] { try folder.remove(name) }
        if let number { try leave(number) }
        try folder.synchronize()
        try folder.remove(Self.markerName)
        try folder.synchronize()
    }

    /// Waits until no uploader has a request under way, and keeps them from beginning one; `nil` if nobody ever uploaded from the folder.
    private func lockOutUploaders() throws(FileSystemError) -> UploadLock? {
        for _ in 0..<Self.looks {
            switch try UploadLock.take(in: folder, making: false) {
            case .taken(let lock): return lock
            case .missing: return nil
            case .held: clock.sleep(microseconds: Self.pauseMicroseconds)
            }
        }
        throw .isLocked(UploadLock.name)
    }

    /// Writes `.erased` anew. After a kill in between, whoever finishes the erasure writes a number of its own.
    private func leave(_ number: UInt64) throws(FileSystemError) {
        try folder.remove(Self.numberName)
        do throws(FileSystemError) {
            let file = try folder.create(Self.numberName)
            defer { folder.fileSystem.close(file) }
            let text = ByteBuffer(capacity: 16)
            text.append(Hexadecimal.text(number).utf8)
            try folder.fileSystem.writeAll(text.raw, to: file, at: 0)
        } catch {
            // A full disk must not stop the erasure. The empty file differs from a number, and from no file.
            if error.errno != ENOSPC && error.errno != EDQUOT { throw error }
        }
    }

    private static func isOfSegment(_ name: String) -> Bool { SegmentName.parse(name) != nil }

    private func remove(_ name: String, with isMeant: (String) -> Bool) throws(FileSystemError) {
        if let inside = try folder.existingFolder(name) {
            for file in try inside.regularFiles(where: isMeant) { try inside.remove(file.name) }
        }
        try folder.removeFolderIfEmpty(name)
    }

    /// - Returns: `false` if the disk has no room for the mark: a full disk must not keep files from being removed.
    private func mark() throws(FileSystemError) -> Bool {
        do throws(FileSystemError) {
            folder.fileSystem.close(try folder.create(Self.markerName))
        } catch {
            if error.errno == ENOSPC || error.errno == EDQUOT { return false }
            if error.errno != EEXIST { throw error }
        }
        try folder.synchronize()
        return true
    }
}
