import Basics

/// The folder `.pending/`, which holds events while consent is pending. Readers leave it out, because its name begins with a dot.
///
/// It is a folder of event files with rotation, expiry and recovery, until it is promoted or erased.
enum PendingFolder { static let name = ".pending" }

extension WriterThread {
    func openPending() throws(EventFileError) -> SegmentWriter {
        if let pending { return pending }
        return try storing { () throws(FileSystemError) in
            let folder = try main.folder.madeFolder(PendingFolder.name)
            try Erasure(folder: folder, clock: context.clock).finishIfBegun()
            // Without this, orphans would fill the folder of an app that is killed in each run while the person never decides.
            var recovery = Recovery(folder: folder, above: main.folder, options: options, clock: context.wallClock)
            _ = recovery.run()
            // New digits each time: a file that is moved from here must find its name free.
            let opened = SegmentWriter(folder: folder, above: main.folder, context: context, writer: pendingNames.next())
            pending = opened
            expiring[folder.path] = []
            return opened
        }
    }

    /// Closes the segment under way in the pending folder as it is. The folder stays open for as long as its ring does.
    func closePending() { pending.take()?.abandon() }

    /// Erases the folder, if that was asked for. First finishes an erasure that a killed process began. Nothing is written before.
    func erase(upTo last: Int?) throws(EventFileError) {
        try storing { () throws(FileSystemError) in
            if !hasLookedForErasure {
                try Erasure(folder: main.folder, number: random.next(), clock: context.clock).finishIfBegun()
                // If somebody erased the folder meanwhile, older lines that wait here are to go, too.
                if let lastErasure, try Erasure.lastNumber(in: main.folder) != lastErasure { monitor.withState { $0.ring.forgetAll() } }
                lastErasure = nil
                hasLookedForErasure = true
                monitor.withState { $0.mailbox.mustTendRings = true }
                storageWorks()
            }
            guard let last else { return }
            closeRings()
            closePending()
            main.letGo()
            summaries?.hold()
            defer { summaries?.goOn() }
            try Erasure(
                folder: main.folder, number: random.next(), clock: context.clock,
                callBackUploads: { [monitor] in monitor.observers.notify(.erasing) }
            ).run()
            // No new file may have the name of an erased one, which an upload's destination may know.
            main.writer = random.next()
            monitor.withState { $0.mailbox.erased(upTo: last) }
            storageWorks()
        }
    }

    /// Writes what was recorded on the main lane before the grant, and seals that file before anything else is written: the promoted files
    /// have higher numbers, and the next file the highest. So expiry removes files in the order of recording, and no session gets a gap.
    func makeWayForPromotion() throws(EventFileError) {
        guard monitor.withState({ $0.ring.grants.first?.main != nil }) else { return }
        try write(.main, fullMembersOnly: false)
        let isThere = try storing { () throws(FileSystemError) in try main.folder.status(PendingFolder.name)?.kind == .folder }
        if isThere || monitor.withState(\.ring.hasGranted) { try seal(main) }
        monitor.withState { if !$0.ring.grants.isEmpty { $0.ring.grants[0].main = nil } }
    }

    /// Promotes or erases the pending folder, as was decided. A failure does not keep other events from being written: it is reported once,
    /// and tried again after a pause, or when somebody asks. Gives the error of a failed attempt.
    func settle(isAsked: Bool) -> EventFileError? {
        guard let decision else { return nil }
        if let settling, !isAsked, context.clock.nanoseconds < settling.at { return nil }
        do throws(EventFileError) {
            switch decision {
            case .promote: try promote()
            case .erase:
                monitor.withState { $0.ring.detach(.pending) }
                removeRing(of: .pending)
                closePending()
                try inPendingFolder { folder throws(EventFileError) in
                    try storing { () throws(FileSystemError) in try Erasure(folder: folder, clock: context.clock).run() }
                }
            }
        } catch {
            let delay = context.pause(after: settling?.delay)
            if settling == nil { context.onError?(error) }
            settling = (delay, context.clock.nanoseconds.addingClamped(delay))
            return error
        }
        settling = nil
        self.decision = nil
        monitor.withState { $0.carriedOut(decision) }
        return nil
    }

    /// Moves the pending folder's files to the main folder, except its ring if events wait there.
    private func promote() throws(EventFileError) {
        try write(.pending, fullMembersOnly: false, granted: true)
        if let pending { try seal(pending) }
        // Events that were recorded since, while consent was pending again, stay in the pending ring.
        if monitor.withState({ $0.ring.pending.ring.file == nil || $0.ring.detachIdle(.pending) }) {
            removeRing(of: .pending)
            closePending()
        }
        let wasThere = try inPendingFolder { folder throws(EventFileError) in
            let isErased = try storing { () throws(FileSystemError) in try Erasure(folder: folder, clock: context.clock).finishIfBegun() }
            // What the person refused must not come back, whatever was decided later.
            if isErased { return }
            let recovered = try Promotion(pending: folder, main: main.folder, options: options, clock: context.wallClock).run()
            if !recovered.isEmpty { context.onRecovery?(recovered) }
        }
        // Without a file under way this seals nothing, but it looks at the limits.
        if wasThere || main.active == nil { try seal(main, becauseOthersCame: true) }
    }

    /// Does something with the pending folder, if it exists, and removes it if it is empty afterwards. Says whether it was there.
    @discardableResult
    private func inPendingFolder(_ body: (EventFolder) throws(EventFileError) -> Void) throws(EventFileError) -> Bool {
        let found = try storing { () throws(FileSystemError) in try main.folder.existingFolder(PendingFolder.name) }
        guard let folder = found else { return false }
        try body(folder)
        try storing { () throws(FileSystemError) in
            try main.folder.removeFolderIfEmpty(PendingFolder.name)
            try main.folder.synchronize()
        }
        return true
    }
}
