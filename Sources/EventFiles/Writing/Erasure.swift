import Basics

/// Removes everything that writers put into a folder: segments, summaries, rings, `.sent/`, `.pending/` and `.quarantine/`.
///
/// It may be killed at any point. A file `.erasing` stands in the folder from before the first removal until after the last. A writer that
/// finds it when it opens the folder finishes the erasure. Other files stay, and links are not followed.
///
/// Each `.erasing` holds a new number, and in the end becomes `.erased`. A writer resumed after another number drops what it holds.
struct Erasure {
    static let markerName = ".erasing"
    static let numberName = ".erased"
    /// How often it tries to take the uploaders' lock: for half a minute. Uploaders in other processes look for the mark once a second.
    private static let looks = 1_500
    private static let pauseMicroseconds: UInt32 = 20_000

    let folder: EventFolder
    /// The number to leave in `.erased`; `nil` leaves no such file, as in the pending folder, for which no suspended writer compares it.
    var number: UInt64?
    var clock = MonotonicClock.system
    /// Makes the uploaders of this process cancel their requests. Called after ``mark()``: the mark keeps them from beginning new ones.
    var callBackUploads: () -> Void = {}

    /// A text that differs for each erasure: that of the last one, which may be under way. `none` if there was none, `nil` if it is not
    /// known yet. Where a full disk had no room for the number, the text is the file's inode and time: the next `.erasing` is made while
    /// this file is still there, so it has another inode.
    static func lastNumber(in folder: EventFolder) throws(FileSystemError) -> String? {
        for name in [markerName, numberName] {
            // Another process may give the mark its other name meanwhile.
            guard let status = try folder.status(name), status.kind == .regular, let file = try folder.openIfThere(name) else { continue }
            defer { folder.fileSystem.close(file) }
            let bytes = ByteBuffer(capacity: 32)
            try folder.fileSystem.append(of: file, at: 0, to: bytes)
            if bytes.count > 0 { return bytes.text }
            // Another process may be about to write the number of the mark.
            return name == markerName ? nil : "\(status.inode) \(status.modifiedMilliseconds)"
        }
        return "none"
    }

    func run() throws(FileSystemError) {
        // A full disk must not keep files from being removed.
        let mark: Void? = try folder.call(Self.markerName, mark(), allowing: ENOSPC, EDQUOT)
        callBackUploads()
        try finish(isMarked: mark != nil)
    }

    /// Finishes an erasure that a killed process began; says whether there was one.
    @discardableResult
    func finishIfBegun() throws(FileSystemError) -> Bool {
        let isBegun = try folder.isBeingErased
        if isBegun { try finish() }
        return isBegun
    }

    /// Carries out an erasure after ``mark()``. `isMarked` says whether the mark is there: a full disk has no room for it.
    func finish(isMarked: Bool = true) throws(FileSystemError) {
        let uploadLock = try lockOutUploaders()
        defer { uploadLock?.release() }
        let files = try folder.regularFiles(where: Self.isOfSegment)
        // Another process may have finished the erasure meanwhile. Then the listed files may be new ones.
        if isMarked, try !folder.isBeingErased { return }
        for file in files { try folder.remove(file.name) }
        try remove(SentFolder.name, with: Self.isOfSegment)
        try remove(Quarantine.folderName) { $0.hasSuffix(Quarantine.suffix) }
        if let pending = try folder.existingFolder(PendingFolder.name) { try Erasure(folder: pending, clock: clock).run() }
        try folder.removeFolderIfEmpty(PendingFolder.name)
        for name in [ForgetMark.name, ForgetMark.newName] { try folder.remove(name) }
        try folder.synchronize()
        if number == nil { try folder.remove(Self.markerName) } else { try leaveNumber(isMarked: isMarked) }
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

    /// Makes the mark the new `.erased`.
    private func leaveNumber(isMarked: Bool) throws(FileSystemError) {
        do throws(FileSystemError) {
            // What is removed by now may have made room for the mark.
            if !isMarked { try mark() }
        } catch {
            // A suspended writer also notices that the number of the erasure before is gone. If there was none, it would notice nothing.
            guard [ENOSPC, EDQUOT].contains(error.errno), try folder.status(Self.numberName) != nil else { throw error }
            try folder.remove(Self.markerName)
            return try folder.remove(Self.numberName)
        }
        // Another process may have finished the erasure meanwhile.
        try folder.call(Self.numberName, folder.rename(Self.markerName, to: Self.numberName), allowing: ENOENT)
    }

    private static func isOfSegment(_ name: String) -> Bool { SegmentName.parse(name) != nil }

    private func remove(_ name: String, with isMeant: (String) -> Bool) throws(FileSystemError) {
        if let inside = try folder.existingFolder(name) {
            for file in try inside.regularFiles(where: isMeant) { try inside.remove(file.name) }
        }
        try folder.removeFolderIfEmpty(name)
    }

    private func mark() throws(FileSystemError) {
        let made = try folder.call(Self.markerName, folder.create(Self.markerName), allowing: EEXIST)
        if let made {
            defer { folder.fileSystem.close(made) }
            let text = ByteBuffer(capacity: 16)
            if let number { text.append(Hexadecimal.text(number).utf8) }
            try folder.call(Self.markerName, folder.fileSystem.writeAll(text.raw, to: made, at: 0), allowing: ENOSPC, EDQUOT)
        }
        try folder.synchronize()
    }
}
