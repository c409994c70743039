import Basics
import TrackingEvents

/// What the thread does about the ring files.
extension WriterThread {
    /// Makes the rings that are wanted and not there, and removes those that are not wanted any more. The thread has no lines in hand.
    func tendRings() {
        monitor.withState { $0.mailbox.mustTendRings = false }
        writeRings()
        // An erasure that is not done would take the ring with it, whichever process began it, and lines that were recorded since.
        guard hasLookedForErasure, monitor.withState({ $0.mailbox.erasures == nil }) else { return }
        for lane in Lane.allCases where monitor.withState({ $0.ring.wantsFile(for: lane, isSettled: $0.mailbox.isSettled) }) {
            if rings[lane] == nil && rings.mayMake { makeRing(for: lane) }
            // More may wait than there is room for: then it is tried again when less does.
            guard let ring = rings[lane] else { continue }
            monitor.withState { if $0.ring.wantsFile(for: lane, isSettled: $0.mailbox.isSettled) { $0.ring.attach(ring, to: lane) } }
        }
        for lane in Lane.allCases where rings[lane] != nil {
            let isRemovable = monitor.withState { state in
                guard state.ring.canRemoveFile(of: lane, isSettled: state.mailbox.isSettled) else { return false }
                state.ring.detach(lane)
                return true
            }
            if !isRemovable { continue }
            removeRing(of: lane)
            if lane == .pending { pending.closeIfUnused() }
        }
    }

    private func makeRing(for lane: Lane) {
        do throws(EventFileError) {
            let key = UInt64(bitPattern: wallClock.milliseconds) &* 0x9E37_79B9_7F4A_7C15
            switch lane {
            case .main:
                _ = try rings.make(
                    for: lane, in: main.folder, isFolderOwned: false, writer: main.writer, highestNumber: main.lastNumber, key: key)
            case .pending:
                let segments = try openPending()
                let folder = try storing { () throws(FileSystemError) in try main.folder.madeFolder(PendingFolder.name) }
                do throws(EventFileError) {
                    _ = try rings.make(
                        for: lane, in: folder, isFolderOwned: true, writer: segments.writer, highestNumber: segments.lastNumber, key: key)
                } catch {
                    folder.close()
                    throw error
                }
            }
        } catch {
            ringFailed(error)
        }
    }

    private func ringFailed(_ error: EventFileError) {
        if case .storage(let reason) = error {
            rings.failed(.ringInMemory(path: main.folder.path, reason: reason))
        } else {
            rings.failed(error)
        }
    }

    /// Says once that events wait in memory alone, where storage works for all else.
    func reportMissingRing() {
        if let error = rings.takeUnsaid() { onError?(error) }
    }

    /// Removes a ring that is not attached any more.
    func removeRing(of lane: Lane) {
        // A power loss may bring the name back: then it has to be empty, as what it held is elsewhere.
        if lane == .pending { try? rings.synchronize(lane) }
        rings.close(lane, isRemoved: true)
    }

    /// Brings to the storage which lines are in segments, before a segment can be published and taken away: a power loss must not bring
    /// back lines that somebody has already.
    func synchronizeRings(before segments: SegmentWriter) {
        guard let segment = segments.active, segment.members > 0, !segment.isPublished else { return }
        writeRings()
        for lane in Lane.allCases where rings[lane] != nil {
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
        ringFailed(.storage(error))
    }

    /// Makes a ring anew whose name somebody took away.
    func checkRings() {
        var isMissing = false
        for lane in Lane.allCases {
            guard let hasItsName = try? rings.hasItsName(lane), !hasItsName else { continue }
            monitor.withState { $0.ring.detach(lane) }
            rings.close(lane, isRemoved: false)
            isMissing = true
        }
        if isMissing { tendRings() }
    }

    /// Lets the lines wait in memory from now on. A ring file in which something is left stays for the next writer, `leaving` it to the
    /// folder alone or not.
    func closeRings(leaving: Bool = false) {
        for lane in Lane.allCases where rings[lane] != nil {
            let isDone = monitor.withState { state in
                let isEmpty = state.ring[lane].count == 0 && state.ring[lane].tally.isEmpty
                if leaving && !isEmpty { state.ring.leave(lane) } else { state.ring.detach(lane) }
                return isEmpty
            }
            if isDone { removeRing(of: lane) } else { rings.close(lane, isRemoved: false) }
        }
    }

    /// Removes the ring file of the pending lane; `false` if something waits in it.
    func closePendingRing() -> Bool {
        let isUnused = monitor.withState { state in
            let lane = state.ring.pending
            guard lane.ring.file == nil || lane.count == 0 && lane.tally.isEmpty else { return false }
            state.ring.detach(.pending)
            return true
        }
        if isUnused { removeRing(of: .pending) }
        return isUnused
    }
}
