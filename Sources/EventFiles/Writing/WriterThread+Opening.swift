import TrackingEvents

/// How the thread opens the folder, gives it back while the writer is suspended, and closes it.
extension WriterThread {
    var isOpen: Bool { main.folder.isOpen }

    /// Finishes an erasure that a killed process began, looks for orphans, and makes the rings.
    func beginInFolder() {
        if options.index == .atSeal, options.contents == .events {
            summaries = SealedSummaries(folder: main.folder, options: options) { [monitor] in monitor.withState { $0.mailbox.mustGiveUp } }
        }
        do throws(EventFileError) { try erase(upTo: nil) } catch { storageFailed(error, wasScheduled: false) }
        recovery = newRecovery()
        expiring = [main.folder.path: []]
        tendRings()
    }

    /// Opens the folder as a new writer does, with new digits: what this one has left there is recovered like anybody's. Gives the error.
    func open() -> EventFileError? {
        do throws(EventFileError) {
            let folder = try EventFolder.open(main.folder.path, on: main.folder.fileSystem)
            main = SegmentWriter(folder: folder, context: context, writer: random.next())
            pendingNames = SeededRandom(seed: random.next())
            (hasLookedForErasure, hasSynchronizedOrphans) = (false, false)
            // Whatever had failed is tried again.
            episode?.retryAt = context.clock.nanoseconds
            beginInFolder()
            return nil
        } catch {
            let reason = options.reason(error, main.folder.path)
            storageFailed(reason, wasScheduled: true)
            return reason
        }
    }

    /// Opens the folder if that is allowed; `nil` if it is open now. Else answers the requests, and says whether the writer is closed.
    func turnWithoutFolder(_ errand: WriterMonitor.Errand) -> Bool? {
        let isSuspending = unanswered.contains { $0.kind == .suspend }
        let (mayOpen, isIdle) = monitor.withState { [isClosing] state in
            let isIdle = Lane.allCases.allSatisfy { state.ring[$0].isIdle }
            let mayOpen = !state.ring.suspension.isOn || isClosing || state.mailbox.mustOpen && isSuspending
            if mayOpen { state.mailbox.mustOpen = false }
            return (mayOpen, isIdle && state.mailbox.isSettled)
        }
        var error: EventFileError? = .suspended
        if isClosing && isIdle { error = nil } else if mayOpen { error = open() }
        if isOpen { return nil }
        answer(errand.requests, error)
        if isClosing, error == nil || errand.wake == .giveUp {
            finish(error)
            return true
        }
        suspendIfAsked(nil)
        return false
    }

    /// Does what ``EventFileWriter/suspend()`` asks for, now that everything else is done as far as it can be.
    func suspendIfAsked(_ error: EventFileError?) {
        if isClosing || !unanswered.contains(where: { $0.kind == .suspend }) { return }
        // It may have been resumed meanwhile.
        if isOpen, monitor.isSuspended { letGo() }
        end(.suspend, error)
    }

    /// Gives back the folder with every lock and descriptor, and stops recovering.
    private func letGo() {
        end(.recovery, .suspended)
        (recovery, isRecoveryPostponed, expiring) = (nil, false, [:])
        // An erasure that has begun already does not concern what waits from now on, even if it is finished later.
        if hasLookedForErasure, (try? Erasure.isBegun(in: main.folder)) == false { lastErasure = try? Erasure.lastNumber(in: main.folder) }
        closeFolder(leavingRings: true, stopping: true)
    }

    private func closeFolder(leavingRings: Bool, stopping: Bool) {
        let hadPendingRing = rings[.pending] != nil
        closeRings(leaving: leavingRings)
        closePending()
        summaries.take()?.finish(stopping: stopping)
        // The folder was made for the ring, perhaps for nothing else.
        if hadPendingRing { try? main.folder.removeFolderIfEmpty(PendingFolder.name) }
        main.abandon()
        main.folder.close()
    }

    /// The last thing the thread does. Afterwards nothing of it is left but its handle.
    func finish(_ error: EventFileError?) {
        if error == nil {
            // What is left when the deadline is over is for the next writer.
            while recovery?.isDone == false, !monitor.withState({ $0.mailbox.mustGiveUp }) { recovery?.step() }
        }
        if let recovery { recoveryEnded(recovery) }
        monitor.stopTaking()
        reportDrops(isLast: true)
        closeFolder(leavingRings: false, stopping: error != nil)
        for request in monitor.withState({ $0.mailbox.end() }) {
            request.completion(request.kind == .close ? error : request.kind == .suspend ? nil : .closed)
        }
        end(.suspend, nil)
        end(.close, error)
        // Another thread may get this one's name from now on.
        monitor.withState { $0.mailbox.thread = nil }
    }
}
