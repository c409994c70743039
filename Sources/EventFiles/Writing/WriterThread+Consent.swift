import Basics
import TrackingEvents

/// What the thread does about consent and erasing.
extension WriterThread {
    /// Erases the folder up to the last erasure that was asked for, and first finishes what a killed process began. Nothing is written
    /// before that is done.
    func erase(upTo last: Int?) throws(EventFileError) {
        try storing { () throws(FileSystemError) in
            if !hasLookedForErasure {
                if try Erasure.isBegun(in: main.folder) {
                    try Erasure(folder: main.folder, number: random.next(), clock: clock).finish()
                }
                // What waited when somebody erased the folder was to go, too.
                if let lastErasure, try Erasure.lastNumber(in: main.folder) != lastErasure { monitor.withState { $0.ring.forgetAll() } }
                lastErasure = nil
                hasLookedForErasure = true
                monitor.withState { $0.mailbox.mustTendRings = true }
                storageWorks()
            }
            guard let last else { return }
            closeRings()
            pending.close()
            main.letGo()
            summaries?.hold()
            defer { summaries?.goOn() }
            let number = random.next()
            try Erasure(
                folder: main.folder, number: number, clock: clock, callBackUploads: { [monitor] in monitor.observers.notify(.erasing) }
            ).run()
            main.rename(to: random.next())
            monitor.withState { $0.mailbox.erased(upTo: last) }
            storageWorks()
        }
    }

    /// Writes what was recorded on the main lane before the grant, and seals that file, before anything is written that came after what is to be
    /// promoted. The promoted files have higher numbers than that file, and the next file has a higher number than theirs. So files go in
    /// the order of recording, and no session gets a hole.
    func makeWayForPromotion() throws(EventFileError) {
        guard monitor.withState({ $0.ring.grants.first?.main != nil }) else { return }
        try write(.main, fullMembersOnly: false)
        let isThere = try storing { () throws(FileSystemError) in try pending.isThere() }
        if isThere || monitor.withState({ $0.ring.hasGranted }) { try seal(main) }
        monitor.withState { if !$0.ring.grants.isEmpty { $0.ring.grants[0].main = nil } }
    }

    /// Promotes or erases the pending folder, as was decided. A failure does not keep other events from being written: it is reported once,
    /// and tried again after a pause, or when somebody asks. Gives the error, if there is still something to do.
    func settle(isAsked: Bool) -> EventFileError? {
        guard let decision else { return nil }
        if let settling, !isAsked, clock.nanoseconds < settling.at { return nil }
        do throws(EventFileError) {
            switch decision {
            case .promote:
                try write(.pending, fullMembersOnly: false, granted: true)
                if let segments = pending.segments { try seal(segments) }
                // What was recorded since, while consent was pending again, waits on in its ring.
                let report = try pending.promote(isInUse: !closePendingRing())
                if !report.isEmpty { onRecovery?(report) }
                try seal(main, becauseOthersCame: true)
            case .erase:
                monitor.withState { $0.ring.detach(.pending) }
                removeRing(of: .pending)
                try pending.erase()
            }
        } catch {
            let delay = pause(after: settling?.delay)
            if settling == nil { onError?(error) }
            settling = (delay, clock.nanoseconds.addingClamped(delay))
            return error
        }
        settling = nil
        self.decision = nil
        monitor.withState { $0.carriedOut(decision) }
        return nil
    }
}
