import TrackingEvents

/// The folder `.pending/`, which holds events while consent is pending. Readers leave it out, because its name begins with a dot.
///
/// It is a folder of event files with rotation, retention and recovery, until it is promoted or erased.
final class PendingFolder {
    static let name = ".pending"

    private let main: EventFolder
    private let options: EventFileWriterOptions
    private let clock: MonotonicClock
    private let wallClock: WallClock
    private var random: SeededRandom
    /// `nil` until the first line.
    private(set) var segments: SegmentWriter?

    init(in main: EventFolder, options: EventFileWriterOptions, clock: MonotonicClock, wallClock: WallClock, random: SeededRandom) {
        self.main = main
        self.options = options
        self.clock = clock
        self.wallClock = wallClock
        self.random = random
    }

    /// Whether the folder exists, whichever writer made it.
    func isThere() throws(FileSystemError) -> Bool { try main.status(Self.name)?.kind == .folder }

    /// Where to write. Makes the folder if it is missing.
    func opened() throws(EventFileError) -> SegmentWriter {
        if let segments { return segments }
        return try storing { () throws(FileSystemError) in
            let folder = try main.madeFolder(Self.name)
            do throws(FileSystemError) {
                if try Erasure.isBegun(in: folder) { try Erasure(folder: folder, clock: clock).finish() }
            } catch {
                folder.close()
                throw error
            }
            // An app that is killed each time, with a person who never decides, must not fill the folder with orphans.
            var recovery = Recovery(folder: folder, above: main, options: options, clock: wallClock)
            while !recovery.isDone { recovery.step() }
            // New digits each time: a file that is moved from here must find its name free.
            let writer = random.next()
            let new = SegmentWriter(folder: folder, above: main, options: options, clock: clock, writer: writer)
            segments = new
            return new
        }
    }

    /// Moves everything to the main folder, but for the folder's ring if events wait there; gives what earlier writers left unfinished.
    /// The active segment is sealed by then.
    func promote(isInUse: Bool) throws(EventFileError) -> RecoveryResult {
        if !isInUse { close() }
        return try inFolder { folder throws(EventFileError) in
            let isErased = try storing { () throws(FileSystemError) in
                let isBegun = try Erasure.isBegun(in: folder)
                if isBegun { try Erasure(folder: folder, clock: clock).finish() }
                return isBegun
            }
            // What the person refused must not come back, whatever was decided later.
            return isErased ? RecoveryResult() : try Promotion(pending: folder, main: main, options: options, clock: wallClock).run()
        } ?? RecoveryResult()
    }

    /// Removes everything, the active segment too.
    func erase() throws(EventFileError) {
        close()
        _ = try inFolder { folder throws(EventFileError) in
            try storing { () throws(FileSystemError) in try Erasure(folder: folder, clock: clock).run() }
        }
    }

    /// Closes the folder, and the active segment as it is.
    func close() {
        guard let segments = segments.take() else { return }
        segments.abandon()
        segments.folder.close()
    }

    /// Closes and removes the folder, if nothing is in it.
    func closeIfUnused() {
        guard segments?.active == nil else { return }
        close()
        try? main.removeFolderIfEmpty(Self.name)
    }

    /// Does something with the folder, and removes it if it is empty afterwards; `nil` if it does not exist.
    private func inFolder<Result>(_ body: (EventFolder) throws(EventFileError) -> Result) throws(EventFileError) -> Result? {
        guard let folder = try storing({ () throws(FileSystemError) in try main.existingFolder(Self.name) }) else { return nil }
        defer { folder.close() }
        let result = try body(folder)
        try storing { () throws(FileSystemError) in
            try main.removeFolderIfEmpty(Self.name)
            try main.synchronize()
        }
        return result
    }
}
