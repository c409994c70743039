import Basics
import TrackingEvents

/// The writer's own thread: compresses, writes, seals, recovers. Nothing here is reached by another thread.
///
/// Each turn takes an errand from the monitor, carries it out, and answers those who wait for it (``run()``).
final class WriterThread {
    /// What a turn that did not fail left undone: why the pending folder is not settled, and which file was lost, for a flush to report.
    private typealias Outcome = (unsettled: EventFileError?, lost: EventFileError?)

    /// The pause before the next attempt to open a folder while the device is locked.
    private static let lockedPause: Int64 = 5_000_000_000

    let monitor: WriterMonitor
    let context: WriterContext
    /// Writes the segments of the main lane. Its folder is open while the writer is awake.
    var main: SegmentWriter
    /// Writes the segments of the pending lane; `nil` until its first line.
    var pending: SegmentWriter?
    let encoder: EventLineEncoder
    var random: SeededRandom
    /// The source of the digits in the names of the pending lane's segments.
    var pendingNames: SeededRandom
    /// The time in which storage fails: from the first error to the first success.
    var episode: (errno: Int32, delay: Int64, retryAt: Int64)?
    var recovery: Recovery?
    var unanswered: [WriterMailbox.Request] = []
    var isRecoveryPostponed = false
    /// Folders in which a file beyond the limits could not be removed, which was reported.
    var overfullFolders: Set<String> = []
    var stuck: Set<String> = []
    /// By folder, the segments that were looked at since something in it may have expired.
    var expiring: [String: Set<String>] = [:]
    /// What kept files from being chosen or counted for removal.
    var expiryError: FileSystemError?
    /// The drops that `onDrop` has reported, and since when there are others.
    private var reportedDrops: (counts: [DropReason: Int], since: Int64?) = ([:], nil)
    var decision: WriterMailbox.PendingDecision?
    var hasLookedForErasure = false
    /// The number of the folder's last erasure when the folder was given back; `nil` if it is unknown, or was compared already.
    var lastErasure: String?
    /// Set while the decision could not be carried out: the pause, and when it ends.
    var settling: (delay: Int64, at: Int64)?
    let rings: RingKeeper
    /// `nil` where summaries are made on request only, and while the folder is not open.
    var summaries: SealedSummaries?
    var hasSynchronizedOrphans = false
    private var hasWritten = false

    /// - Parameters:
    ///   - folder: open, or yet to be opened.
    ///   - lastErasure: the number of the last erasure in a folder that was looked at and is not open.
    init(monitor: WriterMonitor, folder: EventFolder, context: WriterContext, random: SeededRandom, writer: UInt64, lastErasure: String?) {
        self.monitor = monitor
        self.context = context
        main = SegmentWriter(folder: folder, context: context, writer: writer)
        rings = RingKeeper(context)
        self.lastErasure = lastErasure
        encoder = EventLineEncoder(sensitivity: context.options.sensitivity)
        // The ring draws its ids from `random`: the thread needs another seed, or ids would come twice.
        pendingNames = random
        var ring = random
        self.random = SeededRandom(seed: ring.next())
    }

    var options: EventFileWriterOptions { context.options }

    func run() {
        begin()
        while turn(monitor.nextErrand(times)) {}
    }

    func begin() {
        monitor.withState { $0.mailbox.thread = PosixThread.current }
        if isOpen { beginInFolder() } else if !monitor.isSuspended { _ = open() }
    }

    var times: WriterMonitor.Times {
        WriterMonitor.Times(
            retry: episode?.retryAt, rotate: underWay.compactMap(\.rotateAt).min(), settle: settling?.at, isClosing: isClosing,
            isOpen: isOpen, hasBackground: recovery != nil || !expiring.isEmpty)
    }

    /// Carries out an errand and answers those who wait for it; `false` once the writer is closed.
    func turn(_ errand: WriterMonitor.Errand) -> Bool {
        unanswered += errand.requests.filter(\.kind.isDoneByClosing)
        if !isOpen, let isLast = turnWithoutFolder(errand) { return !isLast }
        tendRings()
        if errand.wake == .rings { return true }
        if errand.wake == .background {
            workInBackground()
            return true
        }
        decision = errand.decision
        var outcome: Outcome = (nil, nil)
        var failure: EventFileError?
        do throws(EventFileError) {
            hasWritten = false
            outcome = try work(errand)
            tendRings()
            // That events wait in memory alone is reported only where storage works for all else.
            if hasWritten, let error = rings.takeUnsaid() { context.onError?(error) }
            reportDrops()
        } catch {
            storageFailed(error, wasScheduled: errand.wake == .retry)
            failure = error
        }
        answer(errand.requests, failure ?? outcome.unsettled, lost: outcome.lost)
        if isClosing, failure == nil || errand.wake == .giveUp {
            finish(failure ?? outcome.unsettled)
            return false
        }
        suspendIfAsked(failure ?? outcome.lost ?? outcome.unsettled)
        return true
    }

    /// What a turn does for the files, each duty after those whose files must come first.
    private func work(_ errand: WriterMonitor.Errand) throws(EventFileError) -> Outcome {
        let (wake, requests) = (errand.wake, errand.requests.map(\.kind))
        let isAsked = isClosing || !requests.isEmpty
        var outcome: Outcome = (nil, nil)
        try erase(upTo: errand.erasures)
        if main.isSealing || main.mustSeal { try seal(main) }
        checkRings()
        // A file without its name goes with the process, whatever is written to it: another process may have erased the folder.
        for segments in underWay where try segments.isLost { outcome.lost = try seal(segments) ?? outcome.lost }
        if decision == .promote { try makeWayForPromotion() }
        outcome.unsettled = settle(isAsked: isAsked)
        try write(.main, fullMembersOnly: wake == .fullMembers)
        for segments in underWay where segments.isSealing || segments.mustSeal { try seal(segments) }
        try writePending(fullMembersOnly: wake == .fullMembers)
        // What had failed is done by now, or need not be done any more.
        if wake == .retry {
            try expireSome()
            storageWorks()
        }
        // Storage works again: the line that says so belongs to what was asked for.
        if isAsked {
            try write(.main, fullMembersOnly: false)
            try writePending(fullMembersOnly: false)
        }
        if wake == .rotate || isClosing || requests.contains(.rotate) || requests.contains(.suspend) {
            for segments in underWay { try seal(segments) }
        }
        if requests.contains(.flush(.durable)) {
            for segments in underWay { try segments.synchronize() }
            try synchronizeOrphans()
            storageWorks()
        }
        return outcome
    }

    var isClosing: Bool { unanswered.contains { $0.kind == .close } }

    func answer(_ requests: [WriterMailbox.Request], _ error: EventFileError?, lost: EventFileError? = nil) {
        for request in requests {
            switch request.kind {
            case .suspend, .close: break
            // Recovery stops while storage fails, and nobody knows for how long that is.
            case .recovery where recovery != nil && error == nil: unanswered.append(request)
            case .flush: request.completion(lost ?? error)
            case .recovery, .rotate, .erase: request.completion(error)
            }
        }
    }

    func end(_ kind: WriterMailbox.Request.Kind, _ error: EventFileError?) {
        let ended = unanswered.filter { $0.kind == kind }
        unanswered.removeAll { $0.kind == kind }
        for request in ended { request.completion(error) }
    }

    func storageFailed(_ error: EventFileError, wasScheduled: Bool) {
        var delay = episode?.delay ?? context.pause()
        if episode != nil, wasScheduled { delay = context.pause(after: delay) }
        if case .locked = error { delay = Self.lockedPause }
        let isNew = episode == nil
        episode = (episode?.errno ?? error.errno ?? 0, delay, context.clock.nanoseconds.addingClamped(delay))
        if !isNew { return }
        monitor.storageFails()
        context.onError?(error)
    }

    func storageWorks() {
        guard let ended = episode.take() else { return }
        rings.retryNow()
        monitor.withState { $0.ring.storageWorks(errno: ended.errno) }
    }

    /// Calls `onDrop` if something was dropped and that is over: everything that waited is written, and storage works. Drops that go on
    /// are reported once in each ``EventFileWriterOptions/longestRetry``, and the last ones when the writer ends.
    func reportDrops(isLast: Bool = false) {
        guard let onDrop = context.onDrop else { return }
        let (dropped, isIdle) = monitor.withState { ($0.ring.statistics.receipt.droppedByReason, $0.ring.untakenLines == 0) }
        let (reported, now) = (reportedDrops.counts, context.clock.nanoseconds)
        let new = dropped.filter { $0.value > reported[$0.key, default: 0] }
        if new.isEmpty { return }
        let since = reportedDrops.since ?? now
        reportedDrops.since = since
        let isLong = now.subtractingClamped(since) >= max(1, options.longestRetry.clampedNanoseconds)
        guard isLast || episode == nil && (isIdle || isLong) else { return }
        reportedDrops = (dropped, nil)
        onDrop(Dictionary(uniqueKeysWithValues: new.map { ($0, $1 - reported[$0, default: 0]) }))
    }

    /// Syncs what writers left that ended before this one began, and the folder's own name. Once is enough: they write no more.
    private func synchronizeOrphans() throws(EventFileError) {
        if hasSynchronizedOrphans { return }
        try storing { () throws(FileSystemError) in
            try main.folder.synchronizeWay()
            try main.folder.synchronizeUnfinished(but: ownName)
            try main.folder.existingFolder(PendingFolder.name)?.synchronizeUnfinished(but: ownName)
        }
        hasSynchronizedOrphans = true
    }

    /// The writers of segments that may be under way. A pending folder that is to go is left out: its errors must not stop the main lane.
    var underWay: [SegmentWriter] { if let pending, decision == nil { [main, pending] } else { [main] } }

    /// Writes the pending lane, but first what came to the main lane since this turn wrote there.
    private func writePending(fullMembersOnly: Bool) throws(EventFileError) {
        // Once: while the pending lane has lines and is free, no further events come to the main lane.
        if monitor.withState(\.mainGoesFirst) { try write(.main, fullMembersOnly: false) }
        try write(.pending, fullMembersOnly: fullMembersOnly)
    }

    /// Writes what may be written of a lane now, or with `granted` what the grant covers that is carried out.
    func write(_ lane: Lane, fullMembersOnly: Bool, granted: Bool = false) throws(EventFileError) {
        guard let end = monitor.take(lane, reportingDrops: episode == nil, granted: granted) else { return }
        do throws(EventFileError) {
            let segments = lane == .main ? main : try openPending()
            // Behind its end no segment takes more: its seal failed before.
            if segments.isSealing { try seal(segments) }
            while let member = monitor.withState({ $0.ring.nextMember(of: lane, before: end, fullMembersOnly: fullMembersOnly) }) {
                let bytes = try segments.append(member.raw, events: member.events, head: segments.needsHead ? head(on: lane) : nil) {
                    segment in
                    monitor.withState { $0.ring.writesMember(to: segment) }
                    writeRings()
                }
                monitor.written(bytes: bytes)
                hasWritten = true
                storageWorks()
                // A line of a log may be longer than a member; its file has it whole.
                if segments.isFull, member.raw.last == UInt8(ascii: "\n") { try seal(segments) }
            }
        } catch {
            monitor.withState { $0.ring.failed() }
            // The folder itself may be gone: the next attempt makes it anew.
            if lane == .pending, pending?.active == nil { closePending() }
            throw error
        }
    }

    func head(on lane: Lane) -> ByteBuffer? {
        let (sampled, before) = monitor.withState { ($0.ring.sampled, $0.ring[lane].done) }
        return sampled.head(of: lane, linesBefore: before, wall: context.wallClock.milliseconds, encoder: encoder, random: &random)
    }

    /// Publishes the segment under way, and removes what is beyond the limits. Returns the error of a lost segment.
    @discardableResult
    func seal(_ segments: SegmentWriter, becauseOthersCame: Bool = false) throws(EventFileError) -> EventFileError? {
        segments.mustSeal = true
        if segments.active != nil || becauseOthersCame { try ownUp(in: segments) }
        var lost: EventFileError?
        do throws(EventFileError) {
            synchronizeRings(before: segments)
            if try segments.seal() { monitor.withState { $0.ring.statistics.segments += 1 } }
        } catch {
            guard case .segmentLost(_, let events) = error else { throw error }
            // Storage works: the loss is reported and counted, and the next segment begins.
            let lane = segments === main ? Lane.main : .pending
            monitor.withState { $0.ring.lost(events: events, lane: $0.mailbox.currentLane(of: lane)) }
            context.onError?(error)
            lost = error
        }
        segments.mustSeal = false
        storageWorks()
        // The lines that report the removal went with a lost segment: the next seal chooses anew.
        let doomed = segments.doomed.take() ?? []
        remove(lost == nil ? doomed : [], from: segments.folder)
        expiring[segments.folder.path] = []
        if segments === main { segmentsCame() }
        if recovery == nil, isRecoveryPostponed { recovery = newRecovery() }
        return lost
    }

    private func segmentsCame() {
        monitor.observers.notify(.sealed)
        summaries?.look()
    }

    private var ownName: String { SegmentName(stem: options.stem, writer: main.writer, number: 0).writerName }

    func newRecovery() -> Recovery { Recovery(folder: main.folder, options: options, clock: context.wallClock, own: ownName) }

    private func workInBackground() {
        recovery?.step()
        if let recovery { return recovery.isDone ? recoveryEnded(recovery) : () }
        do throws(EventFileError) { try expireSome() } catch { storageFailed(error, wasScheduled: false) }
    }

    func recoveryEnded(_ ended: Recovery) {
        recovery = nil
        isRecoveryPostponed = ended.report.firstError != nil
        monitor.withState { $0.mailbox.recovery = ended.report }
        if !ended.report.isEmpty {
            context.onRecovery?(ended.report)
            segmentsCame()
        }
        end(.recovery, nil)
    }
}
