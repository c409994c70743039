import Basics
import TrackingEvents

extension WriterThread {
    /// Makes the rings that are wanted and not there, and removes those that are not wanted any more. The thread has no lines in hand.
    func tendRings() {
        monitor.withState { $0.mailbox.mustTendRings = false }
        writeRings()
        // An erasure that is not done would take the ring with it, whichever process began it, and lines that were recorded since.
        guard hasLookedForErasure, monitor.withState({ $0.mailbox.erasures == nil }) else { return }
        for lane in Lane.allCases where monitor.withState({ $0.wantsFile(for: lane) }) {
            if rings[lane] == nil && rings.mayMake { makeRing(for: lane) }
            // More may wait than there is room for: then it is tried again when less does.
            guard let ring = rings[lane] else { continue }
            monitor.withState { if $0.wantsFile(for: lane) { $0.ring.attach(ring, to: lane) } }
        }
        for lane in Lane.allCases where rings[lane] != nil {
            // Whoever carries out a decision about the pending folder looks after the ring there.
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
            // Somebody may have removed the one that the pending lane has open.
            let folder =
                try lane == .main
                ? main.folder : storing { () throws(FileSystemError) in try main.folder.madeFolder(PendingFolder.name) }
            try rings.make(for: lane, in: folder, beside: segments, key: key)
        } catch {
            rings.failed(error, in: main.folder)
        }
    }

    func removeRing(of lane: Lane) {
        // A power loss may bring the name back: then it has to be empty, as what it held is elsewhere.
        if lane == .pending { try? rings.synchronize(lane) }
        rings.close(lane, isRemoved: true)
    }

    /// Brings to the storage which lines are in segments, before one is published: a power loss must not bring back what somebody has.
    func synchronizeRings(before segments: SegmentWriter) {
        guard let segment = segments.active, segment.members > 0, !segment.isPublished else { return }
        writeRings()
        for lane in Lane.allCases {
            do throws(FileSystemError) { try rings.synchronize(lane) } catch { loseRing(of: lane, error) }
        }
    }

    /// Writes what is in rings and not in their files yet, where these are not mapped.
    func writeRings() {
        for lane in Lane.allCases {
            guard let ring = rings[lane], let file = ring.file, let written = ring.written else { continue }
            do throws(FileSystemError) {
                let (writes, error) = monitor.withState { _ in
                    // Callers that write themselves come in order with this.
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

    /// Lets the lines wait in memory alone, because their file fails: whoever recovers it later would take lines that are in segments.
    private func loseRing(of lane: Lane, _ error: FileSystemError) {
        monitor.withState { $0.ring.detach(lane) }
        rings.close(lane, isRemoved: true)
        rings.failed(.storage(error), in: main.folder)
    }

    /// Makes a ring anew whose name somebody took away.
    func checkRings() {
        let missing = Lane.allCases.filter { (try? rings.hasItsName($0)) == false }
        for lane in missing {
            monitor.withState { $0.ring.detach(lane) }
            rings.close(lane, isRemoved: false)
        }
        if !missing.isEmpty { tendRings() }
    }

    /// Lets the lines wait in memory from now on, or with `leaving` in the ring file alone, which stays for the next writer in any case.
    func closeRings(leaving: Bool = false) {
        for lane in Lane.allCases where rings[lane] != nil {
            let isDone = monitor.withState { state in
                if state.ring.detachIdle(lane) { return true }
                if leaving { state.ring.leave(lane) } else { state.ring.detach(lane) }
                return false
            }
            if isDone { removeRing(of: lane) } else { rings.close(lane, isRemoved: false) }
        }
    }

}
