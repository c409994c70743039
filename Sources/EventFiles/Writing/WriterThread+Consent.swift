import Basics
import TrackingEvents

/// What the thread does about consent: brings the spool to where it belongs, and erases.
extension WriterThread {
    /// Erases the folder if somebody asked for it, or finishes what a killed process had begun. Nothing is written before that is done.
    func erase() throws(EventFileError) {
        do throws(FileSystemError) {
            if !hasLookedForErasure {
                if try Erasure.isBegun(in: segments.folder) { try Erasure(folder: segments.folder).finish() }
                hasLookedForErasure = true
                storageWorks()
            }
            while let number = core.erasureToDo {
                spool.close()
                segments.letGo()
                try Erasure(folder: segments.folder).run()
                core.erased(upTo: number)
                storageWorks()
            }
        } catch {
            throw .storage(error)
        }
    }

    /// Finishes the file under way before anything is written that came after what is to be promoted. The promoted files have higher numbers than
    /// it, and the next file has a higher one than theirs: so what retention removes is always what came first, and no session gets a hole.
    func makeWayForPromotion() throws(EventFileError) {
        guard !hasMadeWay, core.spoolDecision == .promote else { return }
        do throws(FileSystemError) {
            guard try spool.isThere() else { return }
        } catch {
            throw .storage(error)
        }
        try seal(segments)
        hasMadeWay = true
    }

    /// Does with the spool what was decided. What keeps it from being done must not keep the other events from being written: it is told
    /// once, and tried again after a while, or when somebody asks.
    ///
    /// - Returns: the error, if it is still to be done.
    func settle(isAsked: Bool) -> EventFileError? {
        guard let decision = core.spoolDecision else { return nil }
        if let settling, !isAsked, core.clock.nanoseconds < settling.at { return nil }
        do throws(EventFileError) {
            switch decision {
            case .promote:
                try makeWayForPromotion()
                if let segments = spool.segments { try seal(segments) }
                let report = try spool.promote()
                if !report.isEmpty { onRecovery?(report) }
                retain(in: segments.folder)
            case .erase: try spool.erase()
            }
        } catch {
            let longest = max(1, core.options.longestRetry.clampedNanoseconds)
            let delay = min(
                longest, settling.map { $0.delay.addingClamped($0.delay) } ?? max(1, core.options.firstRetry.clampedNanoseconds))
            if settling == nil { onError?(error) }
            settling = (delay, core.clock.nanoseconds.addingClamped(delay))
            return error
        }
        settling = nil
        hasMadeWay = false
        core.spoolSettled()
        return nil
    }
}
