import TrackingEvents

/// The writer's own thread: compresses, writes, seals, recovers. Everything here is reached by that thread alone.
final class WriterThread {
    /// Storage that fails: from the first error to the first success.
    private struct Episode {
        let errno: Int32
        var delay: Int64
        var retryAt: Int64
    }

    private let core: WriterCore
    private let segments: SegmentWriter
    private let onError: (@Sendable (EventFileError) -> Void)?
    private let onRecovery: (@Sendable (RecoveryReport) -> Void)?
    private var episode: Episode?
    private var recovery: Recovery?
    private var recoveryWaiters: [WriterState.Request] = []
    private var closers: [WriterState.Request] = []
    /// A rotation is due that did not succeed yet.
    private var mustSeal = false

    init(
        core: WriterCore, segments: SegmentWriter, onError: (@Sendable (EventFileError) -> Void)?,
        onRecovery: (@Sendable (RecoveryReport) -> Void)?
    ) {
        self.core = core
        self.segments = segments
        self.onError = onError
        self.onRecovery = onRecovery
    }

    /// Works until the writer is closed.
    func run() {
        recovery = Recovery(folder: segments.folder, options: core.options)
        while true {
            let wake = core.waitForWork(
                retryAt: episode?.retryAt, rotateAt: segments.rotateAt, isClosing: !closers.isEmpty, hasBackground: recovery != nil)
            if case .background = wake {
                recoverOne()
                continue
            }
            let requests = core.takeRequests()
            closers += requests.filter(\.isClose)
            do throws(EventFileError) {
                try work(wake, requests)
                answer(requests, nil)
                if !closers.isEmpty { return finish(nil) }
            } catch {
                storageFailed(error, wasScheduled: wake == .retry)
                answer(requests, error)
                if wake == .giveUp { return finish(error) }
            }
        }
    }

    private func work(_ wake: WriterCore.Wake, _ requests: [WriterState.Request]) throws(EventFileError) {
        let isClosing = !closers.isEmpty
        if segments.isSealing || mustSeal { try seal() }
        try write(fullMembersOnly: wake == .fullMembers)
        // Storage works again: what is to be said of it belongs to what was asked for.
        if isClosing || !requests.isEmpty { try write(fullMembersOnly: false) }
        if wake == .rotate || isClosing || requests.contains(where: \.isRotate) { try seal() }
        if requests.contains(where: \.isDurable) {
            try segments.synchronize()
            storageWorks()
        }
    }

    private func write(fullMembersOnly: Bool) throws(EventFileError) {
        guard var batch = core.take(fullMembersOnly: fullMembersOnly, tellingDrops: episode == nil) else { return }
        do throws(EventFileError) {
            while !batch.isEmpty {
                let (raw, lines) = batch.nextMember()
                let notes = batch.notesOfMember(raw: raw.count)
                let bytes = try segments.append(raw, events: lines - notes)
                core.written(lines: lines, notes: notes, rawBytes: raw.count, bytes: bytes)
                batch.advance(by: raw.count, lines: lines, notes: notes)
                storageWorks()
                if segments.isFull { try seal() }
            }
        } catch {
            core.putBack(batch)
            throw error
        }
        core.giveBack(batch.bytes)
    }

    private func seal() throws(EventFileError) {
        mustSeal = true
        do throws(EventFileError) {
            if try segments.seal() { core.published() }
        } catch {
            guard case .segmentLost(_, let events) = error else { throw error }
            // Not a matter of storage: it is said, counted, and the next segment begins.
            core.lost(events: events)
            onError?(error)
        }
        mustSeal = false
        storageWorks()
        do throws(FileSystemError) {
            try Retention(folder: segments.folder, options: core.options).apply(now: core.wallClock.milliseconds)
        } catch {
            // What is too much now goes at the next rotation.
            onError?(.storage(error))
        }
        if recovery == nil, isRecoveryPostponed { recovery = Recovery(folder: segments.folder, options: core.options) }
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

    private func storageWorks() {
        guard let ended = episode.take() else { return }
        core.storageWorks(errno: ended.errno)
    }

    private func answer(_ requests: [WriterState.Request], _ error: EventFileError?) {
        for request in requests {
            switch request.kind {
            case .close: break
            case .recovery: if recovery == nil { request.completion(nil) } else { recoveryWaiters.append(request) }
            case .flush, .rotate: request.completion(error)
            }
        }
    }

    private var isRecoveryPostponed = false

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
            while var recovery, !recovery.isDone {
                recovery.step()
                self.recovery = recovery
            }
        }
        if let recovery { recoveryEnded(recovery) }
        core.dropPending()
        segments.abandon()
        segments.folder.close()
        for request in core.takeRequests() { request.completion(.closed) }
        for closer in closers { closer.completion(error) }
    }
}

extension WriterState.Request {
    fileprivate var isClose: Bool { if case .close = kind { true } else { false } }
    fileprivate var isRotate: Bool { if case .rotate = kind { true } else { false } }
    fileprivate var isDurable: Bool { if case .flush(.durable) = kind { true } else { false } }
}
