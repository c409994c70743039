import Basics
import TrackingEvents

/// The writer's own thread: compresses, writes, seals, recovers. Everything here is reached by that thread alone.
final class WriterThread {
    /// Storage that fails: from the first error to the first success.
    private struct Episode {
        let errno: Int32
        var delay: Int64
        var retryAt: Int64
    }

    let core: WriterCore
    let segments: SegmentWriter
    let spool: Spool
    let onError: (@Sendable (EventFileError) -> Void)?
    let onRecovery: (@Sendable (RecoveryReport) -> Void)?
    private var episode: Episode?
    private var recovery: Recovery?
    private var recoveryWaiters: [WriterState.Request] = []
    private var closers: [WriterState.Request] = []
    private var isRecoveryPostponed = false
    /// Folders in which something is too much and cannot be removed.
    private var unretained: Set<String> = []
    /// Whether it is known that no erasure is left over from a killed process.
    var hasLookedForErasure = false
    /// The spool could not be brought to where it belongs: when to try again, and how long to wait after that.
    var settling: (delay: Int64, at: Int64)?
    /// Whether the file that was under way when it was decided to promote the spool is finished.
    var hasMadeWay = false

    init(
        core: WriterCore, segments: SegmentWriter, spool: Spool, onError: (@Sendable (EventFileError) -> Void)?,
        onRecovery: (@Sendable (RecoveryReport) -> Void)?
    ) {
        self.core = core
        self.segments = segments
        self.spool = spool
        self.onError = onError
        self.onRecovery = onRecovery
    }

    /// Works until the writer is closed.
    func run() {
        core.threadBegins()
        do throws(EventFileError) { try erase() } catch { storageFailed(error, wasScheduled: false) }
        recovery = Recovery(folder: segments.folder, options: core.options)
        while true {
            let wake = core.waitForWork(
                retryAt: episode?.retryAt, rotateAt: rotateAt, settleAt: settling?.at, isClosing: !closers.isEmpty,
                hasBackground: recovery != nil)
            if case .background = wake {
                recoverOne()
                continue
            }
            let requests = core.takeRequests()
            closers += requests.filter(\.isClose)
            do throws(EventFileError) {
                let (unsettled, lost) = try work(wake, requests)
                answer(requests, unsettled, lost: lost)
                if !closers.isEmpty { return finish(unsettled) }
            } catch {
                storageFailed(error, wasScheduled: wake == .retry)
                answer(requests, error)
                if wake == .giveUp { return finish(error) }
            }
        }
    }

    private var rotateAt: Int64? { underWay.compactMap(\.rotateAt).min() }

    /// - Returns: what keeps the spool from where it belongs, and what a flush must not keep quiet about. The rest of the work is done.
    private func work(_ wake: WriterCore.Wake, _ requests: [WriterState.Request]) throws(EventFileError) -> (
        unsettled: EventFileError?, lost: EventFileError?
    ) {
        let isClosing = !closers.isEmpty
        try erase()
        if segments.isSealing || segments.mustSeal { try seal(segments) }
        // A file without its name goes with the process, whatever is written to it.
        var lost: EventFileError?
        if requests.contains(where: \.isFlush) { for segments in underWay where try segments.isLost { lost = try seal(segments) ?? lost } }
        try write(.main, fullMembersOnly: wake == .fullMembers)
        // Somebody waits for it, or it is time.
        let unsettled = settle(isAsked: isClosing || !requests.isEmpty)
        for segments in underWay where segments.isSealing || segments.mustSeal { try seal(segments) }
        try write(.spool, fullMembersOnly: wake == .fullMembers)
        // What had failed is done, or is not to be done any more.
        if wake == .retry { storageWorks() }
        // Storage works again: what is to be said of it belongs to what was asked for.
        if isClosing || !requests.isEmpty { for lane in WriterLane.Name.allCases { try write(lane, fullMembersOnly: false) } }
        if wake == .rotate || isClosing || requests.contains(where: \.isRotate) { for segments in underWay { try seal(segments) } }
        if requests.contains(where: \.isDurable) {
            for segments in underWay { try segments.synchronize() }
            storageWorks()
        }
        return (unsettled, lost)
    }

    /// Where segments may be under way. Not in a spool that is to be moved or erased: that it cannot be must not keep the others from going on.
    private var underWay: [SegmentWriter] {
        if let spooled = spool.segments, core.spoolDecision == nil { [segments, spooled] } else { [segments] }
    }

    private func write(_ lane: WriterLane.Name, fullMembersOnly: Bool) throws(EventFileError) {
        guard var batch = core.take(lane, fullMembersOnly: fullMembersOnly, tellingDrops: episode == nil) else { return }
        do throws(EventFileError) {
            if lane == .main { try makeWayForPromotion() }
            let segments = lane == .main ? self.segments : try spool.opened()
            while !batch.isEmpty {
                let (raw, lines) = batch.nextMember()
                let notes = batch.notesOfMember(raw: raw.count)
                let bytes = try segments.append(raw, events: lines - notes)
                core.written(lines: lines, notes: notes, rawBytes: raw.count, bytes: bytes)
                batch.advance(by: raw.count, lines: lines, notes: notes)
                storageWorks()
                // A line of a log may be longer than a member; its file has it whole.
                if segments.isFull, raw.last == UInt8(ascii: "\n") { try seal(segments) }
            }
        } catch {
            core.putBack(batch)
            // The folder itself may be gone: the next attempt makes it anew.
            if lane == .spool, spool.segments?.active == nil { spool.close() }
            throw error
        }
        core.giveBack(batch.bytes)
    }

    /// - Returns: that the segment was lost, if it was. The next one begins then.
    @discardableResult
    func seal(_ segments: SegmentWriter) throws(EventFileError) -> EventFileError? {
        segments.mustSeal = true
        var lost: EventFileError?
        do throws(EventFileError) {
            if try segments.seal() { core.published() }
        } catch {
            guard case .segmentLost(_, let events) = error else { throw error }
            // Not a matter of storage: it is said, counted, and the next segment begins.
            core.lost(events: events, on: segments === self.segments ? .main : .spool)
            onError?(error)
            lost = error
        }
        segments.mustSeal = false
        storageWorks()
        retain(in: segments.folder)
        if recovery == nil, isRecoveryPostponed { recovery = Recovery(folder: self.segments.folder, options: core.options) }
        return lost
    }

    func retain(in folder: EventFolder) {
        do throws(FileSystemError) {
            try Retention(folder: folder, options: core.options).apply(now: core.wallClock.milliseconds)
            unretained.remove(folder.path)
        } catch {
            // What is too much now goes at a later rotation. It is said once, not each time.
            if unretained.insert(folder.path).inserted { onError?(.storage(error)) }
        }
    }

    private func storageFailed(_ error: EventFileError, wasScheduled: Bool) {
        let options = core.options
        let longest = max(1, options.longestRetry.clampedNanoseconds)
        if var episode {
            if wasScheduled { episode.delay = min(longest, episode.delay.addingClamped(episode.delay)) }
            episode.retryAt = core.clock.nanoseconds.addingClamped(episode.delay)
            self.episode = episode
            return
        }
        let delay = min(longest, max(1, options.firstRetry.clampedNanoseconds))
        episode = Episode(errno: error.errno ?? 0, delay: delay, retryAt: core.clock.nanoseconds.addingClamped(delay))
        core.storageFails()
        onError?(error)
    }

    func storageWorks() {
        guard let ended = episode.take() else { return }
        core.storageWorks(errno: ended.errno)
    }

    private func answer(_ requests: [WriterState.Request], _ error: EventFileError?, lost: EventFileError? = nil) {
        for request in requests {
            switch request.kind {
            case .close: break
            case .recovery:
                // Recovery does not go on while storage fails, and nobody knows for how long that is.
                if recovery == nil || error != nil { request.completion(error) } else { recoveryWaiters.append(request) }
            case .flush: request.completion(lost ?? error)
            case .rotate, .erase: request.completion(error)
            }
        }
    }

    private func recoverOne() {
        guard var recovery else { return }
        recovery.step()
        self.recovery = recovery
        if recovery.isDone { recoveryEnded(recovery) }
    }

    private func recoveryEnded(_ ended: Recovery) {
        recovery = nil
        isRecoveryPostponed = ended.isPostponed
        core.recoveryChanged(to: ended.report)
        if !ended.report.isEmpty { onRecovery?(ended.report) }
        for waiter in recoveryWaiters { waiter.completion(nil) }
        recoveryWaiters = []
    }

    /// The last thing the thread does. After this nothing of it is left but its handle.
    private func finish(_ error: EventFileError?) {
        if error == nil {
            // What is left when the deadline is over is for the next writer.
            while var recovery, !recovery.isDone, !core.mustGiveUp {
                recovery.step()
                self.recovery = recovery
            }
        }
        if let recovery { recoveryEnded(recovery) }
        core.dropPending()
        spool.close()
        segments.abandon()
        segments.folder.close()
        for request in core.takeRequests() { request.completion(.closed) }
        for closer in closers { closer.completion(error) }
        core.threadEnds()
    }
}

extension WriterState.Request {
    fileprivate var isClose: Bool { if case .close = kind { true } else { false } }
    fileprivate var isRotate: Bool { if case .rotate = kind { true } else { false } }
    fileprivate var isFlush: Bool { if case .flush = kind { true } else { false } }
    fileprivate var isDurable: Bool { if case .flush(.durable) = kind { true } else { false } }
}
