import Basics
import TrackingEvents

extension WriterThread {
    /// Makes the rings that are wanted and missing, and removes those that are no longer wanted. No lines may be ``LineRing/inHand``.
    func tendRings() {
        monitor.withState { $0.mailbox.mustTendRings = false }
        // At the end, so that lines that moved into a new ring are written, too.
        defer { writeRings() }
        // An unfinished erasure, whichever process began it, would remove the ring with the lines that were recorded since.
        guard hasLookedForErasure, monitor.withState({ $0.mailbox.erasures == nil }) else { return }
        for lane in Lane.allCases where monitor.withState({ $0.wantsFile(for: lane) }) {
            if rings[lane] == nil && rings.mayMake { makeRing(for: lane) }
            // More may wait than the ring has room for. Then the next turns try again.
            guard let ring = rings[lane] else { continue }
            monitor.withState { if $0.wantsFile(for: lane) { $0.ring.attach(ring, to: lane) } }
        }
        for lane in Lane.allCases where rings[lane] != nil {
            // Until a decision about the pending folder is carried out, ``settle(isAsked:)`` looks after the ring there.
            let isRemovable = monitor.withState { state in
                !state.wantsFile(for: lane) && (lane == .main || state.mailbox.isSettled) && state.ring.detachIdle(lane)
            }
            if !isRemovable { continue }
            removeRing(of: lane)
            if lane == .pending, pending?.active == nil {
                closePending()
                try? main.folder.removeFolderIfEmpty(PendingFolder.name)
            }
        }
    }

    private func makeRing(for lane: Lane) {
        let key = UInt64(bitPattern: context.wallClock.milliseconds) &* SplitMix64.step
        do throws(EventFileError) {
            let segments = try lane == .main ? main : openPending()
            // Somebody may have removed the folder that the pending lane has open.
            let folder =
                try lane == .main ? main.folder : storing { () throws(FileSystemError) in try main.folder.madeFolder(PendingFolder.name) }
            try rings.make(for: lane, in: folder, beside: segments, key: key)
        } catch {
            rings.failed(error, in: main.folder)
        }
    }

    func removeRing(of lane: Lane) {
        // A power loss may bring the file back: then it has to be empty, as its lines are elsewhere.
        if lane == .pending { try? rings.synchronize(lane) }
        rings.close(lane, isRemoved: true)
    }

    /// Before a segment is published, syncs the rings' notes of which lines are in segments: a power loss must not bring these lines back.
    func synchronizeRings(before segments: SegmentWriter) {
        guard let segment = segments.active, segment.members > 0, !segment.isPublished else { return }
        writeRings()
        for lane in Lane.allCases {
            do throws(FileSystemError) { try rings.synchronize(lane) } catch { loseRing(of: lane, error) }
        }
    }

    /// Writes what is in rings and not yet in their files, where the files are not mapped.
    func writeRings() {
        for lane in Lane.allCases {
            guard let ring = rings[lane], let file = ring.file, let written = ring.written else { continue }
            do throws(FileSystemError) {
                let (writes, error) = monitor.withState { _ in
                    // Under the lock: callers write, too, and the order of the writes counts.
                    if written.isAtOnce { ring.writeAtOnce() }
                    return (ring.takeWrites(), written.error)
                }
                if let error { throw error }
                for write in writes { try file.write(write) }
            } catch {
                loseRing(of: lane, error)
            }
        }
    }

    /// Removes a ring file that cannot be written: a recovery would take lines that are in segments. Its lines wait in memory alone.
    private func loseRing(of lane: Lane, _ error: FileSystemError) {
        monitor.withState { $0.ring.detach(lane) }
        rings.close(lane, isRemoved: true)
        rings.failed(.storage(error), in: main.folder)
    }

    /// Makes a ring anew if somebody removed its file.
    func checkRings() {
        let missing = Lane.allCases.filter { (try? rings.hasItsName($0)) == false }
        for lane in missing {
            monitor.withState { $0.ring.detach(lane) }
            rings.close(lane, isRemoved: false)
        }
        if !missing.isEmpty { tendRings() }
    }

    /// Closes the rings. A file with lines or drops stays for the next writer. Without `leaving` they wait in memory, too.
    func closeRings(leaving: Bool = false) {
        for lane in Lane.allCases where rings[lane] != nil {
            let isDone = monitor.withState { state in
                if state.ring.detachIdle(lane) { return true }
                // What is left must be in the file. Callers may have recorded since it was written, and it may lack room for what waits.
                let ring = state.ring[lane].ring
                if leaving { ring.writeAtOnce() }
                let isLeft = leaving && ring.file != nil && ring.written?.error == nil
                if isLeft { state.ring.leave(lane) } else { state.ring.detach(lane) }
                return leaving && !isLeft
            }
            if isDone { removeRing(of: lane) } else { rings.close(lane, isRemoved: false) }
        }
        rings.closeUnremoved()
    }
}
