import TrackingEvents

/// How the thread opens the folder, gives it back while the writer is suspended, and closes it.
extension WriterThread {
    var isOpen: Bool { main.folder.isOpen }

    /// Finishes an erasure that a killed process began, lists what killed writers left, and makes the rings.
    func beginInFolder() {
        if options.index == .atSeal, options.contents == .events {
            summaries = SealedSummaries(folder: main.folder, options: options) { [monitor] in monitor.withState { $0.mailbox.mustGiveUp } }
        }
        do throws(EventFileError) { try erase(upTo: nil) } catch { storageFailed(error, wasScheduled: false) }
        recovery = newRecovery()
        opened = (context.wallClock.milliseconds, context.clock.nanoseconds)
        expiring = [main.folder.path: []]
        tendRings()
    }

    /// Opens the folder as a new writer does, with new digits, so that it recovers its own earlier files, too. Gives the error if it fails.
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

    /// Opens the folder if allowed; `nil` if it is open afterwards. Else answers the requests, and says whether the writer is closed.
    func turnWithoutFolder(_ errand: WriterMonitor.Errand) -> Bool? {
        let isSuspending = unanswered.contains { $0.kind == .suspend }
        let (mayOpen, isIdle) = monitor.withState { [isClosing] state in
            let isIdle = Lane.allCases.allSatisfy { state.ring[$0].isIdle }
            let mayOpen = !state.ring.suspension.isOn || isClosing || isSuspending && (state.mailbox.mustOpen || !isIdle)
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
        suspendIfAsked(mayOpen ? error : nil)
        return false
    }

    /// Does what ``EventFileWriter/suspend()`` asks for, now that everything else is done as far as it can be.
    func suspendIfAsked(_ error: EventFileError?) {
        if isClosing || !unanswered.contains(where: { $0.kind == .suspend }) { return }
        // The writer may have been resumed meanwhile.
        if isOpen, monitor.isSuspended { letGo() }
        end(.suspend, error)
    }

    /// Gives back the folder with every lock and descriptor, and stops recovering.
    private func letGo() {
        end(.recovery, .suspended)
        // An erasure that is under way does not concern lines that come from now on, even if it ends later.
        if hasLookedForErasure { lastErasure = try? Erasure.lastNumber(in: main.folder) }
        closeFolder(leavingRings: true, stopping: true)
    }

    func closeFolder(leavingRings: Bool, stopping: Bool) {
        (recovery, expiring) = (nil, [:])
        let hadPendingRing = rings[.pending] != nil
        closeRings(leaving: leavingRings)
        closePending()
        summaries.take()?.finish(stopping: stopping)
        // The pending folder may have been made for the ring alone.
        if hadPendingRing { try? main.folder.removeFolderIfEmpty(PendingFolder.name) }
        main.abandon()
        main.folder.close()
    }

    /// The last thing the thread does. Afterwards only its handle is left.
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
        // The system may give this thread's id to another thread from now on.
        monitor.withState { $0.mailbox.thread = nil }
    }
}
