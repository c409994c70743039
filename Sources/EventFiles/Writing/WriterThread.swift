import Basics
import TrackingEvents

/// The writer's own thread: compresses, writes, seals, recovers. Nothing here is reached by another thread.
///
/// Each turn takes an errand from the monitor, carries it out, and answers those who wait for it (``run()``).
final class WriterThread {
    /// The time in which storage fails: from the first error to the first success.
    private struct Episode {
        let errno: Int32
        var delay: Int64
        var retryAt: Int64
    }

    /// What the work of a turn left undone without failing.
    private struct Outcome {
        /// What keeps the pending folder from being promoted or erased.
        var unsettled: EventFileError?
        /// A file that went away with what it held. A flush must report it.
        var lost: EventFileError?
    }

    /// The pause before a folder is opened again that the device has not unlocked.
    private static let lockedPause: Int64 = 5_000_000_000

    let monitor: WriterMonitor
    let options: EventFileWriterOptions
    let wallClock: WallClock
    let clock: MonotonicClock
    /// Writes the segments of the main lane. Its folder is open while the writer is awake.
    var main: SegmentWriter
    /// Has the segments of the pending lane.
    var pending: PendingFolder
    let onError: (@Sendable (EventFileError) -> Void)?
    let onRecovery: (@Sendable (RecoveryResult) -> Void)?
    private let onDrop: (@Sendable ([DropReason: Int]) -> Void)?
    let encoder: EventLineEncoder
    var random: SeededRandom
    private var episode: Episode?
    private var recovery: Recovery?
    private var recoveryWaiters: [WriterMailbox.Request] = []
    private var closers: [WriterMailbox.Request] = []
    private var suspenders: [WriterMailbox.Request] = []
    private var isRecoveryPostponed = false
    /// Folders in which too much lies that cannot be removed.
    var overfullFolders: Set<String> = []
    /// Segments whose removal has failed.
    var stuck: Set<String> = []
    /// By folder, the segments that were looked at since something in it may have expired.
    var expiring: [String: Set<String>] = [:]
    /// What kept files from being chosen or counted for removal.
    var expiryError: FileSystemError?
    /// The drops that `onDrop` reported.
    private var reportedDrops: [DropReason: Int] = [:]
    /// When the first drop came that it did not report.
    private var droppingSince: Int64?
    /// What this turn has to do with the pending folder.
    var decision: WriterMailbox.PendingDecision?
    /// Whether an erasure that a killed process began was looked for.
    var hasLookedForErasure = false
    /// The last erasure of the folder when it was given back; `nil` where that is unknown, and once it was looked for.
    var lastErasure: String?
    /// The decision could not be carried out: when to try again, and the pause after that.
    var settling: (delay: Int64, at: Int64)?
    let rings: RingKeeper
    /// `nil` where summaries are made on request only, and while the folder is not open.
    private(set) var summaries: SealedSummaries?
    /// Whether what earlier writers left is on the storage.
    private var hasSynchronizedOrphans = false
    /// Whether something was written in this turn.
    private var hasWritten = false

    /// - Parameters:
    ///   - folder: open, or yet to be opened.
    ///   - lastErasure: of a folder that was looked at and is not open.
    init(
        monitor: WriterMonitor, folder: EventFolder, options: EventFileWriterOptions, wallClock: WallClock, clock: MonotonicClock,
        random: SeededRandom, writer: UInt64, lastErasure: String? = nil, onError: (@Sendable (EventFileError) -> Void)?,
        onRecovery: (@Sendable (RecoveryResult) -> Void)?, onDrop: (@Sendable ([DropReason: Int]) -> Void)?
    ) {
        self.monitor = monitor
        self.options = options
        self.wallClock = wallClock
        self.clock = clock
        main = SegmentWriter(folder: folder, options: options, clock: clock, writer: writer)
        pending = PendingFolder(in: folder, options: options, clock: clock, wallClock: wallClock, random: random)
        rings = RingKeeper(options: options, clock: clock)
        self.lastErasure = lastErasure
        encoder = EventLineEncoder(sensitivity: options.sensitivity)
        // The ring goes on with `random`: ids from there must not come twice.
        var ring = random
        self.random = SeededRandom(seed: ring.next())
        self.onError = onError
        self.onRecovery = onRecovery
        self.onDrop = onDrop
    }

    /// Works until the writer is closed.
    func run() {
        begin()
        while turn(monitor.nextErrand(times)) {}
    }

    /// The first thing of all.
    func begin() {
        monitor.withState { $0.mailbox.thread = PosixThread.current }
        if isOpen { beginInFolder() } else if !monitor.withState({ $0.ring.suspension.isOn }) { _ = open() }
    }

    var isOpen: Bool { main.folder.isOpen }

    /// Finishes an erasure that a killed process began, looks for orphans, and makes the rings.
    private func beginInFolder() {
        if options.index == .atSeal, options.contents == .events {
            summaries = SealedSummaries(folder: main.folder, options: options) { [monitor] in monitor.withState { $0.mailbox.mustGiveUp } }
            summaries?.start()
        }
        do throws(EventFileError) { try erase(upTo: nil) } catch { storageFailed(error, wasScheduled: false) }
        recovery = newRecovery()
        expiring = [main.folder.path: []]
        tendRings()
    }

    /// Opens the folder as a new writer does, with digits of its own: what this one has left there is recovered like anybody's. Gives the
    /// error, if it cannot be opened.
    private func open() -> EventFileError? {
        do throws(EventFileError) {
            let folder = try EventFolder.open(main.folder.path, on: main.folder.fileSystem)
            main = SegmentWriter(folder: folder, options: options, clock: clock, writer: random.next())
            let seed = random.next()
            pending = PendingFolder(in: folder, options: options, clock: clock, wallClock: wallClock, random: SeededRandom(seed: seed))
            (hasLookedForErasure, hasSynchronizedOrphans) = (false, false)
            // Whatever had failed is tried again.
            episode?.retryAt = clock.nanoseconds
            beginInFolder()
            return nil
        } catch {
            let reason = options.reason(error, main.folder.path)
            storageFailed(reason, wasScheduled: true)
            return reason
        }
    }

    /// Gives back the folder with every lock and descriptor, and stops recovering.
    private func letGo() {
        for waiter in recoveryWaiters { waiter.completion(.suspended) }
        (recoveryWaiters, recovery, isRecoveryPostponed, expiring) = ([], nil, false, [:])
        // One that was begun before and is finished later is not about what waits now.
        if hasLookedForErasure, (try? Erasure.isBegun(in: main.folder)) == false { lastErasure = try? Erasure.lastNumber(in: main.folder) }
        closeFolder(leavingRings: true, stopping: true)
        main = SegmentWriter(
            folder: .unopened(main.folder.path, on: main.folder.fileSystem), options: options, clock: clock, writer: main.writer)
    }

    private func closeFolder(leavingRings: Bool, stopping: Bool) {
        let hadPendingRing = rings[.pending] != nil
        closeRings(leaving: leavingRings)
        pending.close()
        summaries.take()?.finish(stopping: stopping)
        // It was made for the ring, perhaps for nothing else.
        if hadPendingRing { try? main.folder.removeFolderIfEmpty(PendingFolder.name) }
        main.abandon()
        main.folder.close()
    }

    /// When there is something to do without being asked.
    private var times: WriterMonitor.Times {
        WriterMonitor.Times(
            retry: episode?.retryAt, rotate: underWay.compactMap(\.rotateAt).min(), settle: settling?.at, isClosing: !closers.isEmpty,
            isOpen: isOpen, hasBackground: recovery != nil || !expiring.isEmpty)
    }

    /// What became of ``turnIfDue()``.
    enum Turn {
        case taken
        /// The writer is closed.
        case ended
        /// Nothing is due before this time on the monotonic clock; without a time, before somebody asks for something.
        case wait(until: Int64?)
    }

    /// ``run()`` turn by turn, for somebody who drives the work in place of a thread, as a simulation does.
    func turnIfDue() -> Turn {
        switch monitor.errandOrWait(times) {
        case .errand(let errand): turn(errand) ? .taken : .ended
        case .wait(let next): .wait(until: next)
        }
    }

    /// Carries out an errand and answers those who wait for it; `false` once the writer is closed.
    private func turn(_ errand: WriterMonitor.Errand) -> Bool {
        closers += errand.requests.filter { $0.kind == .close }
        suspenders += errand.requests.filter { $0.kind == .suspend }
        if !isOpen, let isLast = turnWithoutFolder(errand) { return !isLast }
        tendRings()
        switch errand.wake {
        case .rings: return true
        case .background:
            if recovery == nil { expireInBackground() } else { recoverOne() }
            return true
        default: break
        }
        decision = errand.decision
        do throws(EventFileError) {
            hasWritten = false
            let outcome = try work(errand)
            tendRings()
            if hasWritten { reportMissingRing() }
            reportDrops()
            answer(errand.requests, outcome.unsettled, lost: outcome.lost)
            if !closers.isEmpty {
                finish(outcome.unsettled)
                return false
            }
            suspendIfAsked(outcome.lost ?? outcome.unsettled)
        } catch {
            storageFailed(error, wasScheduled: errand.wake == .retry)
            answer(errand.requests, error)
            if errand.wake == .giveUp {
                finish(error)
                return false
            }
            suspendIfAsked(error)
        }
        return true
    }

    /// Opens the folder if it may be, and otherwise answers those who ask for something; says whether the writer is closed now, `nil` if
    /// the folder is open.
    private func turnWithoutFolder(_ errand: WriterMonitor.Errand) -> Bool? {
        let (mayOpen, isIdle) = monitor.withState { state in
            let isIdle = Lane.allCases.allSatisfy { state.ring[$0].count == 0 && state.ring[$0].tally.isEmpty }
            let mayOpen = !state.ring.suspension.isOn || !closers.isEmpty || state.mailbox.mustOpen && !suspenders.isEmpty
            if mayOpen { state.mailbox.mustOpen = false }
            return (mayOpen, isIdle && state.mailbox.isSettled)
        }
        var error: EventFileError? = .suspended
        if !closers.isEmpty && isIdle { error = nil } else if mayOpen { error = open() }
        if isOpen { return nil }
        answer(errand.requests, error)
        if !closers.isEmpty, error == nil || errand.wake == .giveUp {
            finish(error)
            return true
        }
        suspendIfAsked(nil)
        return false
    }

    /// Does what ``EventFileWriter/suspend()`` asks for, now that everything else is done as far as it can be.
    private func suspendIfAsked(_ error: EventFileError?) {
        if suspenders.isEmpty || !closers.isEmpty { return }
        // It may have been resumed meanwhile.
        if isOpen, monitor.withState({ $0.ring.suspension.isOn }) { letGo() }
        for suspender in suspenders { suspender.completion(error) }
        suspenders = []
    }

    private func expireInBackground() {
        do throws(EventFileError) { try expireSome() } catch { storageFailed(error, wasScheduled: false) }
    }

    private func work(_ errand: WriterMonitor.Errand) throws(EventFileError) -> Outcome {
        let (wake, requests) = (errand.wake, errand.requests.map(\.kind))
        let isClosing = !closers.isEmpty
        let isAsked = isClosing || !requests.isEmpty
        let mustSeal = isClosing || requests.contains(.rotate) || requests.contains(.suspend)
        let isDurable = requests.contains(.flush(.durable))
        var outcome = Outcome()
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
        // What had failed is done, or need not be done any more.
        if wake == .retry { storageWorks() }
        // Storage works again: the line that says so belongs to what was asked for.
        if isAsked {
            try write(.main, fullMembersOnly: false)
            try writePending(fullMembersOnly: false)
        }
        if wake == .rotate || mustSeal { for segments in underWay { try seal(segments) } }
        if isDurable {
            for segments in underWay { try segments.synchronize() }
            try synchronizeOrphans()
            storageWorks()
        }
        return outcome
    }

    /// Brings to the storage what writers left that ended before this one began, the folder's own name too. Once: they write no more.
    private func synchronizeOrphans() throws(EventFileError) {
        if hasSynchronizedOrphans { return }
        try storing { () throws(FileSystemError) in
            try main.folder.synchronizeWay()
            try main.folder.synchronizeUnfinished(but: ownName)
            if let folder = try main.folder.existingFolder(PendingFolder.name) {
                defer { folder.close() }
                try folder.synchronizeUnfinished(but: ownName)
            }
        }
        hasSynchronizedOrphans = true
    }

    /// Those that may have a file under way. A pending folder that is to be moved or erased is left out: it must not keep the main lane from
    /// going on.
    var underWay: [SegmentWriter] {
        if let segments = pending.segments, decision == nil { [main, segments] } else { [main] }
    }

    /// Writes the pending lane, and first what was recorded on the main lane since that was written in this turn.
    private func writePending(fullMembersOnly: Bool) throws(EventFileError) {
        // Once: while the pending lane has lines and is free, no further events come to the main lane.
        if monitor.mainGoesFirst { try write(.main, fullMembersOnly: false) }
        try write(.pending, fullMembersOnly: fullMembersOnly)
    }

    /// Writes what waits on a lane, as it may be or, with `granted`, because a grant is carried out.
    func write(_ lane: Lane, fullMembersOnly: Bool, granted: Bool = false) throws(EventFileError) {
        guard let batch = monitor.take(lane, fullMembersOnly: fullMembersOnly, reportingDrops: episode == nil, granted: granted) else {
            return
        }
        do throws(EventFileError) {
            let segments = lane == .main ? main : try openPending()
            while let member = monitor.withState({ $0.ring.nextMember(of: batch) }) {
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
            if lane == .pending, pending.segments?.active == nil { pending.close() }
            throw error
        }
    }

    /// The lines at the head of a segment.
    func head(on lane: Lane) -> ByteBuffer? {
        let (sampled, before) = monitor.withState { ($0.ring.sampled, $0.ring[lane].done) }
        return sampled.head(of: lane, linesBefore: before, wall: wallClock.milliseconds, encoder: encoder, random: &random)
    }

    /// Publishes the segment under way, and removes what is beyond the limits, also without a segment if files came into the folder
    /// otherwise. Gives the loss of the segment, if it was lost. The next one begins then.
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
            monitor.lost(events: events, on: segments === main ? .main : .pending)
            onError?(error)
            lost = error
        }
        segments.mustSeal = false
        storageWorks()
        // The lines that own up to it went with a segment that is lost: the next seal chooses anew.
        let doomed = segments.doomed.take() ?? []
        remove(lost == nil ? doomed : [], from: segments.folder)
        expiring[segments.folder.path] = []
        if segments === main {
            monitor.observers.notify(.sealed)
            summaries?.look()
        }
        if recovery == nil, isRecoveryPostponed { recovery = newRecovery() }
        return lost
    }

    /// The pause before the next attempt, given the one before it.
    func pause(after last: Int64?) -> Int64 {
        let longest = max(1, options.longestRetry.clampedNanoseconds)
        return min(longest, last.map { $0.addingClamped($0) } ?? max(1, options.firstRetry.clampedNanoseconds))
    }

    private func storageFailed(_ error: EventFileError, wasScheduled: Bool) {
        let isNew = episode == nil
        var delay = episode?.delay ?? pause(after: nil)
        if !isNew, wasScheduled { delay = pause(after: delay) }
        if case .locked = error { delay = Self.lockedPause }
        episode = Episode(errno: episode?.errno ?? error.errno ?? 0, delay: delay, retryAt: clock.nanoseconds.addingClamped(delay))
        if !isNew { return }
        monitor.storageFails()
        onError?(error)
    }

    func storageWorks() {
        guard let ended = episode.take() else { return }
        rings.retryNow()
        monitor.withState { $0.ring.storageWorks(errno: ended.errno) }
    }

    /// Calls `onDrop` if something was dropped and that is over: everything that waited is written, and storage works. Drops that go on
    /// and on are reported once in the longest pause, and at the latest when nobody is left to report more.
    private func reportDrops(isLast: Bool = false) {
        guard let onDrop else { return }
        let (dropped, isIdle) = monitor.withState { ($0.ring.statistics.receipt.droppedByReason, $0.ring.untakenLines == 0) }
        let new = dropped.filter { $0.value > reportedDrops[$0.key, default: 0] }
        if new.isEmpty { return }
        let now = clock.nanoseconds
        let since = droppingSince ?? now
        droppingSince = since
        let isLong = now.subtractingClamped(since) >= max(1, options.longestRetry.clampedNanoseconds)
        guard isLast || episode == nil && (isIdle || isLong) else { return }
        let reported = reportedDrops
        (reportedDrops, droppingSince) = (dropped, nil)
        onDrop(Dictionary(uniqueKeysWithValues: new.map { ($0, $1 - reported[$0, default: 0]) }))
    }

    private func answer(_ requests: [WriterMailbox.Request], _ error: EventFileError?, lost: EventFileError? = nil) {
        for request in requests {
            switch request.kind {
            case .suspend, .close: break
            case .recovery:
                // Recovery stops while storage fails, and nobody knows for how long that is.
                if recovery == nil || error != nil { request.completion(error) } else { recoveryWaiters.append(request) }
            case .flush: request.completion(lost ?? error)
            case .rotate, .erase: request.completion(error)
            }
        }
    }

    private var ownName: String { SegmentName(stem: options.stem, writer: main.writer, number: 0).writerName }

    private func newRecovery() -> Recovery { Recovery(folder: main.folder, options: options, clock: wallClock, own: ownName) }

    private func recoverOne() {
        guard var recovery else { return }
        recovery.step()
        self.recovery = recovery
        if recovery.isDone { recoveryEnded(recovery) }
    }

    /// The segments of the pending folder, which is made where it is missing.
    func openPending() throws(EventFileError) -> SegmentWriter {
        let isNew = pending.segments == nil
        let segments = try pending.opened()
        if isNew { expiring[segments.folder.path] = [] }
        return segments
    }

    private func recoveryEnded(_ ended: Recovery) {
        recovery = nil
        isRecoveryPostponed = ended.isPostponed
        monitor.withState { $0.mailbox.recovery = ended.report }
        if !ended.report.isEmpty {
            onRecovery?(ended.report)
            monitor.observers.notify(.sealed)
            summaries?.look()
        }
        for waiter in recoveryWaiters { waiter.completion(nil) }
        recoveryWaiters = []
    }

    /// The last thing the thread does. Afterwards nothing of it is left but its handle.
    private func finish(_ error: EventFileError?) {
        if error == nil {
            // What is left when the deadline is over is for the next writer.
            while var recovery, !recovery.isDone, !monitor.withState({ $0.mailbox.mustGiveUp }) {
                recovery.step()
                self.recovery = recovery
            }
        }
        if let recovery { recoveryEnded(recovery) }
        monitor.stopTaking()
        reportDrops(isLast: true)
        closeFolder(leavingRings: false, stopping: error != nil)
        for request in monitor.withState({ $0.mailbox.end() }) {
            request.completion(request.kind == .close ? error : request.kind == .suspend ? nil : .closed)
        }
        for suspender in suspenders { suspender.completion(nil) }
        for closer in closers { closer.completion(error) }
        // Another thread may get this one's name from now on.
        monitor.withState { $0.mailbox.thread = nil }
    }
}
