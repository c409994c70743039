import TrackingEvents

/// The folder `.pending/`, where events are while consent is pending. Readers leave it out, as its name begins with a dot.
///
/// A folder of event files like any other, with rotation, retention and recovery, until it is promoted or erased. One thread at a time.
final class Spool {
    static let folderName = ".pending"

    private let main: EventFolder
    private let options: EventFileWriterOptions
    private let wallClock: WallClock
    private let clock: MonotonicClock
    private let head: SegmentWriter.Head
    private var random: SeededRandom
    /// `nil` until the first line.
    private(set) var segments: SegmentWriter?

    init(
        in main: EventFolder, options: EventFileWriterOptions, wallClock: WallClock, clock: MonotonicClock, random: SeededRandom,
        head: @escaping SegmentWriter.Head
    ) {
        self.main = main
        self.options = options
        self.wallClock = wallClock
        self.clock = clock
        self.random = random
        self.head = head
    }

    /// Whether there is anything of it on the disk, of whichever writer.
    func isThere() throws(FileSystemError) -> Bool { try main.status(Self.folderName)?.kind == .folder }

    /// Where to write: makes the folder where it is missing.
    func opened() throws(EventFileError) -> SegmentWriter {
        if let segments { return segments }
        do throws(FileSystemError) {
            let folder = try main.madeFolder(Self.folderName)
            do throws(FileSystemError) {
                if try Erasure.isBegun(in: folder) { try Erasure(folder: folder).finish() }
            } catch {
                folder.close()
                throw error
            }
            // A person who never decides, and an app that is killed each time, must not fill the folder with orphans.
            var recovery = Recovery(folder: folder, options: options)
            while !recovery.isDone { recovery.step() }
            // Digits of its own each time: what is moved from here must find its name free.
            let writer = UInt32(truncatingIfNeeded: random.next() >> 32)
            let new = SegmentWriter(
                folder: folder, above: main, options: options, wallClock: wallClock, clock: clock, writer: writer, head: head)
            segments = new
            return new
        } catch {
            throw .storage(error)
        }
    }

    /// Moves everything to the main folder. The active segment is sealed by then.
    ///
    /// - Returns: what earlier writers had left unfinished.
    func promote() throws(EventFileError) -> RecoveryReport {
        close()
        return try inFolder { folder throws(EventFileError) in
            let isErased: Bool
            do throws(FileSystemError) {
                isErased = try Erasure.isBegun(in: folder)
                if isErased { try Erasure(folder: folder).finish() }
            } catch {
                throw .storage(error)
            }
            // What the person had refused is not to come back, whatever was said since.
            return isErased ? RecoveryReport() : try Promotion(spool: folder, main: main, options: options).run()
        } ?? RecoveryReport()
    }

    /// Removes everything, the active segment too.
    func erase() throws(EventFileError) {
        close()
        _ = try inFolder { folder throws(EventFileError) in
            do throws(FileSystemError) {
                try Erasure(folder: folder).run()
            } catch {
                throw .storage(error)
            }
        }
    }

    /// Lets go of the folder, and of the active segment as it is.
    func close() {
        guard let segments = segments.take() else { return }
        segments.abandon()
        segments.folder.close()
    }

    /// Does something with the folder and removes it if it is empty then; `nil` where there is none.
    private func inFolder<Result>(_ body: (EventFolder) throws(EventFileError) -> Result) throws(EventFileError) -> Result? {
        let folder: EventFolder
        do throws(FileSystemError) {
            guard let existing = try main.existingFolder(Self.folderName) else { return nil }
            folder = existing
        } catch {
            throw .storage(error)
        }
        defer { folder.close() }
        let result = try body(folder)
        do throws(FileSystemError) {
            try main.removeFolderIfEmpty(Self.folderName)
            try main.synchronize()
        } catch {
            throw .storage(error)
        }
        return result
    }
}
