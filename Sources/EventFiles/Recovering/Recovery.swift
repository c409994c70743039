import TrackingEvents

/// Takes over what killed writers left behind, one file a step, so that the thread can write in between.
///
/// A recovery may be killed at any point and begun anew. It only reads the old file, builds the sound one beside it, names that in one
/// step, and removes the old file last. A writer's ring comes before its segment (``RingRecovery``): the ring has whole what is cut there.
struct Recovery {
    let folder: EventFolder
    let options: EventFileWriterOptions
    /// The folder to which the segments may be moved one day.
    let main: EventFolder?
    let clock: WallClock
    private var left: ArraySlice<String>
    /// Rings that somebody held when it was their turn.
    private var held: Set<String> = []
    private(set) var result = RecoveryResult()

    /// Lists the orphans without the ring of `own`, the writer that recovers (``SegmentName/writerName``). An error goes into the result.
    init(
        folder: EventFolder, above main: EventFolder? = nil, options: EventFileWriterOptions, clock: WallClock = .system, own: String? = nil
    ) {
        (self.folder, self.main, self.options, self.clock, left) = (folder, main, options, clock, [])
        do throws(FileSystemError) {
            // Temporary files first: an orphan's temporary file is in the way of its recovery.
            let found = SegmentName.parsed(try folder.names().sorted())
            for state in [SegmentName.State.temporary, .ring, .open] {
                left += found.filter { $0.state == state && (state != .ring || $0.name.writerName != own) }.map(\.fileName)
            }
        } catch {
            result.error = .storage(error)
        }
    }

    var isDone: Bool { left.isEmpty }

    mutating func run() -> RecoveryResult {
        while !isDone { step() }
        return result
    }

    mutating func step() {
        guard let fileName = left.popFirst(), let (name, state) = SegmentName.parse(fileName) else { return }
        do throws(FileSystemError) {
            guard let (file, status) = try folder.takeOver(fileName) else {
                // Mostly a living writer holds it. But whoever looks for one, such as an uploader, takes it for a moment, too: try again.
                if state == .ring, held.insert(fileName).inserted { left.append(fileName) }
                return
            }
            defer { folder.fileSystem.close(file) }
            switch state {
            case .temporary:
                try folder.remove(fileName)
                result.removedTemporaries += 1
            case .ring:
                let ring = RingRecovery(folder: folder, main: main, options: options, clock: clock, name: name, file: file, status: status)
                if let orphan = try ring.run() { result.orphans.append(orphan) }
            default:
                // The ring is not recovered: that failed, or its process is just ending. Lines that are cut here are whole there.
                if try folder.status(name.ring) != nil { throw .isLocked(name.ring) }
                result.orphans.append(try OrphanRecovery(folder: folder, options: options, name: name).run(file, bytes: status.bytes))
            }
        } catch {
            // Permission denied means that the device is locked, not that the file is bad. The file stays after any error.
            if state != .temporary { result.orphans.append(.init(name: fileName, outcome: .postponed(.storage(error)))) }
        }
    }
}
