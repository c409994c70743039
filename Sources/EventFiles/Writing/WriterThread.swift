import Basics
import TrackingEvents

/// The writer's own thread: compresses, writes, seals, recovers. Nothing here is reached by another thread.
///
/// Each turn takes an errand from the monitor, carries it out, and answers those who wait for it (``run()``).
final class WriterThread {
    /// What a turn that threw nothing has to report: why the pending folder could not be settled, and which file was lost.
    private typealias Outcome = (unsettled: EventFileError?, lost: EventFileError?)

    /// The pause before the next attempt to open a folder while the device is locked.
    private static let lockedPause: Int64 = 5_000_000_000

    let monitor: WriterMonitor
    let context: WriterContext
    /// Writes the segments of the main lane. Its folder is open while the writer is awake.
    var main: SegmentWriter
    /// Writes the segments of the pending lane; `nil` while its folder is not in use.
    var pending: SegmentWriter?
    let encoder: EventLineEncoder
    var random: SeededRandom
    /// The source of the digits in the names of the pending lane's segments.
    var pendingNames: SeededRandom
    /// The time in which storage fails: from the first error to the first success.
    var episode: (errno: Int32, delay: Int64, retryAt: Int64)?
    var recovery: Recovery?
    var unanswered: [WriterMailbox.Request] = []
    /// Folders about which `onError` was told that a file beyond the limits could not be removed.
    var overfullFolders: Set<String> = []
    /// Segments that could not be removed or counted. Each seal chooses them again, after the others.
    var stuck: Set<String> = []
    /// Folders in which something may have expired, by path, with the segments already looked at.
    var expiring: [String: Set<String>] = [:]
    /// When the folder was opened, on the wall clock and on the monotonic one.
    var opened: (milliseconds: Int64, nanoseconds: Int64) = (0, 0)
    /// The first error that kept files from being chosen or counted for removal.
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
    ///   - lastErasure: the number of the last erasure in a folder that was checked and closed again; `nil` if it is unknown.
    init(monitor: WriterMonitor, folder: EventFolder, context: WriterContext, random: SeededRandom, writer: UInt64, lastErasure: String?) {
        self.monitor = monitor
        self.context = context
        main = SegmentWriter(folder: folder, context: context, writer: writer)
        rings = RingKeeper(context)
        self.lastErasure = lastErasure
        encoder = EventLineEncoder(sensitivity: context.options.sensitivity)
        pendingNames = random
        // The ring draws ids from `random`, too: from the same seed the thread would draw them again.
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
        monitor.withState { $0.mailbox.mustOpen = false }
        tendRings()
        if errand.wake == .background { workInBackground() }
        if errand.wake == .rings || errand.wake == .background { return true }
        decision = errand.decision
        var outcome: Outcome = (nil, nil)
        var failure: EventFileError?
        do throws(EventFileError) {
            hasWritten = false
            outcome = try work(errand)
            tendRings()
            // That events wait in memory alone is news only if storage works for everything else.
            if hasWritten, let error = rings.takeUnsaid() { context.onError?(error) }
            reportDrops()
        } catch {
            storageFailed(error, wasScheduled: errand.wake == .retry)
            // Somebody removed the folder: the next turn opens, or makes, the one at its path. What waits stays in memory. A file under way
            // keeps the folder open for one more turn, which reports it as lost.
            if error.errno == ENOENT, underWay.allSatisfy({ $0.active == nil }), main.folder.isGone {
                end(.recovery, error)
                closeFolder(leavingRings: false, stopping: true)
            }
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

    /// The duties of a turn, in the order in which they must write their files.
    private func work(_ errand: WriterMonitor.Errand) throws(EventFileError) -> Outcome {
        let (wake, requests) = (errand.wake, errand.requests.map(\.kind))
        let isAsked = isClosing || !requests.isEmpty
        var outcome: Outcome = (nil, nil)
        try erase(upTo: errand.erasures)
        if main.isSealing || main.mustSeal { try seal(main) }
        checkRings()
        // A file that has lost its name is gone when the process ends: another process may have erased the folder.
        for segments in underWay where try segments.isLost { outcome.lost = try seal(segments) ?? outcome.lost }
        if decision == .promote { try makeWayForPromotion() }
        outcome.unsettled = settle(isAsked: isAsked)
        try write(.main, fullMembersOnly: wake == .fullMembers)
        for segments in underWay where segments.isSealing || segments.mustSeal { try seal(segments) }
        try writePending(fullMembersOnly: wake == .fullMembers)
        // What had failed is done by now, or need not be done any longer.
        if wake == .retry {
            try expireSome()
            storageWorks()
        }
        // A line that says that storage works again belongs to what was asked for, too.
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

    /// Calls `onDrop` if something was dropped and that is over: everything that waited is written, and storage works. Where storage
    /// works, drops that go on are reported once in each ``EventFileWriterOptions/longestRetry``, and the last ones when the writer ends.
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

    /// Syncs the unfinished files of all other writers, and the folder's own name. Once is enough for what earlier writers left.
    private func synchronizeOrphans() throws(EventFileError) {
        if hasSynchronizedOrphans { return }
        try storing { () throws(FileSystemError) in
            try main.folder.synchronizeWay()
            try main.folder.synchronizeUnfinished(but: ownName)
            try main.folder.existingFolder(PendingFolder.name)?.synchronizeUnfinished(but: ownName)
        }
        hasSynchronizedOrphans = true
    }

    /// The writers of segments that may be under way. An unsettled pending folder is left out: its errors must not stop the main lane.
    var underWay: [SegmentWriter] { if let pending, decision == nil { [main, pending] } else { [main] } }

    /// Writes the pending lane, but first all that waits on the main lane.
    private func writePending(fullMembersOnly: Bool) throws(EventFileError) {
        // Once suffices: while the pending lane has lines and is free, events go to it and not to the main lane.
        if monitor.withState(\.mainGoesFirst) { try write(.main, fullMembersOnly: false) }
        try write(.pending, fullMembersOnly: fullMembersOnly)
    }

    /// Writes the lines of a lane that may be written now, or with `granted` those that the first grant covers.
    func write(_ lane: Lane, fullMembersOnly: Bool, granted: Bool = false) throws(EventFileError) {
        guard let end = monitor.take(lane, reportingDrops: episode == nil, granted: granted) else { return }
        do throws(EventFileError) {
            let segments = lane == .main ? main : try openPending()
            // After a seal that failed, the segment may have its end member, and then takes no more.
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
                // A log's line may be longer than a member. A segment must hold it whole.
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
        // If the segment is lost, so are its lines about what is to be removed: the next seal chooses anew.
        let doomed = segments.doomed.take() ?? []
        remove(lost == nil ? doomed : [], from: segments.folder)
        expiring[segments.folder.path] = []
        if segments === main { segmentsCame() }
        // Recovers what dead processes left, and what was postponed. Files of living writers are locked, and passed over.
        if recovery == nil { recovery = newRecovery() }
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
        // Each seal looks again, and finds again what stays as it is. A report of that alone must not replace what was found.
        var news = ended.result
        news.orphans.removeAll(where: monitor.recovery.orphans.contains)
        if news.error == monitor.recovery.error { news.error = nil }
        if !news.isEmpty {
            monitor.withState { $0.mailbox.recovery = ended.result }
            context.onRecovery?(news)
            segmentsCame()
        }
        end(.recovery, nil)
    }
}
