import Basics
import TrackingEvents

/// What the thread does about consent and erasing.
extension WriterThread {
    /// Erases the folder if somebody asked for it, and first finishes what a killed process began. Nothing is written before that is done.
    ///
    /// - Parameter number: the last erasure that was asked for; `nil` for none.
    func erase(upTo number: Int?) throws(EventFileError) {
        do throws(FileSystemError) {
            if !hasLookedForErasure {
                if try Erasure.isBegun(in: main.folder) { try Erasure(folder: main.folder, clock: clock).finish() }
                hasLookedForErasure = true
                monitor.withState { $0.mailbox.mustTendRings = true }
                storageWorks()
            }
            guard let number else { return }
            closeRings()
            pending.close()
            main.letGo()
            summaries?.hold()
            defer { summaries?.goOn() }
            try Erasure(folder: main.folder, clock: clock, callBackUploads: { [monitor] in monitor.observers.notify(.erasing) }).run()
            main.rename(to: random.next())
            monitor.withState { $0.mailbox.erased(upTo: number) }
            storageWorks()
        } catch {
            throw .storage(error)
        }
    }

    /// Finishes the main file under way before anything is written that came after what is to be promoted. The promoted files have higher
    /// numbers than that file, and the next file has a higher number than theirs. So retention removes in the order of recording, and no
    /// session gets a hole.
    func makeWayForPromotion() throws(EventFileError) {
        if hasMadeWay { return }
        do throws(FileSystemError) {
            guard try pending.isThere() else { return }
        } catch {
            throw .storage(error)
        }
        try seal(main)
        hasMadeWay = true
    }

    /// Promotes or erases the pending folder, as was decided. A failure does not keep other events from being written: it is reported once,
    /// and tried again after a pause, or when somebody asks.
    ///
    /// - Returns: the error, if there is still something to do.
    func settle(isAsked: Bool) -> EventFileError? {
        guard let decision else { return nil }
        if let settling, !isAsked, clock.nanoseconds < settling.at { return nil }
        do throws(EventFileError) {
            switch decision {
            case .promote:
                recoverRings()
                try makeWayForPromotion()
                if let segments = pending.segments { try seal(segments) }
                let report = try pending.promote()
                if !report.isEmpty { onRecovery?(report) }
                try seal(main, becauseOthersCame: true)
            case .erase: try pending.erase()
            }
        } catch {
            let delay = pause(after: settling?.delay)
            if settling == nil { onError?(error) }
            settling = (delay, clock.nanoseconds.addingClamped(delay))
            return error
        }
        settling = nil
        hasMadeWay = false
        self.decision = nil
        monitor.withState { $0.mailbox.decisionCarriedOut() }
        return nil
    }
}
